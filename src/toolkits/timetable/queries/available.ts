// query_available_slots: a list of candidates with what each does to the load of its day, so that nobody piles up on day 1.
import { z } from "zod";
import { argumentsOf, optionalInteger } from "../arguments.ts";
import { length, loadOf } from "../occupancy.ts";
import { type Outcome, report } from "../outcome.ts";
import type { Calendar } from "../schema/calendar.ts";
import { at, count, label } from "../words.ts";
import { type Candidate, emptyPlaces, sharedPlaces } from "./candidates.ts";
import { filterHints, filterShape, select } from "./filters.ts";

const DEFAULT_SPAN = 2;
const DEFAULT_LIMIT = 12;

export const availableArguments = argumentsOf(
  {
    duration: optionalInteger(1, 12, `number of slots in a row; ${DEFAULT_SPAN} if left out`),
    limit: optionalInteger(1, 60, `at most this many candidates; ${DEFAULT_LIMIT} if left out`),
    order: z
      .enum(["earliest", "lightest"], { error: "must be earliest or lightest" })
      .optional()
      .describe("earliest day first, or the day with the least load first; earliest if left out"),
    ...filterShape,
  },
  { aliases: { span: "duration" }, hints: filterHints },
);

export function queryAvailableSlots(calendar: Calendar, args: z.infer<typeof availableArguments>): Outcome {
  const selection = select(calendar, args);
  if (!selection.ok) return selection;
  const duration = args.duration ?? DEFAULT_SPAN;
  const days = args.order === "lightest" ? byLoad(calendar, selection.days) : selection.days;
  const empty = days.flatMap((day) => emptyPlaces(calendar, day, duration, selection.allowed));
  const shared = selection.allowEmbed
    ? days.flatMap((day) => sharedPlaces(calendar, day, duration, selection.allowed))
    : [];
  const all = [...empty, ...shared];
  const shown = all.slice(0, args.limit ?? DEFAULT_LIMIT).map((one) => withLoad(calendar, one));
  const head = `${count(all.length, "candidate")} for ${count(duration, "slot")}, ${shown.length} shown (${empty.length} free, ${shared.length} inside hosts).`;
  const lines = shown.map(
    (one) => `- ${at(calendar, one)}: ${one.note}, load of the day ${one.load_before} -> ${one.load_after}`,
  );
  const slots = shown.map(({ note: _note, ...facts }) => facts);
  return report(calendar, [head, ...lines].join("\n"), { duration, total: all.length, slots });
}

const byLoad = (calendar: Calendar, days: readonly number[]): number[] =>
  [...days].sort((a, b) => loadOf(calendar.tasks, a).total - loadOf(calendar.tasks, b).total || a - b);

function withLoad(calendar: Calendar, { position, host }: Candidate) {
  const before = loadOf(calendar.tasks, position.day).total;
  const kind = host ? "embeddable" : "free";
  return {
    ...position,
    kind,
    host: host?.state_id ?? null,
    load_before: before,
    // A guest shares slots that are in use already.
    load_after: host ? before : before + length(position),
    note: host ? `inside ${label(host)}` : "free",
  };
}
