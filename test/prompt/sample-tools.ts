// Provides a few tools as a thread would see them, for the tests of the prompt.
import { z } from "zod";
import type { Manifest } from "../../src/schema/manifest.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

const nothing = () => "";

export const queryRange = defineTool(
  {
    name: "query_range",
    description: "Shows what is on a day, slot by slot, and which ranges are free.",
    input: z.object({
      day: z.int().min(1).describe("The day, counted from 1."),
      slot_start: z.int().min(1).max(12).optional(),
      slot_end: z.int().min(1).max(12).optional(),
    }),
    examples: [{ arguments: { day: 4 }, result: "day 4: 1-2 Algebra (fixed); free: 3-12" }],
  },
  nothing,
).manifest;

export const move = defineTool(
  {
    name: "move",
    description: "Moves a placed task to another day and slot.",
    permission: "WRITE",
    scope: "DB_WRITE",
    effect: "keyed",
    input: z.object({ task_id: z.int().min(1), new_day: z.int().min(1), new_slot_start: z.int().min(1).max(12) }),
    examples: [
      { arguments: { task_id: 7, new_day: 3, new_slot_start: 5 }, result: "[7] Reading: day 1 slot 1 -> day 3 slot 5" },
    ],
    prompt_hint: "only suggested tasks can be moved; courses stay.",
  },
  nothing,
).manifest;

export const listTasks = defineTool(
  {
    name: "list_tasks",
    description: "Lists tasks by status.",
    supersedes: true,
    input: z.object({
      status: z.enum(["all", "existing", "suggested", "pending"]).optional().describe("One status."),
      category: z.string().optional().describe("The name of a category, not its id."),
    }),
    output: z.object({ tasks: z.array(z.object({ id: z.int(), name: z.string() })) }),
  },
  () => ({ tasks: [] }),
).manifest;

export const recall = defineTool(
  {
    name: "recall",
    description: "Reads a folded observation again by its receipt id.",
    proves: false,
    input: z.object({ receipt_id: z.string(), page: z.int().min(1).optional() }),
  },
  nothing,
).manifest;

export const SAMPLE_TOOLS: readonly Manifest[] = [recall, queryRange, move, listTasks];
