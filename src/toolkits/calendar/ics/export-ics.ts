// Writes a calendar as iCalendar text. Components that nobody changed are written exactly as they were read.
import { instantOf } from "../../../tools/ical/zone-offsets.ts";
import type { StoredObject } from "../events/stored-object.ts";
import type { KeptText } from "./import-ics.ts";
import { zoneDefinition, zoneIdOf } from "./zone-definitions.ts";

const DEFAULT_PROPERTIES = ["VERSION:2.0\r\n", "PRODID:-//Pawl//Calendar//EN\r\n"];

export function exportIcs(objects: readonly StoredObject[], kept: KeptText): string {
  const properties = kept.properties.length > 0 ? kept.properties : DEFAULT_PROPERTIES;
  const ordered = [...objects].sort((a, b) => a.seq - b.seq);
  const isZone = ({ name }: { name: string }) => name === "VTIMEZONE";
  const zones = kept.components.filter(isZone);
  const others = kept.components.filter((one) => !isZone(one));
  return [
    "BEGIN:VCALENDAR\r\n",
    ...properties,
    ...zones.map(({ text }) => text),
    ...missingDefinitions(ordered, new Set(zones.map(({ text }) => zoneIdOf(text)))),
    ...ordered.flatMap(({ raw }) => raw),
    ...others.map(({ text }) => text),
    "END:VCALENDAR\r\n",
  ].join("");
}

/** Definitions of the zones that new events use and the file did not have. */
function missingDefinitions(objects: readonly StoredObject[], defined: ReadonlySet<string | null>): string[] {
  const earliest = new Map<string, number>();
  for (const object of objects) {
    for (const zone of object.raw.flatMap(zoneIdsIn)) {
      if (defined.has(zone) || zone !== object.zone) continue;
      const start = instantOf(zone, object.start);
      earliest.set(zone, Math.min(start, earliest.get(zone) ?? start));
    }
  }
  return [...earliest].map(([zone, instant]) => zoneDefinition(zone, instant));
}

const zoneIdsIn = (text: string): string[] =>
  [...text.matchAll(/^DTSTART;[^:\r\n]*TZID="?([^":;\r\n]+)"?/gm)].map(([, zone]) => zone ?? "");
