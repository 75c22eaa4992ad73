// Changes all of a stored object, one occurrence, or one and all later ones. Each function returns new objects.
import ICAL from "ical.js";
import { toIanaZone } from "../../../tools/ical/zone-names.ts";
import { localOf } from "../../../tools/ical/zone-offsets.ts";
import { MS_PER_DAY } from "../events/local-days.ts";
import { zoneOf } from "../events/occurrences.ts";
import { localMs, ruleDates } from "../events/rule-dates.ts";
import type { Override, StoredObject } from "../events/stored-object.ts";
import { parseComponents, readObject } from "./read-object.ts";
import { ruleUntil, shiftRule } from "./shift-rule.ts";
import {
  componentText,
  type EventFields,
  type EventTimes,
  type NewEvent,
  newComponent,
  type Shift,
  sameFields,
  setFields,
  setTimes,
  setValues,
  shiftTimes,
  stamp,
  timeProperty,
} from "./write-component.ts";

/** The zone of the calendar, and the timestamp of the change. */
export type ChangeContext = { readonly zone: string; readonly now: number };

const REPETITION = ["rrule", "exrule", "exdate", "rdate"];

export function createObject(event: NewEvent, seq: number, context: ChangeContext): StoredObject {
  const raw = [componentText(newComponent(event, context.now))];
  return reread(raw, { key: event.uid, seq, remote: null, zone: event.zone }, context);
}

type Identity = Pick<StoredObject, "key" | "seq" | "remote" | "zone">;

function reread(raw: string[], { key, seq, remote, zone }: Identity, context: ChangeContext): StoredObject {
  // A custom zone name, which only the file defines, is the zone of the object.
  const zoneNamed = (tzid: string) => toIanaZone(tzid) ?? zone;
  const { facts, notes } = readObject(raw, { zone: context.zone, zoneNamed });
  if (!facts) throw new Error(`a changed event cannot be read: ${notes.join("; ")}`);
  return { ...facts, key, seq, remote, raw };
}

const withoutOverrides = (object: StoredObject, drop: (one: Override) => boolean): string[] => {
  const dropped = new Set(object.overrides.filter(drop).map(({ part }) => part));
  return object.raw.filter((_, part) => !dropped.has(part));
};

/** Passes each component to `change`, and rewrites those for which it returns true. */
function withComponents(
  object: StoredObject,
  context: ChangeContext,
  change: (component: ICAL.Component, isMain: boolean) => boolean,
): StoredObject {
  const raw = parseComponents(object.raw).map((component, index) => {
    if (!change(component, index === 0)) return object.raw[index] ?? "";
    stamp(component, context.now);
    return componentText(component, object.raw[index]);
  });
  return reread(raw, object, context);
}

/** Moves the event, or the whole series with its exceptions. Returns null if the rule names dates that cannot be moved. */
export function moveObject(object: StoredObject, times: EventTimes, context: ChangeContext): StoredObject | null {
  const delta = times.start - object.start;
  const days = Math.floor(times.start / MS_PER_DAY) - Math.floor(object.start / MS_PER_DAY);
  const rule = object.rule === null ? null : shiftRule(object.rule, days);
  if (object.rule !== null && rule === null) return null;
  const moved = rule === null ? null : shiftedUntil(rule, delta, object, context);
  const sameLength = times.end - times.start === object.end - object.start;
  const sameForm = times.all_day === object.all_day && times.zone === object.zone;
  const shift = shiftOf(object, delta, context);
  return withComponents(object, context, (component, isMain) => {
    if (isMain && !(sameLength && sameForm)) setTimes(component, withZoneName(times, object, component));
    else if (isMain) shiftTimes(component, ["dtstart", "dtend"], shift);
    else shiftTimes(component, ["recurrence-id", "dtstart", "dtend"], shift);
    if (isMain) shiftTimes(component, ["exdate", "rdate"], shift);
    if (isMain && moved !== null && moved !== object.rule)
      component.updatePropertyWithValue("rrule", ICAL.Recur.fromString(moved));
    return true;
  });
}

/** In an all-day event, the day of a value that is written as a UTC time is its day in UTC. */
const shiftOf = (object: StoredObject, delta: number, { zone }: ChangeContext): Shift => ({
  delta,
  zone: object.all_day ? "UTC" : zoneOf(object, zone),
});

/** Moves UNTIL by `delta`, so that the same occurrence stays the last one. */
function shiftedUntil(rule: string, delta: number, object: StoredObject, context: ChangeContext): string {
  return delta === 0
    ? rule
    : rule.replace(/UNTIL=([^;]+)/, (_, until) => `UNTIL=${ruleUntil.shift(until, delta, object, context.zone)}`);
}

