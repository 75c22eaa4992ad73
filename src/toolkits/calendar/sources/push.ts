// Writes the changes of a connected calendar to its server. A change is first saved here, together with the requests to
// send. Each request is bound to the version that it replaces, so that a resend after a crash recognizes its own write.

import type ICAL from "ical.js";
import type { DavAccounts, DavObject } from "../../../ports/dav/dav-accounts.ts";
import { type Failed, fail, ok, type Result } from "../../../schema/problem.ts";
import { isTimeZone } from "../../../tools/time-zone.ts";
import type { StoredObject } from "../events/stored-object.ts";
import { type ImportOptions, importIcs, type KeptText, propertyOf } from "../ics/import-ics.ts";
import { parseComponent } from "../ics/read-fields.ts";
import { zoneIdOf } from "../ics/zone-definitions.ts";
import type { CalendarStore } from "../store/calendar-store.ts";
import type { CalendarRef, RemotePush } from "../store/head.ts";
import type { OpenCalendar } from "../store/open-calendar.ts";
import { type CaldavSource, EFFECT } from "./pushes-for.ts";
import { rollBack } from "./roll-back.ts";

const PUSHES_MAX = 200;
const SHOWN_CHARS = 2000;

type Sources = { readonly store: CalendarStore; readonly dav: DavAccounts };

/** Sends all waiting changes and stops at the first failure. Changes that were sent before stay sent. */
export async function sendPushes({ store, dav }: Sources, at: CalendarRef): Promise<Result<void>> {
  for (let n = 0; n < PUSHES_MAX; n += 1) {
    const calendar = await store.open(at);
    if (!calendar.ok) return calendar;
    const { pushes, source } = calendar.value.head;
    const [push] = pushes;
    if (!push || source?.kind !== "caldav") return ok(undefined);
    const sent = await sendPush(dav, source, push);
    if (!sent.ok) return sent;
    const done =
      sent.value.kind === "conflict"
        ? await acceptServerVersion(calendar.value, push, sent.value.serverObject)
        : await settle(calendar.value, push, sent.value);
    if (!done.ok && done.problem.code !== "calendar_moved") return done;
  }
  return fail("outcome_unknown", "The calendar server does not keep up with the changes.");
}

/** `serverObject` is the object on the server, if it had to be read. Others may have changed it since the write. */
type Written = { readonly kind: "written"; readonly etag: string | null; readonly serverObject?: DavObject | null };
type Sent = Written | { readonly kind: "conflict"; readonly serverObject: DavObject | null };

async function sendPush(dav: DavAccounts, { account }: CaldavSource, push: RemotePush): Promise<Result<Sent>> {
  const { href, etag, text, effect } = push;
  const written = text === null ? await dav.remove(account, href, etag) : await dav.put(account, href, text, etag);
  if (!written.ok) return written;
  if (written.value.kind === "written" && (written.value.etag !== null || text === null)) return ok(written.value);
  // The conflict may come from our own write whose response was lost. A write without an ETag must be verified.
  const serverObject = await dav.get(account, href);
  if (!serverObject.ok) return serverObject;
  const isOurs =
    text === null ? serverObject.value === null : serverObject.value !== null && isMarked(serverObject.value, effect);
  if (isOurs) return ok({ kind: "written", etag: serverObject.value?.etag ?? null, serverObject: serverObject.value });
  return ok({ kind: "conflict", serverObject: serverObject.value });
}

/** Folded lines are joined first, because servers may fold them differently. */
const isMarked = ({ text }: DavObject, effect: string): boolean =>
  text
    .replace(/\r?\n[ \t]/g, "")
    .split(/\r?\n/)
    .includes(`${EFFECT}:${effect}`);

async function settle(
  calendar: OpenCalendar,
  push: RemotePush,
  { etag, serverObject }: Written,
): Promise<Result<number>> {
  const current = await objectOf(calendar, push.key);
  if (!current.ok) return current;
  const rest = calendar.head.pushes.slice(1);
  // If another client changed the object after this write, the next write keeps its old ETag, so that the server refuses
  // it instead of losing that change.
  const isChanged = serverObject && push.text !== null && !hasSameContent(serverObject.text, push.text);
  const pushes = rest.map((one) => (one.href === push.href && !isChanged ? { ...one, etag } : one));
  const before = current.value;
  if (!before || push.text === null) return calendar.save([], null, { pushes });
  const isNewest = !rest.some(({ href }) => href === push.href);
  const read = serverObject && isNewest ? readNamed(calendar, serverObject, before) : null;
  const ours = { ...before, remote: { ...before.remote, href: push.href, etag } };
  return calendar.save([{ before, after: read ?? ours }], null, { pushes });
}

