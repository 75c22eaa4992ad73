// Defines one line in the progress log of an operation. It has the same data that subscribers receive live.
import * as z from "zod";

export const ProgressLine = z.object({
  /** Counts from 0 without gaps, in the order of events. */
  n: z.int().min(0),
  at: z.iso.datetime(),
  kind: z.enum(["chunk", "stage", "done"]),
  stage: z.string().nullable(),
  text: z.string(),
});
export type ProgressLine = z.infer<typeof ProgressLine>;