export function changeOccurrence(
  object: StoredObject,
  at: number,
  change: { readonly times?: EventTimes; readonly fields?: EventFields },
  context: ChangeContext,
): StoredObject {
  const components = parseComponents(object.raw);
  const [main] = components;
  const part = object.overrides.find((one) => one.at === at)?.part ?? components.length;
  const component = components[part] ?? (main && exceptionOf(main, object, at, context));
  if (!component) throw new Error("an event without a component");
  if (change.times) setTimes(component, withZoneName(change.times, object, main));
  if (change.fields) setFields(component, change.fields);
  stamp(component, context.now);
  const raw = [...object.raw];
  raw[part] = componentText(component, object.raw[part] ?? object.raw[0]);
  return reread(raw, object, context);
}

/** Adds the name under which the file of the series knows the zone, unless the zone changes. */
const withZoneName = <T extends Omit<EventTimes, "tzid">>(times: T, object: StoredObject, main?: ICAL.Component) => ({
  ...times,
  tzid: times.zone === object.zone ? main?.getFirstProperty("dtstart")?.getFirstParameter("tzid") : undefined,
});

/** A copy of the event for one occurrence, without its recurrence properties. */
function exceptionOf(main: ICAL.Component, object: StoredObject, at: number, context: ChangeContext): ICAL.Component {
  const copy = new ICAL.Component(JSON.parse(JSON.stringify(main.toJSON())));
  for (const name of REPETITION) copy.removeAllProperties(name);
  copy.addProperty(timeProperty("recurrence-id", at, withZoneName(object, object, main)));
  shiftTimes(copy, ["dtstart", "dtend"], shiftOf(object, at - object.start, context));
  return copy;
}

/** Changes the event, or the whole series. A changed occurrence gets the new value if it had the same value as the series. */
export function updateObject(object: StoredObject, fields: EventFields, context: ChangeContext): StoredObject {
  const [before] = parseComponents(object.raw);
  return withComponents(object, context, (component, isMain) => {
    const wanted = isMain || !before ? fields : sameFields(fields, component, before);
    setFields(component, wanted);
    return isMain || Object.keys(wanted).length > 0;
  });
}

export function removeOccurrence(object: StoredObject, at: number, context: ChangeContext): StoredObject {
  const raw = withoutOverrides(object, (one) => one.at === at);
  return withComponents({ ...object, raw }, context, (component, isMain) => {
    if (!isMain) return false;
    component.addProperty(timeProperty("exdate", at, withZoneName(object, object, component)));
    return true;
  });
}

export function endSeriesBefore(object: StoredObject, at: number, context: ChangeContext): StoredObject {
  const raw = withoutOverrides(object, (one) => one.at >= at);
  return withComponents({ ...object, raw }, context, (component, isMain) => {
    if (!isMain) return false;
    if (object.rule !== null) {
      const until = ruleUntil.before(at, object, context.zone);
      const rule = `${object.rule.replace(/;?(?:UNTIL|COUNT)=[^;]*/g, "")};UNTIL=${until}`;
      component.updatePropertyWithValue("rrule", ICAL.Recur.fromString(rule));
    }
    dropDates(component, object, (local) => local < at, context);
    return true;
  });
}

/** The occurrence and all later ones as a separate series with the same times. */
export function followingSeries(
  object: StoredObject,
  at: number,
  identity: { uid: string; seq: number },
  context: ChangeContext,
): StoredObject {
  const raw = withoutOverrides(object, (one) => one.at < at);
  const shift = shiftOf(object, at - object.start, context);
  const texts = parseComponents(raw).map((component, index) => {
    component.updatePropertyWithValue("uid", identity.uid);
    if (index === 0) {
      shiftTimes(component, ["dtstart", "dtend"], shift);
      if (object.rule !== null)
        component.updatePropertyWithValue("rrule", ICAL.Recur.fromString(remainingRule(object, at, context)));
      dropDates(component, object, (local) => local >= at, context);
    }
    stamp(component, context.now);
    return componentText(component, raw[index]);
  });
  return reread(texts, { key: identity.uid, seq: identity.seq, remote: null, zone: object.zone }, context);
}

function remainingRule(object: StoredObject, at: number, context: ChangeContext): string {
  const { rule, start } = object;
  if (rule === null) return "";
  const zone = zoneOf(object, context.zone);
  const toLocal = (instant: number) => localOf(zone, instant);
  const before = ruleDates({ rule, start, toLocal, from: start, to: at }).length;
  return rule.replace(/COUNT=(\d+)/, (_, count) => `COUNT=${Math.max(1, Number(count) - before)}`);
}

/** Removes the dates of EXDATE and RDATE for which `passes` returns false. */
function dropDates(
  component: ICAL.Component,
  object: StoredObject,
  passes: (local: number) => boolean,
  context: ChangeContext,
): void {
  const zone = zoneOf(object, context.zone);
  for (const property of [...component.getAllProperties("exdate"), ...component.getAllProperties("rdate")]) {
    const values = property.getValues().filter((value) => {
      const time = value instanceof ICAL.Period ? value.start : value;
      if (!(time instanceof ICAL.Time)) return true;
      const local = localMs(time);
      const isUtc = time.zone === ICAL.Timezone.utcTimezone;
      return passes(isUtc && !object.all_day ? localOf(zone, local) : local);
    });
    if (values.length === 0) component.removeProperty(property);
    else setValues(property, values);
  }
}