/** Replaces our version with the server's, and drops our change. */
async function acceptServerVersion(
  calendar: OpenCalendar,
  push: RemotePush,
  serverObject: DavObject | null,
): Promise<Result<number>> {
  const current = await objectOf(calendar, push.key);
  if (!current.ok) return current;
  const after =
    serverObject && readNamed(calendar, serverObject, current.value ?? { key: push.key, seq: calendar.head.next_seq });
  // Later changes of the same object are based on a version that no longer exists.
  const { pushes } = calendar.head;
  const outdated = pushes.filter(({ effect, href }) => effect !== push.effect && href === push.href);
  const saved = await rollBack(calendar, push.effect, new Map([[push.key, after]]), outdated);
  if (!saved.ok) return saved;
  return changedOnServer(push, serverObject);
}

const changedOnServer = ({ text }: RemotePush, serverObject: DavObject | null): Failed =>
  fail(
    "calendar_changed",
    "The event was changed on the calendar server meanwhile. Nothing was overwritten; look at it again.",
    { ours: text?.slice(0, SHOWN_CHARS) ?? null, theirs: serverObject?.text.slice(0, SHOWN_CHARS) ?? null },
  );

async function objectOf(calendar: OpenCalendar, key: string): Promise<Result<StoredObject | null>> {
  const recent = calendar.head.recent[key];
  if (recent) return ok(recent.object);
  const all = await calendar.all();
  return all.ok ? ok(all.value.find((one) => one.key === key) ?? null) : all;
}

/** The definitions of zones with custom names. Those of known zones can be generated. */
const ownZones = ({ components }: KeptText): string[] =>
  components
    .filter(({ name, text }) => name === "VTIMEZONE" && !isTimeZone(zoneIdOf(text) ?? ""))
    .map(({ text }) => text);

/** A resource has one object, or several changed occurrences of a series that belongs to another organizer. */
export function readResource(
  { head }: OpenCalendar,
  { href, etag, text }: DavObject,
  numbers: Pick<ImportOptions, "known" | "nextSeq">,
): StoredObject[] {
  const read = importIcs(text, { zone: head.time_zone });
  if (!read.ok) return [];
  const { objects, kept } = read.value;
  const zones = ownZones(kept);
  const others = kept.components.filter(({ name }) => name !== "VTIMEZONE").map((one) => one.text);
  const more = { ...(zones.length > 0 ? { zones } : {}), ...(others.length > 0 ? { others } : {}) };
  const keys = keysOf(objects);
  let next = numbers.nextSeq ?? 1;
  return objects.map((object, index) => {
    const key = keys[index] ?? object.key;
    return { ...object, key, seq: numbers.known?.get(key) ?? next++, remote: { href, etag, ...more } };
  });
}

/** The key of an occurrence without its series has its original start, so that it does not depend on the server's order. */
function keysOf(objects: readonly StoredObject[]): string[] {
  const names = objects.map(({ key, raw }) => {
    const at = propertyOf(raw[0] ?? "", "RECURRENCE-ID");
    return at === null ? key : `${propertyOf(raw[0] ?? "", "UID")}~${at}`;
  });
  return new Set(names).size === names.length ? names : objects.map(({ key }) => key);
}

type Named = Pick<StoredObject, "key" | "seq">;
const readNamed = (calendar: OpenCalendar, serverObject: DavObject, { key, seq }: Named): StoredObject | null =>
  readResource(calendar, serverObject, { known: new Map([[key, seq]]) }).find((one) => one.key === key) ?? null;

/** Properties that programs update with every write, even if the event did not change. */
const STAMPS = ["dtstamp", "last-modified", "created", "sequence"];

/** Returns false if either string cannot be read. */
export function hasSameContent(one: string, other: string): boolean {
  try {
    return contentOf(one) === contentOf(other);
  } catch {
    return false;
  }
}

function contentOf(text: string): string {
  const entries = parseComponent(text)
    .getAllSubcomponents()
    .filter(({ name }) => name !== "vtimezone");
  return JSON.stringify(entries.map(componentContent).sort());
}

function componentContent(component: ICAL.Component): string {
  const properties = component.getAllProperties().filter(({ name }) => !STAMPS.includes(name));
  const lines = properties.map((property) => {
    const [name, parameters, ...value] = property.toJSON();
    return JSON.stringify([name, Object.entries(parameters).sort(), value]);
  });
  return JSON.stringify([component.name, lines.sort(), component.getAllSubcomponents().map(componentContent).sort()]);
}
