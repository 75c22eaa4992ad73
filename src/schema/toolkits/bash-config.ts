// Defines the `bash` section of the configuration: whether commands run, and what they can reach.
import * as z from "zod";

const VariableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable");

export const BashConfig = z.strictObject({
  enabled: z.boolean().default(false),
  /** With "auto", bubblewrap is used where it works. With "off", commands run with the permissions of the server. */
  sandbox: z.enum(["auto", "bubblewrap", "off"]).default("auto"),
  /** Environment variables of the server that commands receive in addition to the usual ones. API keys are refused. */
  env: z.array(VariableName).default([]),
  /** Folders outside the workspace that sandboxed commands may read. */
  readable: z.array(z.string().min(1)).default([]),
});
export type BashConfig = z.infer<typeof BashConfig>;
