// Reads an iCalendar file. Every component is kept as text, and the report lists everything that is shown differently
// than it was written, or omitted.
import { fail, ok, type Result } from "../../../schema/problem.ts";
import { isSeries, type StoredObject } from "../events/stored-object.ts";
import type { ImportReport } from "../schema/views.ts";
import { readObject } from "./read-object.ts";
import { type RawComponent, type SplitCalendar, splitCalendars, unfold } from "./split-text.ts";
import { zoneResolver } from "./zone-definitions.ts";

export const FILE_CHARS_MAX = 8_388_608;
export const OBJECTS_MAX = 20_000;
/** With its other fields, an event of this size fits into a row of every store, unless most characters take three bytes. */
const OBJECT_CHARS_MAX = 150_000;

/** Text that belongs to no event, but is written back by an export. */
export type KeptText = { readonly properties: readonly string[]; readonly components: readonly RawComponent[] };

export type ImportedCalendar = {
  readonly objects: readonly StoredObject[];
  readonly kept: KeptText;
  readonly report: ImportReport;
};

export type ImportOptions = {
  readonly zone: string;
  /** The `seq` of each known event, by key. */
  readonly known?: ReadonlyMap<string, number>;
  readonly nextSeq?: number;
};

export function importIcs(text: string, options: ImportOptions): Result<ImportedCalendar> {
  if (text.length > FILE_CHARS_MAX)
    return fail("calendar_invalid", `The file is larger than ${FILE_CHARS_MAX} characters.`);
  const split = splitCalendars(text);
  if (!split.ok) return split;
  const components = split.value.flatMap((calendar) => calendar.components);
  const entries = components.filter(({ name }) => name === "VEVENT" || name === "VTODO");
  if (entries.length > OBJECTS_MAX)
    return fail("calendar_invalid", `The file has more than ${OBJECTS_MAX} events and to-dos.`);
  const others = components.filter(({ name }) => name !== "VEVENT" && name !== "VTODO");
  const [first, ...more] = split.value;
  const kept: KeptText = { properties: first?.properties ?? [], components: others };
  const built = buildObjects(groupByUid(entries), zoneResolver(others, options.zone), options);
  const { objects } = built;
  const events = objects.filter((one) => one.type === "event");
  const series = events.filter(isSeries).length;
  const report: ImportReport = {
    events: events.length - series,
    series,
    todos: objects.length - events.length,
    notes: [...built.notes, ...keptNotes(others, more.length)],
    left_out: [...built.left_out, ...droppedProperties(kept.properties, more)],
  };
  return ok({ objects, kept: { ...kept, components: [...others, ...built.unread] }, report });
}

function keptNotes(others: readonly RawComponent[], furtherCalendars: number): ImportReport["notes"] {
  const kinds = Map.groupBy(
    others.filter(({ name }) => name !== "VTIMEZONE"),
    ({ name }) => name,
  );
  const notes = [...kinds].map(([name, list]) => ({
    uid: null,
    title: `${list.length} × ${name}`,
    note: "it is neither an event nor a to-do; it is kept for the export and not shown",
  }));
  if (furtherCalendars === 0) return notes;
  const title = `${furtherCalendars + 1} × VCALENDAR`;
  return [...notes, { uid: null, title, note: "they are written back as one calendar" }];
}

/** The properties that are lost because a merge of several calendars keeps only those of the first. */
function droppedProperties(first: readonly string[], more: readonly SplitCalendar[]): ImportReport["left_out"] {
  const dropped = new Set(more.flatMap(({ properties }) => properties).filter((line) => !first.includes(line)));
  return [...dropped].map((line) => ({
    uid: null,
    title: unfold(line).trim().slice(0, 200),
    reason: "only the properties of the first VCALENDAR are kept",
  }));
}

type Group = { readonly uid: string | null; readonly raw: readonly string[]; readonly name: string };

/** The value of a property of the component itself, not of an alarm inside it. */
export const propertyOf = (text: string, name: string): string | null =>
  new RegExp(`^${name}(?:;[^:\\r\\n]*)?:(.*?)\\r?$`, "im").exec(
    unfold(text).replace(/BEGIN:VALARM[\s\S]*?END:VALARM/gi, ""),
  )?.[1] ?? null;

/** Groups changed occurrences with the event of the same UID. Without such an event, each is a separate event. */
function groupByUid(entries: readonly RawComponent[]): Group[] {
  const read = entries.map(({ name, text }) => ({
    name,
    text,
    uid: propertyOf(text, "UID"),
    changed: propertyOf(text, "RECURRENCE-ID") !== null,
  }));
  const masters = new Set<string>();
  const groups: Group[] = [];
  const changes = Map.groupBy(
    read.filter(({ changed, uid }) => changed && uid !== null),
    ({ name, uid }) => `${name} ${uid}`,
  );
  for (const { name, text, uid, changed } of read) {
    const key = `${name} ${uid}`;
    if (changed) continue;
    const own = masters.has(key) ? [] : (changes.get(key) ?? []).map((one) => one.text);
    masters.add(key);
    groups.push({ uid, name, raw: [text, ...own] });
  }
  const orphans = read.filter(({ name, uid, changed }) => changed && (uid === null || !masters.has(`${name} ${uid}`)));
  return [...groups, ...orphans.map(({ name, text, uid }) => ({ uid, name, raw: [text] }))];
}

type Built = {
  objects: StoredObject[];
  /** Components without a usable time. */
  unread: RawComponent[];
  notes: ImportReport["notes"][number][];
  left_out: ImportReport["left_out"][number][];
};

function buildObjects(
  groups: readonly Group[],
  zoneNamed: (tzid: string) => string | null,
  options: ImportOptions,
): Built {
  const built: Built = { objects: [], unread: [], notes: [], left_out: [] };
  const keys = new Set<string>();
  let next = options.nextSeq ?? 1;
  for (const { uid, raw, name } of groups) {
    const { facts, notes } = readObject(raw, { zone: options.zone, zoneNamed });
    const title = facts?.title ?? propertyOf(raw[0] ?? "", "SUMMARY")?.slice(0, 200) ?? "untitled";
    if (raw.reduce((sum, text) => sum + text.length, 0) > OBJECT_CHARS_MAX) {
      built.left_out.push({ uid, title, reason: `it is larger than ${OBJECT_CHARS_MAX} characters` });
      continue;
    }
    const key = uniqueKey(uid, keys);
    const more = key === uid ? [] : [uidNote(uid)];
    built.notes.push(...[...more, ...notes].map((note) => ({ uid, title, note })));
    if (!facts) {
      built.unread.push(...raw.map((text) => ({ name, text })));
      continue;
    }
    const seq = options.known?.get(key) ?? next++;
    built.objects.push({ ...facts, key, seq, raw: [...raw], remote: null });
  }
  return built;
}

/** True for keys that plain objects inherit, such as `constructor`, because events are stored by key in plain JSON. */
const isReserved = (key: string): boolean => key in {};

function uidNote(uid: string | null): string {
  if (uid === null) return "it has no UID";
  return isReserved(uid) ? "its UID is a reserved name; it has another one here" : "another entry has the same UID";
}

function uniqueKey(uid: string | null, taken: Set<string>): string {
  const base = uid === null || uid === "" ? "no-uid" : uid;
  let key = uid === null || uid === "" ? `${base}~1` : base;
  for (let n = 2; taken.has(key) || isReserved(key); n += 1) key = `${base}~${n}`;
  taken.add(key);
  return key;
}
