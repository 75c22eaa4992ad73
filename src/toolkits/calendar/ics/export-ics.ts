// Writes a calendar as iCalendar text. Components that nobody changed are written exactly as they were read.
import { toIanaZone } from "../../../tools/ical/zone-names.ts";
import { instantOf } from "../../../tools/ical/zone-offsets.ts";
import type { StoredObject } from "../events/stored-object.ts";
import type { KeptText } from "./import-ics.ts";
import { unfold } from "./split-text.ts";
import { zoneDefinition, zoneIdOf } from "./zone-definitions.ts";

const DEFAULT_PROPERTIES = ["VERSION:2.0\r\n", "PRODID:-//Pawl//Calendar//EN\r\n"];

export function exportIcs(objects: readonly StoredObject[], kept: KeptText): string {
  const properties = kept.properties.length > 0 ? kept.properties : DEFAULT_PROPERTIES;
  const ordered = [...objects].sort((a, b) => a.seq - b.seq);
  const isZone = ({ name }: { name: string }) => name === "VTIMEZONE";
  const zones = [...kept.components.filter(isZone).map(({ text }) => text), ...zonesOfServers(ordered)];
  const others = kept.components.filter((one) => !isZone(one));
  return [
    "BEGIN:VCALENDAR\r\n",
    ...properties,
    ...zones,
    ...missingDefinitions(ordered.filter(needsDefinitions), new Set(zones.map(zoneIdOf))),
    ...ordered.flatMap(({ raw }) => raw),
    ...others.map(({ text }) => text),
    "END:VCALENDAR\r\n",
  ].join("");
}

/** An imported file contains the definitions of its zones. Events created here or read from a server need them. */
const needsDefinitions = ({ key, remote }: StoredObject): boolean => key.endsWith("@pawl") || remote !== null;

/** The zone definitions that came from servers, one per name. */
const zonesOfServers = (objects: readonly StoredObject[]): string[] => [
  ...new Map(objects.flatMap(({ remote }) => remote?.zones ?? []).map((text) => [zoneIdOf(text), text])).values(),
];

function missingDefinitions(objects: readonly StoredObject[], defined: ReadonlySet<string | null>): string[] {
  const used = new Map<string, { zone: string; instant: number }>();
  for (const { raw, zone, start } of objects) {
    const [own] = zoneIdsIn(raw[0] ?? "", "DTSTART");
    const names = raw
      .flatMap((text) => zoneIdsIn(text, "[A-Z-]+"))
      .map((name) => ({ name, zone: name === own ? zone : toIanaZone(name) }));
    for (const { name, zone } of names) {
      if (defined.has(name) || zone === null) continue;
      const instant = Math.min(instantOf(zone, start), used.get(name)?.instant ?? Number.POSITIVE_INFINITY);
      used.set(name, { zone, instant });
    }
  }
  return [...used].map(([name, { zone, instant }]) => zoneDefinition(zone, instant, name));
}

function zoneIdsIn(text: string, property: string): string[] {
  const named = `^${property};(?:[^:"\\r\\n]|"[^"\\r\\n]*")*?\\bTZID=(?:"([^"\\r\\n]+)"|([^":;\\r\\n]+))`;
  return [...unfold(text).matchAll(new RegExp(named, "gim"))].map(([, quoted, plain]) => quoted ?? plain ?? "");
}
