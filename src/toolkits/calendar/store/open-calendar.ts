// Opens one version of a calendar, to read the events of a range and to save changes only if this is still the current
// version.
import type { DocumentSave, DocumentStore } from "../../../ports/documents.ts";
import { fail, ok, type Result } from "../../../schema/problem.ts";
import type { TimeRange } from "../events/occurrences.ts";
import type { StoredObject } from "../events/stored-object.ts";
import type { KeptText } from "../ics/import-ics.ts";
import type { RawComponent } from "../ics/split-text.ts";
import {
  type CalendarChange,
  type CalendarHead,
  type CalendarRef,
  CHANGES_MAX,
  documentsOf,
  headAt,
  type Shards,
} from "./head.ts";
import type { PartStore } from "./part-store.ts";
import { createShardAccess, withShard } from "./shard-access.ts";
import { KEPT, shardOf, shardsFor } from "./shards.ts";

/** When more objects than this have changed, they are moved to their shards. */
const RECENT_MAX = 48;
const HEAD_CHARS_MAX = 120_000;

/** A null `before` creates an object, and a null `after` removes it. */
export type ObjectChange = { readonly before: StoredObject | null; readonly after: StoredObject | null };
export type ChangeNote = Pick<CalendarChange, "key" | "tool" | "text" | "at" | "result">;
export type HeadFields = Partial<
  Pick<CalendarHead, "name" | "working_hours" | "outside" | "source" | "pushes" | "changes">
>;
export type CalendarContent = { readonly objects: readonly StoredObject[]; readonly kept: KeptText };

export interface OpenCalendar {
  readonly at: CalendarRef;
  /** The version, or 0 for a calendar that was never saved. */
  readonly version: number;
  readonly head: CalendarHead;
  /** Returns the objects that may have an occurrence in the range. */
  inRange(range: TimeRange): Promise<Result<readonly StoredObject[]>>;
  all(): Promise<Result<readonly StoredObject[]>>;
  /** Returns the text of an imported file that belongs to no event. */
  kept(): Promise<Result<KeptText>>;
  /** Fails with `calendar_moved` if another writer was first. Without a `note`, the save cannot be undone. */
  save(changes: readonly ObjectChange[], note: ChangeNote | null, fields?: HeadFields): Promise<Result<number>>;
  /** Replaces all events and the text that belongs to no event. */
  replace(content: CalendarContent, note: ChangeNote | null, fields?: HeadFields): Promise<Result<number>>;
  undoable(): CalendarChange | null;
  /** Restores the state before the newest change that can be undone. */
  undo(note: ChangeNote): Promise<Result<number>>;
}

export type OpenOptions = {
  readonly documents: DocumentStore;
  readonly parts: PartStore;
  readonly at: CalendarRef;
  readonly version: number;
  readonly head: CalendarHead;
  /** The save that adds a new calendar to the list. It is committed together with the first version of the calendar. */
  readonly listing?: DocumentSave;
  /** Saves the head as part of another commit. If it returns false, the head must be saved here. */
  readonly saveLater?: SaveLater | undefined;
};
export type SaveLater = (documents: DocumentStore, save: DocumentSave) => boolean;

export function openCalendar(options: OpenOptions): OpenCalendar {
  const { parts, at, head, version } = options;
  const shards = createShardAccess(options);

  const saveRecent = async (recent: CalendarHead["recent"], rest: Partial<CalendarHead>): Promise<Result<number>> => {
    const next = { ...head, ...rest, recent };
    if (Object.keys(recent).length <= RECENT_MAX && JSON.stringify(next).length <= HEAD_CHARS_MAX)
      return commit(options, next);
    const folded = await shards.fold(recent);
    return folded.ok ? commit(options, { ...next, recent: {}, shards: folded.value }) : folded;
  };

  const undoable = () => head.changes.findLast((one) => one.before !== null && !one.undone) ?? null;

  return {
    at,
    version,
    head,
    undoable,
    inRange: (range) => shards.read(shardsFor(range, head.time_zone)),
    all: () => shards.read(shards.names()),
    async kept() {
      const read = await parts.read(at.tenant, head.shards[KEPT] ?? []);
      if (!read.ok) return read;
      const items = read.value as readonly (string | RawComponent)[];
      const properties = items.filter((item) => typeof item === "string");
      return ok({ properties, components: items.filter((item) => typeof item !== "string") });
    },
    save(changes, note, fields = {}) {
      const recent = { ...head.recent };
      for (const { before, after } of changes) {
        const key = (after ?? before)?.key ?? "";
        const stored_in = before && shardOf(before, head.time_zone);
        recent[key] = { object: after, stored_in: head.recent[key] ? head.recent[key].stored_in : stored_in };
      }
      const next_seq = Math.max(head.next_seq, ...changes.map(({ after }) => (after?.seq ?? 0) + 1));
      const entry = note && { ...note, before: beforeOf(changes, head.time_zone), before_shards: null, undone: false };
      const log = fields.changes ?? head.changes;
      return saveRecent(recent, { ...fields, next_seq, changes: entry ? [...log, entry] : log });
    },
    async replace({ objects, kept }, note, fields = {}) {
      const before = await shards.fold(head.recent);
      if (!before.ok) return before;
      let next: Shards = {};
      const byShard = Map.groupBy(objects, (object) => shardOf(object, head.time_zone));
      for (const [name, items] of [...byShard, [KEPT, [...kept.properties, ...kept.components]] as const]) {
        const written = await shards.write(`${name}.new`, items);
        if (!written.ok) return written;
        next = withShard(next, name, written.value);
      }
      const entry = note && { ...note, before: {}, before_shards: before.value, undone: false };
      const next_seq = Math.max(head.next_seq, ...objects.map(({ seq }) => seq + 1));
      return commit(options, {
        ...head,
        ...fields,
        next_seq,
        recent: {},
        shards: next,
        changes: entry ? [...head.changes, entry] : withoutUndoData(head.changes),
      });
    },
    async undo(note) {
      const last = undoable();
      if (!last?.before) return fail("tool_refused", "There is no change that can be undone.");
      const undone = { ...last, undone: true, before: null, before_shards: null };
      const entry = { ...note, before: null, before_shards: null, undone: false };
      const changes = [...head.changes.map((one) => (one === last ? undone : one)), entry];
      if (last.before_shards) return commit(options, { ...head, recent: {}, shards: last.before_shards, changes });
      const recent = { ...head.recent };
      for (const [key, { object, shard }] of Object.entries(last.before))
        recent[key] = { object, stored_in: head.recent[key] ? head.recent[key].stored_in : shard };
      return saveRecent(recent, { changes });
    },
  };
}

