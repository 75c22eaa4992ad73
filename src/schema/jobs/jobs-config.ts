// Defines the settings of the job worker, which are part of pawl.config.
import * as z from "zod";

export const JobsConfig = z.strictObject({
  enabled: z.boolean().default(true),
  concurrency: z.int().min(1).max(256).default(4),
  /** How long a worker may be silent before another one takes over. The duration of a turn is added. */
  lease_ms: z.int().min(1_000).max(3_600_000).default(30_000),
  slice_turns: z.int().min(1).max(1_000).default(10),
  poll_ms: z.int().min(10).max(60_000).default(100),
});
export type JobsConfig = z.infer<typeof JobsConfig>;
