// Defines a tool that runs in the client: the caller declares it, a call opens a gate, and the result comes back as an input.
import * as z from "zod";
import { byteLength } from "../byte-length.ts";
import { EffectKind, ToolName } from "../manifest.ts";
import { OutputTrust } from "../receipt.ts";

export const CLIENT_TOOLS_MAX = 32;
/** The limit for all declarations of a thread together. They are one blob and part of every prompt. */
export const CLIENT_TOOLS_BYTES_MAX = 32_768;
/** The limit for a result as JSON. Above 32 KB the observation is stored as a blob. */
export const CLIENT_RESULT_BYTES_MAX = 262_144;
export const CLIENT_RESULT_EXPIRES_S = 86_400;
const WEEK_S = 604_800;

export const ClientTool = z.strictObject({
  name: ToolName,
  /** The name in the client's protocol, if that allows other characters. */
  client_name: z.string().min(1).max(128).optional(),
  description: z.string().min(1).max(4_096),
  /** JSON Schema of the arguments. It must describe an object. */
  input: z.record(z.string(), z.unknown()),
  /** Default: unkeyed. Anything else needs the scope `confirm`. */
  effect: EffectKind.optional(),
  /** Default: untrusted. "trusted" needs the scope `confirm`. */
  output_trust: OutputTrust.optional(),
  /** Default: true, because the client may send the arguments anywhere. False needs the scope `confirm`. */
  outward: z.boolean().optional(),
  /** How long a call waits for its result. Default: one day. */
  expires_in_s: z.int().min(1).max(WEEK_S).optional(),
});
export type ClientTool = z.infer<typeof ClientTool>;

export const ClientTools = z
  .array(ClientTool)
  .max(CLIENT_TOOLS_MAX)
  .refine(
    (tools) => byteLength(JSON.stringify(tools)) <= CLIENT_TOOLS_BYTES_MAX,
    `at most ${CLIENT_TOOLS_BYTES_MAX} bytes of JSON`,
  );
export type ClientTools = z.infer<typeof ClientTools>;

/** True if the declaration claims more trust than an unknown client deserves. It then needs a key that may approve. */
export const isPrivileged = ({ effect = "unkeyed", output_trust = "untrusted", outward = true }: ClientTool): boolean =>
  effect !== "unkeyed" || output_trust !== "untrusted" || !outward;
