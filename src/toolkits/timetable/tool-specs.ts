// Defines the calendar tools: name, arguments, description for the model, and pure function. tools.ts connects them to
// the store.
import type { z } from "zod";
import { describeIssues } from "./arguments.ts";
import { contextSwitchArguments, minContextSwitch } from "./changes/context-switch.ts";
import { batchMove, batchMoveArguments, MAX_BATCH, move, moveArguments, swap, swapArguments } from "./changes/move.ts";
import { place, placeArguments, unplace, unplaceArguments } from "./changes/place.ts";
import { spreadArguments, spreadEven } from "./changes/spread.ts";
import { undoArguments, undoLastChange } from "./changes/undo.ts";
import { availableArguments, queryAvailableSlots } from "./queries/available.ts";
import { evaluate, evaluateArguments } from "./queries/evaluate.ts";
import { findFirstFree, firstFreeArguments } from "./queries/free.ts";
import { getOverview, overviewArguments } from "./queries/overview.ts";
import { queryRange, rangeArguments } from "./queries/range.ts";
import { getTaskInfo, listArguments, listTasks, taskInfoArguments } from "./queries/tasks.ts";
import { type CalendarResult, type Changes, type ResultData, refuse } from "./result.ts";
import type { Calendar } from "./schema/calendar.ts";

type SpecText = {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  readonly example: Readonly<Record<string, unknown>>;
  /** An alias of a tool that the prompt already describes under its own name. */
  readonly alias?: true;
  /** The tool lists the days, and adds a note if today is none of them. */
  readonly shows_days?: true;
};

export type CalendarToolSpec<F extends ResultData> = SpecText & {
  readonly input: z.ZodType;
  /** Validates the arguments, then runs the tool on the calendar. A refusal names the field. */
  readonly execute: (calendar: Calendar, args: unknown) => CalendarResult<F>;
};

type Implementation<S extends z.ZodType, F extends ResultData> = {
  readonly input: S;
  readonly run: (calendar: Calendar, args: z.infer<S>) => CalendarResult<F>;
};

function toolSpec<S extends z.ZodType, F extends ResultData>({
  run,
  ...spec
}: SpecText & Implementation<S, F>): CalendarToolSpec<F> {
  const execute = (calendar: Calendar, args: unknown): CalendarResult<F> => {
    const parsed = spec.input.safeParse(args);
    return parsed.success ? run(calendar, parsed.data) : refuse(`${spec.name}: ${describeIssues(parsed.error)}.`);
  };
  return { ...spec, execute };
}

const firstFree = {
  name: "find_first_free",
  description: "Finds the earliest free consecutive slots; a host with room only if no day has free slots.",
  example: { duration: 2 },
  input: firstFreeArguments,
  run: findFirstFree,
};

export const readToolSpecs: readonly CalendarToolSpec<ResultData>[] = [
  toolSpec({
    name: "get_overview",
    description:
      "Shows the load of every day, every task with its place, and the rules of the classes; query_range names the courses.",
    hint: "Start here.",
    example: {},
    shows_days: true,
    input: overviewArguments,
    run: getOverview,
  }),
  toolSpec({
    name: "query_range",
    description: "Shows what occupies one day, or a range of its slots.",
    example: { day: 3 },
    input: rangeArguments,
    run: queryRange,
  }),
  toolSpec(firstFree),
  toolSpec({ ...firstFree, name: "find_free", description: "The same as find_first_free.", alias: true }),
  toolSpec({
    name: "query_available_slots",
    description: "Lists candidate places that pass the filters, with the load of their day before and after.",
    hint: "Order lightest prefers days with little load.",
    example: { duration: 2, week: 2, day_scope: "workday", order: "lightest", limit: 5 },
    input: availableArguments,
    run: queryAvailableSlots,
  }),
  toolSpec({
    name: "list_tasks",
    description: "Lists tasks with their numbers, by status and category.",
    hint: "Use it to find the number of a task.",
    example: { status: "suggested" },
    input: listArguments,
    run: listTasks,
  }),
  toolSpec({
    name: "get_task_info",
    description: "Shows everything about one task.",
    example: { task_id: 12 },
    input: taskInfoArguments,
    run: getTaskInfo,
  }),
  toolSpec({
    name: "evaluate",
    description: "Rates the schedule: conflicts, balance of the load, and whether it is good enough to stop improving.",
    hint: "Stop improving when it says so.",
    example: {},
    input: evaluateArguments,
    run: evaluate,
  }),
];

export const writeToolSpecs: readonly CalendarToolSpec<Changes>[] = [
  toolSpec({
    name: "place",
    description: "Gives a pending task a place; in the slots of a free host it shares them.",
    example: { task_id: 20, day: 4, slot_start: 5 },
    input: placeArguments,
    run: place,
  }),
  toolSpec({
    name: "move",
    description: "Moves a suggested task to another place; its length stays.",
    example: { task_id: 12, new_day: 4, new_slot_start: 5 },
    input: moveArguments,
    run: move,
  }),
  toolSpec({
    name: "batch_move",
    description: `Moves up to ${MAX_BATCH} suggested tasks at once: all of them or none. Two tasks may exchange places.`,
    hint: "Use it for moves that depend on each other.",
    example: {
      moves: [
        { task_id: 12, new_day: 4, new_slot_start: 5 },
        { task_id: 13, new_day: 2, new_slot_start: 7 },
      ],
    },
    input: batchMoveArguments,
    run: batchMove,
  }),
  toolSpec({
    name: "swap",
    description: "Exchanges the places of two suggested tasks of equal length.",
    example: { task_a: 12, task_b: 13 },
    input: swapArguments,
    run: swap,
  }),
  toolSpec({
    name: "unplace",
    description: "Takes a suggested task off the calendar; it is pending again.",
    example: { task_id: 12 },
    input: unplaceArguments,
    run: unplace,
  }),
  toolSpec({
    name: "spread_even",
    description: "Gives several suggested tasks new places so that the chosen days carry about the same load.",
    example: { task_ids: [12, 13, 14], day_scope: "workday" },
    input: spreadArguments,
    run: spreadEven,
  }),
  toolSpec({
    name: "min_context_switch",
    description: "Rearranges suggested tasks among their places so that equal categories follow each other.",
    example: { task_ids: [12, 13, 14] },
    input: contextSwitchArguments,
    run: minContextSwitch,
  }),
  toolSpec({
    name: "undo_last_change",
    description: "Reverts the newest change of this calendar. Works once; older changes are not kept.",
    example: {},
    input: undoArguments,
    run: undoLastChange,
  }),
];
