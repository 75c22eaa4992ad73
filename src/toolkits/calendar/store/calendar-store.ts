// Creates, lists, opens and removes the calendars of a tenant in the document store of the host.
import type { DocumentRef, DocumentSave, DocumentStore } from "../../../ports/documents.ts";
import { retryConflict } from "../../../ports/retry.ts";
import type { TenantId } from "../../../schema/ids.ts";
import { fail, ok, type Result } from "../../../schema/problem.ts";
import { readableItems } from "../../change-document.ts";
import {
  CalendarEntry,
  CalendarHead,
  type CalendarIndex,
  type CalendarRef,
  CalendarSettings,
  documentsOf,
  EMPTY_INDEX,
  headAt,
  newHead,
  OFFICE_HOURS,
  StoredIndex,
} from "./head.ts";
import { type OpenCalendar, openCalendar, type SaveLater, saveList } from "./open-calendar.ts";
import { createPartStore } from "./part-store.ts";

const CALENDARS_MAX = 100;

/** A calendar to create. A request with the same key returns the same calendar. */
export type NewCalendar = Omit<CalendarEntry, "id"> & { readonly make_default: boolean };
export type CreatedCalendar = { readonly entry: CalendarEntry; readonly existed: boolean };

export interface CalendarStore {
  create(tenant: TenantId, calendar: NewCalendar): Promise<Result<CreatedCalendar>>;
  /** Lists the calendars. `version` is 0 if the tenant never had a calendar. */
  list(tenant: TenantId): Promise<Result<CalendarIndex & { readonly version: number }>>;
  open(at: CalendarRef, saveLater?: SaveLater): Promise<Result<OpenCalendar>>;
  /** For a tenant without calendars. The first save creates one, or fails with `calendar_moved` if there is one by then. */
  openFirst(
    tenant: TenantId,
    made: Pick<CalendarEntry, "time_zone" | "created_at">,
    saveLater?: SaveLater,
  ): Promise<Result<OpenCalendar>>;
  /** Removes the calendar, and succeeds even if it does not exist. */
  remove(at: CalendarRef): Promise<Result<void>>;
}

export const INDEX = { kind: "calendar_index", id: "all" };
const indexAt = (tenant: TenantId): DocumentRef => ({ tenant, ...INDEX });

/** The calendar of a tenant that has not created one itself. */
const FIRST_CALENDAR = { name: "Calendar", working_hours: OFFICE_HOURS, owner: "runtime", key: null };

/** The version of the list only grows, so an id is never reused. */
const newId = (version: number): string => `cal_${version + 1}`;

const withCalendar = (index: CalendarIndex, entry: CalendarEntry, isDefault: boolean): CalendarIndex => ({
  calendars: [...index.calendars, entry],
  default: isDefault || index.default === null ? entry.id : index.default,
});

const listSave = (tenant: TenantId, index: CalendarIndex, { version, unread }: LoadedIndex): DocumentSave => ({
  at: indexAt(tenant),
  value: { ...index, calendars: [...index.calendars, ...unread] },
  expectedVersion: version,
});

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

  const saveIndex = (tenant: TenantId, index: CalendarIndex, loaded: LoadedIndex) =>
    saveList(documents, listSave(tenant, index, loaded));

  /** Loads the head. A calendar that was never saved exists only in the list. */
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
        const entry = { ...settings, id: newId(version) };
        const saved = await saveIndex(tenant, withCalendar(index, entry, make_default), loaded.value);
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
    async openFirst(tenant, made, saveLater) {
      const loaded = await loadIndex(tenant);
      if (!loaded.ok) return loaded;
      const { version, index } = loaded.value;
      if (index.default !== null) return fail("calendar_moved", "There is a calendar now.");
      const entry = { ...FIRST_CALENDAR, ...made, id: newId(version) };
      const listing = listSave(tenant, withCalendar(index, entry, true), loaded.value);
      const at = { tenant, calendar: entry.id };
      return ok(openCalendar({ documents, parts, at, version: 0, head: newHead(entry), listing, saveLater }));
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
