// Defines the report of an import: how much was read, what is shown differently, and what was left out.
import * as z from "zod";

export const ImportReport = z.object({
  events: z.int().describe("Single events."),
  series: z.int().describe("Events that repeat."),
  todos: z.int().describe("To-dos with a due time."),
  notes: z
    .array(z.object({ uid: z.string().nullable(), title: z.string(), note: z.string() }))
    .describe("What is kept for the export but shown differently, or not shown, and why."),
  left_out: z
    .array(z.object({ uid: z.string().nullable(), title: z.string(), reason: z.string() }))
    .describe("What could not be stored. Empty: the export has everything that the file had."),
});
export type ImportReport = z.infer<typeof ImportReport>;
