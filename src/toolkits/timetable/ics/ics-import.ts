// Imports iCalendar text. Events become existing entries, to-dos become pending tasks, and skipped entries are
// reported.
import ICAL from "ical.js";
import * as z from "zod";
import { fail, ok, type Result } from "../../../schema/problem.ts";
import { isBoundedRule } from "../../../tools/ical/bounded-rule.ts";
import { isTimeZone } from "../../../tools/time-zone.ts";
import { createCalendar, type TaskDraft } from "../create.ts";
import { dayNumber } from "../dates.ts";
import { comparePositions, samePosition } from "../occupancy.ts";
import { type Calendar, contains, type Position } from "../schema/calendar.ts";
import { hourlySlots, minuteOf, positionsOf, type SlotTime, SlotTimes } from "../slot-times.ts";
import { isEmpty, occurrencesOf, type Window } from "./ics-occurrences.ts";

const MAX_BYTES = 2_000_000;
const MAX_ENTRIES = 3000;
/** The maximum number of occurrences, which take about a second to expand. */
const MAX_OCCURRENCES = 30_000;

export const IcsOptions = z.object({
  /** The date of day 1, in the form YYYY-MM-DD. */
  starts_on: z.iso.date(),
  total_days: z.int().min(1).max(366).default(35),
  /** The time zone of the slots. Times without a zone are used unchanged. */
  time_zone: z.string().refine(isTimeZone, "is not a known time zone").default("UTC"),
  slot_times: SlotTimes.default([...hourlySlots]),
  /** The maximum number of occurrences to expand per file, including those before day 1. */
  max_occurrences: z.int().min(1).max(MAX_OCCURRENCES).default(MAX_OCCURRENCES),
});
export type IcsOptions = z.input<typeof IcsOptions>;

export type IcsImport = {
  readonly calendar: Calendar;
  readonly imported: number;
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
};

export function importIcs(text: string, options: IcsOptions): Result<IcsImport> {
  const parsed = IcsOptions.safeParse(options);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return fail("calendar_invalid", `${issue?.path.join(".")}: ${issue?.message}`);
  }
  if (text.length > MAX_BYTES) return fail("calendar_invalid", `The file is larger than ${MAX_BYTES} characters.`);
  const read = parse(text);
  if (!read.ok) return read;
  const roots = read.value;
  for (const root of roots) dropUnboundedZones(root);
  const events = roots.flatMap((root) => root.getAllSubcomponents("vevent"));
  const todos = roots.flatMap((root) => root.getAllSubcomponents("vtodo"));
  if (events.length + todos.length > MAX_ENTRIES)
    return fail("calendar_invalid", `The file has more than ${MAX_ENTRIES} entries.`);
  return buildCalendar(events, todos, parsed.data);
}

function parse(text: string): Result<ICAL.Component[]> {
  try {
    const parsed = ICAL.parse(repairFoldedLines(text.replace(/^\uFEFF/, "")));
    const list = (Array.isArray(parsed[0]) ? parsed : [parsed]) as ConstructorParameters<typeof ICAL.Component>[0][];
    const roots = list.map((one) => new ICAL.Component(one)).filter((one) => one.name === "vcalendar");
    return roots.length > 0 ? ok(roots) : fail("calendar_invalid", "There is no VCALENDAR in the text.");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail("calendar_invalid", `The text could not be read as iCalendar: ${reason.slice(0, 200)}`);
  }
}

/** Some programs fold long lines without the leading space. A line that is not a property continues the previous one. */
const repairFoldedLines = (text: string): string => text.replace(/(\r?\n)(?![\w-]+[;:])(?=[^\s])/g, "$1 ");

/** The parser might expand the rules of other zones forever. Times in such zones are resolved by zone name instead. */
function dropUnboundedZones(root: ICAL.Component): void {
  const isBounded = (property: ICAL.Property) => {
    const rule = property.getFirstValue();
    return rule instanceof ICAL.Recur && rule.freq === "YEARLY" && isBoundedRule(rule);
  };
  for (const zone of root.getAllSubcomponents("vtimezone")) {
    const rules = zone.getAllSubcomponents().flatMap((one) => one.getAllProperties("rrule"));
    if (!rules.every(isBounded) || !zone.getFirstProperty("tzid")) root.removeSubcomponent(zone);
  }
}

type Skipped = { name: string; reason: string };

function buildCalendar(
  events: readonly ICAL.Component[],
  todos: readonly ICAL.Component[],
  { starts_on, total_days, time_zone, slot_times, max_occurrences }: z.output<typeof IcsOptions>,
): Result<IcsImport> {
  const window = { firstDay: dayNumber(starts_on), totalDays: total_days, timeZone: time_zone };
  const skipped: Skipped[] = [];
  const budget = { steps: max_occurrences };
  const drafts: TaskDraft[] = [];
  for (const { master, exceptions } of groupByUid(events)) {
    const draft = eventDraft(master, exceptions, { ...window, budget }, slot_times);
    if ("reason" in draft) skipped.push({ name: nameOf(master), reason: draft.reason });
    else drafts.push(draft);
  }
  for (const todo of todos) {
    if (/^(COMPLETED|CANCELLED)$/i.test(textOf(todo, "status") ?? ""))
      skipped.push({ name: nameOf(todo), reason: "it is finished" });
    else drafts.push(todoDraft(todo, slot_times));
  }
  const tasks = dropInvalidLinks(uniqueIds(mergeTaskEntries(drafts)));
  const created = createCalendar({ total_days, starts_on, tasks, outside: true });
  return created.ok ? ok({ calendar: created.value, imported: tasks.length, skipped }) : created;
}

