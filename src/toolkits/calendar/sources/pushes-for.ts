// Creates the requests that send a change to the server of a connected calendar, marked with the effect that made the
// change.
import type { StoredObject } from "../events/stored-object.ts";
import { exportIcs } from "../ics/export-ics.ts";
import type { CalendarSource, RemotePush } from "../store/head.ts";
import type { ObjectChange } from "../store/open-calendar.ts";

export type CaldavSource = Extract<CalendarSource, { kind: "caldav" }>;

export const EFFECT = "X-PAWL-EFFECT";

/** At most one request per change. `all` are the objects before the changes. The URL of a new object contains its UID. */
export function pushesFor(
  source: CaldavSource,
  { changes, all }: { readonly changes: readonly ObjectChange[]; readonly all: readonly StoredObject[] },
  effect: string,
): RemotePush[] {
  const changed = new Set(changes.map(({ before, after }) => (after ?? before)?.key));
  const left = [...all.filter(({ key }) => !changed.has(key)), ...changes.flatMap(({ after }) => after ?? [])];
  return changes.flatMap(({ before, after }) => {
    const object = after ?? before;
    const remote = after?.remote ?? before?.remote ?? null;
    if (!object || (!after && !remote)) return [];
    const href = remote?.href ?? new URL(`${encodeURIComponent(object.key)}.ics`, source.url).href;
    const beside = remote ? left.filter((one) => one !== after && one.remote?.href === href) : [];
    const raw = [...[...(after ? [after] : []), ...beside].flatMap((one) => one.raw), ...(remote?.others ?? [])];
    const text = raw.length > 0 ? markedText({ ...object, raw }, effect) : null;
    return [{ effect, key: object.key, href, etag: remote?.etag ?? null, text }];
  });
}

/** The components as a separate file, marked with the effect that wrote them. */
function markedText(object: StoredObject, effect: string): string {
  const marked = object.raw.map((text, index) => {
    const clean = text.replace(new RegExp(`^${EFFECT}:.*\\r\\n(?:[ \\t].*\\r\\n)*`, "gm"), "");
    return index === 0 ? clean.replace(/^(BEGIN:\w+\r\n)/, `$1${EFFECT}:${effect}\r\n`) : clean;
  });
  return exportIcs([{ ...object, raw: marked }], { properties: [], components: [] });
}