/** After the source has replaced all events, earlier changes cannot be undone. */
const withoutUndoData = (changes: readonly CalendarChange[]): CalendarChange[] =>
  changes.map((one) => ({ ...one, before: null, before_shards: null }));

/** The previous state of each object, with the shard of its new state. */
const beforeOf = (changes: readonly ObjectChange[], zone: string): NonNullable<CalendarChange["before"]> =>
  Object.fromEntries(
    changes.map(({ before, after }) => [
      (after ?? before)?.key ?? "",
      { object: before, shard: after && shardOf(after, zone) },
    ]),
  );

export async function saveList(documents: DocumentStore, list: DocumentSave): Promise<Result<void>> {
  const saved = await documents.save(list.at, list.value, list.expectedVersion);
  if (!saved.ok) return saved;
  return saved.value.saved ? ok(undefined) : fail("calendar_moved", "The list of calendars changed.");
}

async function commit(
  { documents, parts, at, head, version, listing, saveLater }: OpenOptions,
  changed: CalendarHead,
): Promise<Result<number>> {
  const next = withinSizeLimit({ ...changed, changes: newest(changed.changes) });
  const [old, written] = [documentsOf(head), documentsOf(next)];
  // Otherwise a change must be stored before it is sent to a server, or parts must be removed after the head is saved.
  const isAlone = head.source === null && old.size === written.size && [...old].every((id) => written.has(id));
  if (isAlone && saveLater?.(documents, { at: headAt(at), value: next, expectedVersion: version })) {
    if (listing) saveLater(documents, listing);
    return ok(version + 1);
  }
  const listed = listing ? await saveList(documents, listing) : ok(undefined);
  if (!listed.ok) return listed;
  const saved = await documents.save(headAt(at), next, version);
  // A save without a response may have succeeded, so its documents stay.
  if (!saved.ok) return saved;
  const without = (ids: Set<string>, others: Set<string>) =>
    parts.remove(
      at.tenant,
      [...ids].filter((id) => !others.has(id)),
    );
  if (saved.value.saved) {
    await without(old, written);
    return ok(saved.value.version);
  }
  await without(written, old);
  return fail("calendar_moved", `The calendar is at version ${saved.value.version}.`, { version: saved.value.version });
}

/** Changes that can and cannot be undone are limited separately, so that they do not displace each other. */
function newest(changes: readonly CalendarChange[]): CalendarChange[] {
  const last = (isUndoable: boolean) =>
    changes.filter((one) => (one.before !== null) === isUndoable).slice(-CHANGES_MAX);
  const kept = new Set([...last(true), ...last(false)]);
  return changes.filter((one) => kept.has(one));
}

/** Drops the undo data of the oldest changes until the head is small enough to be stored. */
function withinSizeLimit(head: CalendarHead): CalendarHead {
  let size = JSON.stringify(head).length;
  const changes = head.changes.map((one, index) => {
    if (size <= HEAD_CHARS_MAX || one.before === null || index === head.changes.length - 1) return one;
    const smaller = { ...one, before: null, before_shards: null };
    size -= JSON.stringify(one).length - JSON.stringify(smaller).length;
    return smaller;
  });
  return { ...head, changes };
}
