// One line in the log of an operation: the same facts that listeners heard live.
import { z } from "zod";

export const ProgressLine = z.object({
  /** From 0, without gaps; the order in which it happened. */
  n: z.int().min(0),
  at: z.iso.datetime(),
  kind: z.enum(["chunk", "stage", "done"]),
  stage: z.string().nullable(),
  text: z.string(),
});
export type ProgressLine = z.infer<typeof ProgressLine>;
