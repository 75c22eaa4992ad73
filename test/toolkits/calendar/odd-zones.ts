// Lists zones under the names that calendar programs give them.

/**
 * A name for a zone as written in a file, and the zone that it means. If `own_name` is true, only the definition
 * identifies the zone.
 */
type ZoneName = {
  readonly tzid: string;
  readonly zone: string;
  readonly definition?: readonly string[];
  readonly own_name?: boolean;
};

const observance = (kind: string, from: string, to: string, start: string, rule: string): string[] => [
  ...[`BEGIN:${kind}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `DTSTART:${start}`],
  ...[`RRULE:FREQ=YEARLY;${rule}`, `END:${kind}`],
];
const definition = (tzid: string, ...observances: string[][]): string[] => [
  ...["BEGIN:VTIMEZONE", `TZID:${tzid}`, ...observances.flat(), "END:VTIMEZONE"],
];
const EUROPE = [
  observance("DAYLIGHT", "+0100", "+0200", "19810329T020000", "BYMONTH=3;BYDAY=-1SU"),
  observance("STANDARD", "+0200", "+0100", "19961027T030000", "BYMONTH=10;BYDAY=-1SU"),
];
const US_EAST = [
  observance("DAYLIGHT", "-0500", "-0400", "20070311T020000", "BYMONTH=3;BYDAY=2SU"),
  observance("STANDARD", "-0400", "-0500", "20071104T020000", "BYMONTH=11;BYDAY=1SU"),
];
export const ZONE_NAMES: readonly ZoneName[] = [
  { tzid: "Europe/Berlin", zone: "Europe/Berlin" },
  { tzid: "America/New_York", zone: "America/New_York", definition: definition("America/New_York", ...US_EAST) },
  { tzid: "Australia/Lord_Howe", zone: "Australia/Lord_Howe" },
  {
    tzid: "W. Europe Standard Time",
    zone: "Europe/Berlin",
    definition: definition("W. Europe Standard Time", ...EUROPE),
  },
  { tzid: "Eastern Standard Time", zone: "America/New_York" },
  {
    tzid: "Customized Time Zone 1",
    zone: "America/New_York",
    definition: definition("Customized Time Zone 1", ...US_EAST),
    own_name: true,
  },
  {
    tzid: "(UTC+01:00) Amsterdam, Bern",
    zone: "Europe/Berlin",
    definition: definition("(UTC+01:00) Amsterdam, Bern", ...EUROPE),
    own_name: true,
  },
];
