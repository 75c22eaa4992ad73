// Calendars of a tenant in whatever store of documents the host has: create, list, open, remove.
import type { DocumentRef, DocumentStore } from "../../../ports/documents.ts";
import { retryConflict } from "../../../ports/retry.ts";
import type { TenantId } from "../../../schema/ids.ts";
import { fail, ok, type Result } from "../../../schema/problem.ts";
import { readableItems } from "../../change-document.ts";
import { CalendarHead, type CalendarRef, CalendarSettings, documentsOf, headAt, newHead } from "./head.ts";
import { CalendarEntry, type CalendarIndex, EMPTY_INDEX, StoredIndex } from "./index-document.ts";
import { type OpenCalendar, openCalendar, type SaveLater } from "./open-calendar.ts";
import { createPartStore } from "./part-store.ts";

const CALENDARS_MAX = 100;

/** A request with the same key returns the same calendar. */
export type NewCalendar = Omit<CalendarEntry, "id"> & { readonly make_default: boolean };
export type CreatedCalendar = { readonly entry: CalendarEntry; readonly existed: boolean };

export interface CalendarStore {
  create(tenant: TenantId, calendar: NewCalendar): Promise<Result<CreatedCalendar>>;
  /** `version` 0: the tenant never had a calendar. */
  list(tenant: TenantId): Promise<Result<CalendarIndex & { readonly version: number }>>;
  open(at: CalendarRef, saveLater?: SaveLater): Promise<Result<OpenCalendar>>;
  /** Removing a calendar that does not exist succeeds. */
  remove(at: CalendarRef): Promise<Result<void>>;
}

const indexAt = (tenant: TenantId): DocumentRef => ({ tenant, kind: "calendar_index", id: "all" });

type LoadedIndex = { readonly version: number; readonly index: CalendarIndex; readonly unread: readonly unknown[] };

export function createCalendarStore(documents: DocumentStore): CalendarStore {
  const parts = createPartStore(documents);

  const loadIndex = async (tenant: TenantId): Promise<Result<LoadedIndex>> => {
    const loaded = await documents.load(indexAt(tenant));
    if (!loaded.ok) return loaded;
    const { version, value } = loaded.value ?? { version: 0, value: EMPTY_INDEX };
    const list = StoredIndex.safeParse(value);
    if (!list.success) return corrupt(list.error.issues[0]?.message);
    const { items: calendars, unread } = readableItems(CalendarEntry, list.data.calendars);
    return ok({ version, index: { ...list.data, calendars }, unread });
  };

  const saveIndex = async (tenant: TenantId, index: CalendarIndex, { version, unread }: LoadedIndex) => {
    const calendars = [...index.calendars, ...unread];
    const saved = await documents.save(indexAt(tenant), { ...index, calendars }, version);
    if (!saved.ok) return saved;
    return saved.value.saved ? ok(undefined) : fail("calendar_moved", "The list of calendars changed.");
  };

  /** A calendar in which nothing was saved yet exists only in the list. */
  const loadHead = async (at: CalendarRef): Promise<Result<{ version: number; head: CalendarHead }>> => {
    const loaded = await documents.load(headAt(at));
    if (!loaded.ok) return loaded;
    if (loaded.value) {
      const head = CalendarHead.safeParse(loaded.value.value);
      if (!head.success) return corrupt(head.error.issues[0]?.message);
      return ok({ version: loaded.value.version, head: head.data });
    }
    const listed = await loadIndex(at.tenant);
    if (!listed.ok) return listed;
    const entry = listed.value.index.calendars.find(({ id }) => id === at.calendar);
    return entry ? ok({ version: 0, head: newHead(entry) }) : notFound(at);
  };

  return {
    create: (tenant, { make_default, ...settings }) =>
      retryConflict<CreatedCalendar>("calendar_moved", async () => {
        const loaded = await loadIndex(tenant);
        if (!loaded.ok) return loaded;
        const { version, index } = loaded.value;
        const existing = index.calendars.find(({ key }) => key !== null && key === settings.key);
        if (existing && !isSameRequest(existing, settings))
          return fail("idempotency_mismatch", "This Idempotency-Key was used before with a different request.");
        if (existing) return ok({ entry: existing, existed: true });
        if (index.calendars.length >= CALENDARS_MAX)
          return fail("request_invalid", `A tenant has at most ${CALENDARS_MAX} calendars; delete one first.`);
        // The version of the list only grows, so an id is never used twice.
        const entry = { ...settings, id: `cal_${version + 1}` };
        const isDefault = make_default || index.default === null;
        const listed = { calendars: [...index.calendars, entry], default: isDefault ? entry.id : index.default };
        const saved = await saveIndex(tenant, listed, loaded.value);
        return saved.ok ? ok({ entry, existed: false }) : saved;
      }),
    async list(tenant) {
      const loaded = await loadIndex(tenant);
      return loaded.ok ? ok({ ...loaded.value.index, version: loaded.value.version }) : loaded;
    },
    async open(at, saveLater) {
      const loaded = await loadHead(at);
      return loaded.ok ? ok(openCalendar({ documents, parts, at, ...loaded.value, saveLater })) : loaded;
    },
    async remove(at) {
      const unlisted = await retryConflict("calendar_moved", async () => {
        const loaded = await loadIndex(at.tenant);
        if (!loaded.ok) return loaded;
        const { index } = loaded.value;
        const calendars = index.calendars.filter(({ id }) => id !== at.calendar);
        if (calendars.length === index.calendars.length) return ok(undefined);
        const next = index.default === at.calendar ? (calendars[0]?.id ?? null) : index.default;
        return saveIndex(at.tenant, { calendars, default: next }, loaded.value);
      });
      if (!unlisted.ok) return unlisted;
      const loaded = await loadHead(at);
      if (loaded.ok) await parts.remove(at.tenant, documentsOf(loaded.value.head));
      return documents.remove(headAt(at));
    },
  };
}

type Settings = Pick<CalendarEntry, "name" | "time_zone" | "working_hours">;
const isSameRequest = (one: Settings, other: Settings): boolean => textOf(one) === textOf(other);
const textOf = ({ name, time_zone, working_hours }: Settings): string =>
  JSON.stringify([name, time_zone, CalendarSettings.shape.working_hours.parse(working_hours)]);

const notFound = ({ calendar }: CalendarRef) =>
  fail("calendar_not_found", `There is no calendar ${JSON.stringify(calendar.slice(0, 80))}.`);
const corrupt = (why: string | undefined) => fail("state_corrupt", `The stored calendar cannot be read: ${why}.`);
