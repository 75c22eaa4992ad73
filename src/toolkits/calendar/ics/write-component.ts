// Creates and changes single components. Properties that a change does not affect keep their text and parameters.
import ICAL from "ical.js";
import { instantOf, localOf } from "../../../tools/ical/zone-offsets.ts";
import { icalTime, localMs } from "../events/rule-dates.ts";
import type { Flexibility } from "../events/stored-object.ts";
import { parseComponent } from "./read-fields.ts";

/** Values to change. Null removes a value, and undefined leaves it unchanged. */
export type EventFields = {
  readonly title?: string | undefined;
  readonly location?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly attendees?: readonly string[] | undefined;
  readonly movable?: Flexibility | undefined;
  readonly reminder_min?: number | null | undefined;
  readonly busy?: boolean | undefined;
};

/** Times that are local in `zone`. If `zone` is null, they are written without a zone. */
export type EventTimes = {
  readonly start: number;
  readonly end: number;
  readonly all_day: boolean;
  readonly zone: string | null;
  /** The name of the zone in the file, by default its IANA name. */
  readonly tzid?: string | undefined;
};

export type NewEvent = EventTimes & {
  readonly uid: string;
  readonly rule: string | null;
  readonly fields: EventFields;
};

export function newComponent({ uid, rule, fields, ...times }: NewEvent, now: number): ICAL.Component {
  const event = new ICAL.Component("vevent");
  event.updatePropertyWithValue("uid", uid);
  event.updatePropertyWithValue("dtstamp", utcTime(now));
  setTimes(event, times);
  if (rule !== null) event.updatePropertyWithValue("rrule", ICAL.Recur.fromString(rule));
  setFields(event, fields);
  return event;
}

/** Formats a component. Properties and subcomponents that did not change keep their `original` text. */
export function componentText(component: ICAL.Component, original?: string): string {
  if (original === undefined) return `${component.toString()}\r\n`;
  const unchanged = textsByContent(original);
  const text = (part: ICAL.Component | ICAL.Property, written: () => string) =>
    unchanged.get(JSON.stringify(part.toJSON()))?.shift() ?? `${written()}\r\n`;
  const name = component.name.toUpperCase();
  return [
    `BEGIN:${name}\r\n`,
    ...component
      .getAllProperties()
      .map((one) => text(one, () => ICAL.stringify.property(one.toJSON(), ICAL.design.icalendar, false))),
    ...component.getAllSubcomponents().map((one) => text(one, () => one.toString())),
    `END:${name}\r\n`,
  ].join("");
}

/** The text of each property and subcomponent by its parsed content. */
function textsByContent(original: string): Map<string, string[]> {
  const lines = original.split(/(?<=\r\n)(?![ \t])/).slice(1, -1);
  const parsed = parseComponent(original);
  const [properties, components] = [parsed.getAllProperties(), parsed.getAllSubcomponents()];
  const texts = new Map<string, string[]>();
  const add = (part: ICAL.Component | ICAL.Property | undefined, text: string) => {
    const key = JSON.stringify(part?.toJSON());
    texts.set(key, [...(texts.get(key) ?? []), text]);
  };
  let inside: string[] = [];
  let depth = 0;
  for (const line of lines) {
    if (/^BEGIN:/i.test(line)) depth += 1;
    if (depth > 0) inside.push(line);
    else add(properties.shift(), line);
    if (/^END:/i.test(line)) depth -= 1;
    if (depth > 0 || inside.length === 0) continue;
    add(components.shift(), inside.join(""));
    inside = [];
  }
  return texts;
}

/** Updates the timestamps and the sequence number of a changed component, as other programs expect. */
export function stamp(component: ICAL.Component, now: number): void {
  const sequence = Number(component.getFirstPropertyValue("sequence") ?? 0);
  component.updatePropertyWithValue("dtstamp", utcTime(now));
  component.updatePropertyWithValue("last-modified", utcTime(now));
  component.updatePropertyWithValue("sequence", Number.isInteger(sequence) ? sequence + 1 : 1);
}

export function utcTime(instant: number): ICAL.Time {
  const time = icalTime(instant);
  time.zone = ICAL.Timezone.utcTimezone;
  return time;
}

/** An end replaces the duration, because a component must not have both. */
export function setTimes(component: ICAL.Component, { start, end, ...form }: EventTimes): void {
  for (const name of ["duration", "dtstart", "dtend"]) component.removeAllProperties(name);
  component.addProperty(timeProperty("dtstart", start, form));
  component.addProperty(timeProperty("dtend", end, form));
}

export function timeProperty(
  name: string,
  local: number,
  { all_day, zone, tzid }: Omit<EventTimes, "start" | "end">,
): ICAL.Property {
  const property = new ICAL.Property(name);
  if (all_day) property.resetType("date");
  const isUtc = zone === "UTC" && tzid === undefined;
  property.setValue(!all_day && isUtc ? utcTime(local) : icalTime(local, all_day));
  const named = tzid ?? zone;
  if (!all_day && !isUtc && named !== null) property.setParameter("tzid", named);
  return property;
}

