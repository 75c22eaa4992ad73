// Defines the head of a calendar (its settings, the documents that hold its events, and the newest changes) and the list
// of a tenant's calendars. Each change is committed by saving the head.
import * as z from "zod";
import type { DocumentRef } from "../../../ports/documents.ts";
import type { TenantId } from "../../../schema/ids.ts";
import { isTimeZone } from "../../../tools/time-zone.ts";
import { StoredObject } from "../events/stored-object.ts";

export const CHANGES_MAX = 64;

export type CalendarRef = { readonly tenant: TenantId; readonly calendar: string };
export const headAt = ({ tenant, calendar: id }: CalendarRef): DocumentRef => ({ tenant, kind: "calendar_heads", id });

const ClockTime = z.string().regex(/^(?:([01]\d|2[0-3]):[0-5]\d|24:00)$/, "must be HH:MM");
/** Working hours from Monday to Sunday, or null for a day without working hours. */
export const WorkingHours = z
  .array(
    z
      .object({ start: ClockTime, end: ClockTime })
      .refine(({ start, end }) => start < end, "must start before it ends")
      .nullable(),
  )
  .length(7);
export type WorkingHours = z.infer<typeof WorkingHours>;

const WORKDAY = { start: "09:00", end: "17:00" };
export const OFFICE_HOURS: WorkingHours = [WORKDAY, WORKDAY, WORKDAY, WORKDAY, WORKDAY, null, null];

export const CalendarSettings = z.object({
  name: z.string().trim().min(1).max(120),
  time_zone: z.string().refine(isTimeZone, "is not a known time zone, such as Europe/Berlin"),
  working_hours: WorkingHours.default(OFFICE_HOURS),
});
export type CalendarSettings = z.infer<typeof CalendarSettings>;

/** The calendar server or subscribed file from which a calendar is updated. */
export const CalendarSource = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("caldav"), account: z.string(), url: z.string(), sync_token: z.string().nullable() }),
  z.object({ kind: z.literal("subscription"), url: z.string(), etag: z.string().nullable() }),
]);
export type CalendarSource = z.infer<typeof CalendarSource>;

/** A changed object. `stored_in` is the shard with its previous state, or null if no shard has one. */
const RecentObject = z.object({ object: StoredObject.nullable(), stored_in: z.string().nullable() });

/** A null `text` removes the object, and a null `etag` creates it. `effect` is the key of the call that made the change. */
export const RemotePush = z.object({
  effect: z.string(),
  key: z.string(),
  href: z.string(),
  etag: z.string().nullable(),
  text: z.string().nullable(),
});
export type RemotePush = z.infer<typeof RemotePush>;

const Shards = z.record(z.string(), z.array(z.string()));
export type Shards = z.infer<typeof Shards>;

/** `before` has the previous objects and the shards of their new states, or is null if the change can no longer be undone. */
export const CalendarChange = z.object({
  key: z.string(),
  tool: z.string(),
  text: z.string(),
  at: z.number(),
  before: z.record(z.string(), z.object({ object: StoredObject.nullable(), shard: z.string().nullable() })).nullable(),
  /** The shards before an import, which replaces all events. Null for any other change. */
  before_shards: Shards.nullable(),
  undone: z.boolean(),
  /** The result of the tool, for a call that is resent. */
  result: z.unknown(),
});
export type CalendarChange = z.infer<typeof CalendarChange>;

export const CalendarHead = z.object({
  ...CalendarSettings.shape,
  id: z.string(),
  owner: z.string(),
  created_at: z.number(),
  next_seq: z.int().min(1),
  shards: Shards,
  /** Objects that changed since the shards were written. They replace those in the shards. */
  recent: z.record(z.string(), RecentObject),
  changes: z.array(CalendarChange),
  /** True if other people wrote some of the calendar's text. */
  outside: z.boolean(),
  source: CalendarSource.nullable(),
  /** Changes that the server of the source does not have yet, in order. */
  pushes: z.array(RemotePush),
});
export type CalendarHead = z.infer<typeof CalendarHead>;

type NewHead = CalendarSettings & Pick<CalendarHead, "id" | "owner" | "created_at">;

export const newHead = ({ id, name, time_zone, working_hours, owner, created_at }: NewHead): CalendarHead => ({
  id,
  name,
  time_zone,
  working_hours,
  owner,
  created_at,
  next_seq: 1,
  shards: {},
  recent: {},
  changes: [],
  outside: false,
  source: null,
  pushes: [],
});

/** All documents that the head needs: those of its events, and those that an undo would restore. */
export const documentsOf = ({ shards, changes }: CalendarHead): Set<string> =>
  new Set([shards, ...changes.map((one) => one.before_shards ?? {})].flatMap((one) => Object.values(one).flat()));

export const CalendarEntry = z.object({
  ...CalendarSettings.shape,
  id: z.string(),
  owner: z.string(),
  created_at: z.number(),
  /** The key of the request that created the calendar. */
  key: z.string().nullable(),
});
export type CalendarEntry = z.infer<typeof CalendarEntry>;

/** Entries are validated one by one, so that a damaged one does not hide the others. */
export const StoredIndex = z.object({ calendars: z.array(z.unknown()), default: z.string().nullable() });
export type CalendarIndex = { readonly calendars: readonly CalendarEntry[]; readonly default: string | null };

export const EMPTY_INDEX: CalendarIndex = { calendars: [], default: null };
