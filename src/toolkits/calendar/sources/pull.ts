// Updates a connected or subscribed calendar from its source. Changes that are waiting to be sent are not touched.
import type { DavAccounts, DavObject } from "../../../ports/dav/dav-accounts.ts";
import type { Fetcher } from "../../../ports/fetcher.ts";
import { retryConflict } from "../../../ports/retry.ts";
import { fail, ok, type Result } from "../../../schema/problem.ts";
import type { StoredObject } from "../events/stored-object.ts";
import { decodeIcs } from "../ics/decode-file.ts";
import { importIcs } from "../ics/import-ics.ts";
import type { CalendarStore } from "../store/calendar-store.ts";
import type { CalendarRef } from "../store/head.ts";
import type { ObjectChange, OpenCalendar } from "../store/open-calendar.ts";
import { readResource } from "./push.ts";
import type { CaldavSource } from "./pushes-for.ts";

export type Sources = {
  readonly store: CalendarStore;
  readonly dav?: DavAccounts | undefined;
  readonly fetch?: Fetcher | undefined;
};
export type PullResult = { readonly changed: number };

/** The whole calendar is written if there are more changes than this. */
const CHANGES_AT_ONCE = 40;
const FILE_BYTES_MAX = 8_388_608;
const UNCHANGED: PullResult = { changed: 0 };

export function pullCalendar(sources: Sources, at: CalendarRef): Promise<Result<PullResult>> {
  return retryConflict<PullResult>("calendar_moved", async () => {
    const calendar = await sources.store.open(at);
    if (!calendar.ok) return calendar;
    const { source } = calendar.value.head;
    if (source?.kind === "caldav") {
      if (!sources.dav) return fail("not_supported_here", "This host has no accounts on calendar servers.");
      return pullCaldav(calendar.value, source, sources.dav);
    }
    if (source?.kind !== "subscription") return ok(UNCHANGED);
    if (!sources.fetch) return fail("not_supported_here", "This host cannot fetch calendars.");
    return pullSubscription(calendar.value, source, sources.fetch);
  });
}

async function pullCaldav(calendar: OpenCalendar, source: CaldavSource, dav: DavAccounts): Promise<Result<PullResult>> {
  const listed = await dav.objects(source.account, source.url, source.sync_token);
  if (!listed.ok) return listed;
  if (listed.value === null) return ok(UNCHANGED);
  const local = await calendar.all();
  if (!local.ok) return local;
  const changes = differences(calendar, local.value, listed.value.objects);
  // If a server sends no sync tag, its events are listed on every sync, even when nothing has changed.
  if (changes.length === 0 && listed.value.tag === source.sync_token) return ok(UNCHANGED);
  const fields = { source: { ...source, sync_token: listed.value.tag }, outside: true };
  const saved =
    changes.length <= CHANGES_AT_ONCE
      ? await calendar.save(changes, null, fields)
      : await replaceAll(calendar, local.value, changes, fields);
  return saved.ok ? ok({ changed: changes.length }) : saved;
}

function differences(
  calendar: OpenCalendar,
  local: readonly StoredObject[],
  remote: readonly DavObject[],
): ObjectChange[] {
  const waiting = new Set(calendar.head.pushes.map(({ href }) => href));
  const byHref = Map.groupBy(local, (object) => object.remote?.href);
  const byKey = new Map(local.map((object) => [object.key, object]));
  const known = new Map(local.map(({ key, seq }) => [key, seq]));
  let nextSeq = calendar.head.next_seq;
  const changed = remote.flatMap((serverObject): ObjectChange[] => {
    const localObjects = byHref.get(serverObject.href) ?? [];
    const isKnown =
      serverObject.etag !== null &&
      localObjects.length > 0 &&
      localObjects.every((one) => one.remote?.etag === serverObject.etag);
    if (waiting.has(serverObject.href) || isKnown) return [];
    const read = readResource(calendar, serverObject, { known, nextSeq });
    if (read.length === 0) return [];
    nextSeq = Math.max(nextSeq, ...read.map(({ seq }) => seq + 1));
    const gone = localObjects.filter(({ key }) => !read.some((one) => one.key === key));
    const [renamed] = localObjects.length === 1 && read.length === 1 ? gone : [];
    return [
      ...gone.map((before) => ({ before, after: null })),
      ...read.map((after) => ({
        before: byKey.get(after.key) ?? null,
        after: renamed ? { ...after, seq: renamed.seq } : after,
      })),
    ];
  });
  const present = new Set(remote.map(({ href }) => href));
  const removed = local.filter(({ remote: at }) => at && !present.has(at.href) && !waiting.has(at.href));
  return [...changed, ...removed.map((before) => ({ before, after: null }))];
}

async function replaceAll(
  calendar: OpenCalendar,
  local: readonly StoredObject[],
  changes: readonly ObjectChange[],
  fields: Parameters<OpenCalendar["replace"]>[2],
): Promise<Result<number>> {
  const objects = new Map(local.map((object) => [object.key, object]));
  for (const { before, after } of changes) {
    if (before) objects.delete(before.key);
    if (after) objects.set(after.key, after);
  }
  const kept = await calendar.kept();
  if (!kept.ok) return kept;
  return calendar.replace({ objects: [...objects.values()], kept: kept.value }, null, fields);
}

type Subscription = NonNullable<OpenCalendar["head"]["source"]> & { kind: "subscription" };

async function pullSubscription(
  calendar: OpenCalendar,
  source: Subscription,
  fetcher: Fetcher,
): Promise<Result<PullResult>> {
  const headers: Record<string, string> = {
    accept: "text/calendar",
    ...(source.etag === null ? {} : { "if-none-match": source.etag }),
  };
  const page = await fetcher.fetch({ url: source.url, headers }, { max_bytes: FILE_BYTES_MAX });
  if (!page.ok) return page;
  if (page.value.status === 304) return ok(UNCHANGED);
  if (page.value.status !== 200)
    return fail("fetch_failed", `The calendar answered ${page.value.status}.`, { reason: "status" });
  if (page.value.truncated) return fail("calendar_invalid", "The calendar is larger than 8 MB.");
  const local = await calendar.all();
  if (!local.ok) return local;
  const known = new Map(local.value.map(({ key, seq }) => [key, seq]));
  const text = decodeIcs(page.value.body);
  if (text === null) return fail("calendar_invalid", "The calendar is not UTF-8.");
  const read = importIcs(text, { zone: calendar.head.time_zone, known, nextSeq: calendar.head.next_seq });
  if (!read.ok) return read;
  const { report: _report, ...content } = read.value;
  const saved = await calendar.replace(content, null, {
    outside: true,
    source: { ...source, etag: page.value.headers.etag ?? null },
  });
  return saved.ok ? ok({ changed: content.objects.length }) : saved;
}
