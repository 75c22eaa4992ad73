// Reads the fields of an event or a to-do other than its times.
import ICAL from "ical.js";
import { calendarLine } from "../../../tools/ical/calendar-line.ts";
import type { Flexibility } from "../events/stored-object.ts";

const TITLE_MAX = 200;

export const readNames = (entry: ICAL.Component) => ({
  title: calendarLine(textOf(entry, "summary") ?? "", TITLE_MAX) || "untitled",
  location: calendarLine(textOf(entry, "location") ?? "", TITLE_MAX) || null,
});

export function readFlexibility(entry: ICAL.Component): Flexibility {
  const given = textOf(entry, "x-pawl-movable")?.toLowerCase();
  if (given === "fixed" || given === "flexible") return given;
  // An event with attendees should not be moved freely.
  return entry.hasProperty("attendee") ? "fixed" : "flexible";
}

export const readCategories = (entry: ICAL.Component): string[] =>
  entry
    .getAllProperties("categories")
    .flatMap((property) => property.getValues())
    .flatMap((value) => (typeof value === "string" && value.trim() ? [calendarLine(value, 80)] : []));

export const parseComponent = (text: string): ICAL.Component =>
  new ICAL.Component(ICAL.parse(withDateType(text)) as ConstructorParameters<typeof ICAL.Component>[0]);

/** Dates without a time and without VALUE=DATE, on one line or folded. Quoted parameters are left alone. */
const UNTYPED_DATES =
  /^((?:DTSTART|DTEND|DUE|EXDATE|RDATE|RECURRENCE-ID)(?:;(?!VALUE=)[^:;\r\n"]*)*)(?=:\d{8}(?:(?:\r?\n[ \t])?,(?:\r?\n[ \t])?\d{8})*\r?$)/gim;

/** The parser refuses the whole event for such a date, which other programs read as a day. */
const withDateType = (text: string): string => text.replace(UNTYPED_DATES, "$1;VALUE=DATE");

export function readReminder(entry: ICAL.Component): number | null {
  for (const alarm of entry.getAllSubcomponents("valarm")) {
    const trigger = alarm.getFirstPropertyValue("trigger");
    if (trigger instanceof ICAL.Duration) return Math.round(-trigger.toSeconds() / 60);
  }
  return null;
}

export function textOf(entry: ICAL.Component, name: string): string | null {
  const value = entry.getFirstPropertyValue(name);
  return typeof value === "string" ? value : null;
}
