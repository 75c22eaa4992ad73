// Defines how clients of other protocols create threads.
import * as z from "zod";

export const SURFACES = ["agui", "ai", "openai", "mcp", "a2a"] as const;
export type Surface = (typeof SURFACES)[number];

export const SurfaceConfig = z.strictObject({
  enabled: z.boolean().default(true),
  /** The agent of the threads. Default: the default agent. */
  agent: z.string().optional(),
  mode: z.enum(["plan", "direct"]).optional(),
  /** With "ask", the default, the first response to a larger request is a plan that waits for approval. */
  plan_approval: z.enum(["ask", "auto"]).optional(),
  /** Lets a client whose key has the scope `confirm` approve calls, although the client may be a model. Only for `mcp` and `a2a`. */
  approve: z.boolean().default(false),
  /** An additional header that names the thread of a chat completion. Only for `openai`. */
  chat_id_header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .optional(),
});
export type SurfaceConfig = z.infer<typeof SurfaceConfig>;

export const ProtocolsConfig = z.partialRecord(z.enum(SURFACES), SurfaceConfig);
export type ProtocolsConfig = z.infer<typeof ProtocolsConfig>;
