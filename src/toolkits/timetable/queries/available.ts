// Implements query_available_slots, which lists candidates with the load of their day, so that tasks are not all placed
// on day 1.
import * as z from "zod";
import { argumentSchema, optionalInteger } from "../arguments.ts";
import { plural, positionText, taskLabel } from "../format.ts";
import { loadOf, slotCount } from "../occupancy.ts";
import { type CalendarResult, succeed } from "../result.ts";
import type { Calendar } from "../schema/calendar.ts";
import { type Candidate, freeCandidates, hostCandidates } from "./candidates.ts";
import { applyFilters, filterAliases, filterHints, filterShape } from "./filters.ts";

const DEFAULT_DURATION = 2;
const DEFAULT_LIMIT = 12;

export const availableArguments = argumentSchema(
  {
    duration: optionalInteger(1, 12, `number of slots in a row; ${DEFAULT_DURATION} if left out`),
    limit: optionalInteger(1, 60, `at most this many candidates; ${DEFAULT_LIMIT} if left out`),
    order: z
      .enum(["earliest", "lightest"], { error: "must be earliest or lightest" })
      .optional()
      .describe("earliest day first, or the day with the least load first; earliest if left out"),
    ...filterShape,
  },
  { aliases: { ...filterAliases, span: "duration" }, hints: filterHints },
);

export function queryAvailableSlots(calendar: Calendar, args: z.infer<typeof availableArguments>): CalendarResult {
  const selection = applyFilters(calendar, args);
  if (!selection.ok) return selection;
  const duration = args.duration ?? DEFAULT_DURATION;
  const days = args.order === "lightest" ? byLoad(calendar, selection.value.days) : selection.value.days;
  const candidatesOf = (find: typeof freeCandidates) =>
    days.flatMap((day) => find(calendar, day, duration, selection.value.allowed));
  const empty = candidatesOf(freeCandidates);
  const shared = selection.value.allowEmbed ? candidatesOf(hostCandidates) : [];
  const all = [...empty, ...shared];
  const shown = all.slice(0, args.limit ?? DEFAULT_LIMIT).map((one) => withLoad(calendar, one));
  const head = `${plural(all.length, "candidate")} for ${plural(duration, "slot")}, ${shown.length} shown (${empty.length} free, ${shared.length} inside hosts).`;
  const lines = shown.map(
    (one) => `- ${positionText(calendar, one)}: ${one.note}, load of the day ${one.load_before} -> ${one.load_after}`,
  );
  const slots = shown.map(({ note: _note, ...facts }) => facts);
  return succeed(calendar, [head, ...lines].join("\n"), { duration, total: all.length, slots });
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
    // A guest uses slots of its host, so the load does not change.
    load_after: host ? before : before + slotCount(position),
    note: host ? `inside ${taskLabel(host)}` : "free",
  };
}