/** Groups changed occurrences with the event of the same UID. Without such an event, each is a separate event. */
function groupByUid(events: readonly ICAL.Component[]) {
  const isException = (event: ICAL.Component) => event.hasProperty("recurrence-id");
  const masters = events.filter((event) => !isException(event));
  const known = new Set(masters.map((event) => textOf(event, "uid")));
  const exceptions = Map.groupBy(events.filter(isException), (event) => textOf(event, "uid"));
  const orphans = events.filter((event) => isException(event) && !known.has(textOf(event, "uid")));
  for (const orphan of orphans) orphan.removeAllProperties("recurrence-id");
  return [
    ...masters.map((master) => ({ master, exceptions: exceptions.get(textOf(master, "uid")) ?? [] })),
    ...orphans.map((master) => ({ master, exceptions: [] })),
  ];
}

function eventDraft(
  master: ICAL.Component,
  exceptions: readonly ICAL.Component[],
  window: Window,
  times: readonly SlotTime[],
): TaskDraft | { reason: string } {
  if (/^CANCELLED$/i.test(textOf(master, "status") ?? "")) return { reason: "it is cancelled" };
  const found = occurrencesOf(master, exceptions, window);
  if (!found.ok) return { reason: found.reason };
  const nonEmpty = found.ranges.filter((one) => !isEmpty(one));
  if (found.ranges.length > 0 && nonEmpty.length === 0) return { reason: "it has no length" };
  const slots = nonEmpty
    .flatMap((one) => positionsOf(one.from, one.to, window, times))
    .sort(comparePositions)
    .filter((one, index, all) => index === 0 || !samePosition(one, all[index - 1] ?? one));
  if (slots.length === 0) return { reason: "it lies outside the days and hours of the calendar" };
  const course = found.repeats || textOf(master, "x-pawl-type") === "course";
  const suggested = textOf(master, "x-pawl-status") === "suggested";
  return {
    ...readCommonFields(master),
    slots,
    status: suggested ? "suggested" : "existing",
    event_type: suggested ? null : course ? "course" : "task",
    // Events shown as free (TRANSPARENT) can be shared.
    can_embed: !suggested && /^TRANSPARENT$/i.test(textOf(master, "transp") ?? ""),
    embed_host: numberOf(master, "x-pawl-host"),
  };
}

function todoDraft(todo: ICAL.Component, times: readonly SlotTime[]): TaskDraft {
  const [first] = times;
  const slotMinutes = first ? minuteOf(first.end) - minuteOf(first.start) : 60;
  const given = todo.getFirstPropertyValue("duration");
  const durationSlots = given instanceof ICAL.Duration ? Math.ceil(given.toSeconds() / 60 / slotMinutes) : null;
  const slots = numberOf(todo, "x-pawl-slots") ?? durationSlots;
  return {
    ...readCommonFields(todo),
    status: "pending",
    ...(slots ? { duration: Math.min(12, Math.max(1, slots)) } : {}),
  };
}

function readCommonFields(entry: ICAL.Component): TaskDraft {
  const id = numberOf(entry, "x-pawl-task");
  const categories = entry.getFirstProperty("categories")?.getFirstValue();
  return {
    ...(id ? { state_id: id } : {}),
    name: nameOf(entry),
    category: typeof categories === "string" && categories.trim() ? categories : null,
    source_id: textOf(entry, "uid")?.slice(0, 200) ?? null,
  };
}

const nameOf = (entry: ICAL.Component): string => textOf(entry, "summary")?.trim() || "untitled";

function textOf(entry: ICAL.Component, name: string): string | null {
  const value = entry.getFirstPropertyValue(name);
  return typeof value === "string" ? value : null;
}

function numberOf(entry: ICAL.Component, name: string): number | null {
  const text = textOf(entry, name) ?? "";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
}

/** The export writes one event per position, with the same task number, status and name. */
function mergeTaskEntries(drafts: readonly TaskDraft[]): TaskDraft[] {
  const groups = Map.groupBy(drafts, (draft) =>
    draft.state_id === undefined ? draft : `${draft.state_id} ${draft.status} ${draft.name}`,
  );
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (!first) return [];
    const slots: Position[] = [first, ...more].flatMap((draft) => draft.slots ?? []).sort(comparePositions);
    return [{ ...first, slots }];
  });
}

function uniqueIds(drafts: readonly TaskDraft[]): TaskDraft[] {
  const seen = new Set<number>();
  return drafts.map((draft) => {
    if (draft.state_id === undefined || seen.has(draft.state_id)) {
      const { state_id: _taken, ...rest } = draft;
      return rest;
    }
    seen.add(draft.state_id);
    return draft;
  });
}

/** Links may be invalid after a guest or host was moved in another program. */
function dropInvalidLinks(drafts: readonly TaskDraft[]): TaskDraft[] {
  const taken = new Set<number>();
  return drafts.map((draft) => {
    const host = drafts.find((one) => one.state_id !== undefined && one.state_id === draft.embed_host);
    const [only, ...more] = draft.slots ?? [];
    const isFree = host?.can_embed && host.state_id && !taken.has(host.state_id);
    const isInside = only && more.length === 0 && host?.slots?.some((one) => contains(one, only));
    const isValid = isFree && isInside;
    if (isValid && host.state_id) taken.add(host.state_id);
    return isValid ? draft : { ...draft, embed_host: null };
  });
}