/** Sets a single value without a list, because most properties do not accept a list. */
export function setValues(property: ICAL.Property, values: ReturnType<ICAL.Property["getValues"]>): void {
  const [only, ...more] = values;
  if (more.length === 0 && only !== undefined) property.setValue(only);
  else property.setValues(values);
}

/** A shift by `delta` milliseconds on the clock of `zone`, which also applies to times that are written in UTC. */
export type Shift = { readonly delta: number; readonly zone: string };

function shiftTime(time: ICAL.Time, { delta, zone }: Shift): ICAL.Time {
  const at = localMs(time);
  if (time.zone === ICAL.Timezone.utcTimezone) return utcTime(instantOf(zone, localOf(zone, at) + delta));
  return icalTime(at + delta, time.isDate);
}

function shiftProperty(property: ICAL.Property, shift: Shift): void {
  const shifted = property.getValues().map((value) => {
    if (value instanceof ICAL.Time) return shiftTime(value, shift);
    if (!(value instanceof ICAL.Period)) return value;
    const start = shiftTime(value.start, shift);
    const end = value.end ? { end: shiftTime(value.end, shift) } : { duration: value.duration };
    return new ICAL.Period({ start, ...end });
  });
  setValues(property, shifted);
}

export function shiftTimes(component: ICAL.Component, names: readonly string[], shift: Shift): void {
  for (const name of names) for (const property of component.getAllProperties(name)) shiftProperty(property, shift);
}

const PROPERTY_OF: Readonly<Record<keyof EventFields, string>> = {
  title: "summary",
  location: "location",
  description: "description",
  categories: "categories",
  attendees: "attendee",
  movable: "x-pawl-movable",
  reminder_min: "valarm",
  busy: "transp",
};

export function sameFields(fields: EventFields, one: ICAL.Component, other: ICAL.Component): EventFields {
  const written = (component: ICAL.Component, name: string) =>
    JSON.stringify([...component.getAllProperties(name), ...component.getAllSubcomponents(name)]);
  const entries = Object.entries(fields).filter(([field, value]) => {
    const name = PROPERTY_OF[field as keyof EventFields];
    return value !== undefined && written(one, name) === written(other, name);
  });
  return Object.fromEntries(entries);
}

/** Properties that some programs show instead of the plain property. They are removed when its value changes. */
export const OTHER_FORMS: Readonly<Record<string, readonly string[]>> = {
  description: ["x-alt-desc", "styled-description"],
  location: ["x-apple-structured-location", "geo"],
};

export function setFields(component: ICAL.Component, fields: EventFields): void {
  const set = (name: string, value: string | null | undefined) => {
    if (value === undefined || (value !== null && value === component.getFirstPropertyValue(name))) return;
    if (value === null || value === "") component.removeAllProperties(name);
    else component.updatePropertyWithValue(name, value);
    component.getFirstProperty(name)?.removeParameter("altrep");
    for (const other of OTHER_FORMS[name] ?? []) component.removeAllProperties(other);
  };
  set("summary", fields.title);
  set("location", fields.location);
  set("description", fields.description);
  set("x-pawl-movable", fields.movable);
  if (fields.busy !== undefined) set("transp", fields.busy ? "OPAQUE" : "TRANSPARENT");
  if (fields.categories) setCategories(component, fields.categories);
  if (fields.attendees) setAttendees(component, fields.attendees);
  if (fields.reminder_min !== undefined) setReminder(component, fields.reminder_min);
}

function setCategories(component: ICAL.Component, categories: readonly string[]): void {
  component.removeAllProperties("categories");
  if (categories.length === 0) return;
  const property = new ICAL.Property("categories");
  property.setValues([...categories]);
  component.addProperty(property);
}

/** Existing attendees keep their parameters. New ones are stored as data only, so that a server does not invite them. */
function setAttendees(component: ICAL.Component, attendees: readonly string[]): void {
  const addresses = attendees.map((one) => (one.includes(":") ? one : `mailto:${one}`));
  const present = new Set<string>();
  for (const property of component.getAllProperties("attendee")) {
    const address = String(property.getFirstValue());
    if (addresses.some((one) => one.toLowerCase() === address.toLowerCase())) present.add(address.toLowerCase());
    else component.removeProperty(property);
  }
  for (const address of addresses) {
    if (present.has(address.toLowerCase())) continue;
    const property = new ICAL.Property("attendee");
    property.setParameter("schedule-agent", "NONE");
    property.setValue(address);
    component.addProperty(property);
  }
}

function setReminder(component: ICAL.Component, minutes: number | null): void {
  for (const alarm of component.getAllSubcomponents("valarm")) component.removeSubcomponent(alarm);
  if (minutes === null) return;
  const alarm = new ICAL.Component("valarm");
  alarm.updatePropertyWithValue("action", "DISPLAY");
  alarm.updatePropertyWithValue("description", String(component.getFirstPropertyValue("summary") ?? "Reminder"));
  alarm.updatePropertyWithValue("trigger", ICAL.Duration.fromSeconds(-minutes * 60));
  component.addSubcomponent(alarm);
}
