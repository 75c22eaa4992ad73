// What has to be sent to the server of a connected calendar for a change, marked with the effect that made it.
import type { StoredObject } from "../events/stored-object.ts";
import { exportIcs } from "../ics/export-ics.ts";
import type { CalendarSource, RemotePush } from "../store/head.ts";
import type { ObjectChange } from "../store/open-calendar.ts";

export type CaldavSource = Extract<CalendarSource, { kind: "caldav" }>;

export const EFFECT = "X-PAWL-EFFECT";

/** What has to be sent for these changes. New objects are named by their UID, which comes from the effect. */
export const pushesFor = (source: CaldavSource, changes: readonly ObjectChange[], effect: string): RemotePush[] =>
  changes.flatMap(({ before, after }) => {
    const object = after ?? before;
    const remote = after?.remote ?? before?.remote ?? null;
    if (!object || (!after && !remote)) return [];
    const href = remote?.href ?? new URL(`${encodeURIComponent(object.key)}.ics`, source.url).href;
    const etag = before ? (remote?.etag ?? null) : null;
    return [{ effect, key: object.key, href, etag, text: after && markedText(after, effect) }];
  });

/** The object as a file of its own, marked with the effect that wrote it. */
function markedText(object: StoredObject, effect: string): string {
  const marked = object.raw.map((text, index) => {
    const clean = text.replace(new RegExp(`^${EFFECT}:.*\\r\\n(?:[ \\t].*\\r\\n)*`, "gm"), "");
    return index === 0 ? clean.replace(/^(BEGIN:\w+\r\n)/, `$1${EFFECT}:${effect}\r\n`) : clean;
  });
  return exportIcs([{ ...object, raw: marked }], { properties: [], components: [] });
}
