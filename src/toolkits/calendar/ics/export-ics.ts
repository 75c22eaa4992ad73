// Writes a calendar as iCalendar text. Components that nobody changed are written exactly as they were read.
import { toIanaZone } from "../../../tools/ical/zone-names.ts";
import { instantOf } from "../../../tools/ical/zone-offsets.ts";
import type { StoredObject } from "../events/stored-object.ts";
import type { KeptText } from "./import-ics.ts";
import { unfold } from "./split-text.ts";
import { zoneDefinition, zoneIdOf } from "./zone-definitions.ts";

const DEFAULT_PROPERTIES = ["VERSION:2.0\r\n", "PRODID:-//Pawl//Calendar//EN\r\n"];

/** `define` says whose zones get a definition if `kept` has none: those of events made here, because other events are written as they were read, or of all. */
export function exportIcs(
  objects: readonly StoredObject[],
  kept: KeptText,
  define: "created" | "all" = "created",
): string {
  const properties = kept.properties.length > 0 ? kept.properties : DEFAULT_PROPERTIES;
  const ordered = [...objects].sort((a, b) => a.seq - b.seq);
  const isZone = ({ name }: { name: string }) => name === "VTIMEZONE";
  const zones = kept.components.filter(isZone);
  const others = kept.components.filter((one) => !isZone(one));
  return [
    "BEGIN:VCALENDAR\r\n",
    ...properties,
    ...zones.map(({ text }) => text),
    ...missingDefinitions(
      define === "all" ? ordered : ordered.filter(isCreatedHere),
      new Set(zones.map(({ text }) => zoneIdOf(text))),
    ),
    ...ordered.flatMap(({ raw }) => raw),
    ...others.map(({ text }) => text),
    "END:VCALENDAR\r\n",
  ].join("");
}

const isCreatedHere = ({ key }: StoredObject): boolean => key.endsWith("@pawl");

/** Definitions of the zones that the events use and the file did not have. */
function missingDefinitions(objects: readonly StoredObject[], defined: ReadonlySet<string | null>): string[] {
  const used = new Map<string, { zone: string; instant: number }>();
  for (const { raw, zone, start } of objects) {
    // The first component has the zone of the object; a changed occurrence may name another one.
    const names = raw.flatMap((text, part) =>
      zoneIdsIn(text).map((name) => ({ name, zone: part === 0 ? zone : toIanaZone(name) })),
    );
    for (const { name, zone } of names) {
      if (defined.has(name) || zone === null) continue;
      const instant = Math.min(instantOf(zone, start), used.get(name)?.instant ?? Number.POSITIVE_INFINITY);
      used.set(name, { zone, instant });
    }
  }
  return [...used].map(([name, { zone, instant }]) => zoneDefinition(zone, instant, name));
}

const zoneIdsIn = (text: string): string[] =>
  [...unfold(text).matchAll(/^DTSTART;(?:[^:"\r\n]|"[^"\r\n]*")*?TZID=(?:"([^"\r\n]+)"|([^":;\r\n]+))/gim)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
