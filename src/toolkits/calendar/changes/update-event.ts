// Implements the tools update_event and cancel_event, which change the details of an event or cancel it.
import * as z from "zod";
import { ok, type Result } from "../../../schema/problem.ts";
import type { Occurrence } from "../events/occurrences.ts";
import { isSeries, type StoredObject } from "../events/stored-object.ts";
import {
  changeOccurrence,
  endSeriesBefore,
  followingSeries,
  removeOccurrence,
  updateObject,
} from "../ics/change-object.ts";
import { OTHER_FORMS } from "../ics/write-component.ts";
import type { ObjectChange } from "../store/open-calendar.ts";
import { CalendarId, EventId, eventFields, IfBusy, refuse, Scope, Title } from "../tools/arguments.ts";
import { findEvent } from "../tools/find-event.ts";
import type { Session } from "../tools/session.ts";
import { changeText, checkBusy, type PlannedChange, scopeText, spanView } from "./planned-change.ts";

export const updateEventInput = z.strictObject({
  id: EventId,
  title: Title.optional(),
  ...eventFields,
  busy: z.boolean().optional(),
  scope: Scope,
  if_busy: IfBusy,
  calendar: CalendarId,
});

export const cancelEventInput = z.strictObject({ id: EventId, scope: Scope, calendar: CalendarId });

export async function planUpdate(
  session: Session,
  input: z.infer<typeof updateEventInput>,
): Promise<Result<PlannedChange>> {
  const { id, scope, if_busy, calendar: _calendar, ...fields } = input;
  const names = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (names.length === 0) return refuse("update_event: name at least one field to change.");
  const found = await findEvent(session, "id", id);
  if (!found.ok) return found;
  const event = found.value;
  const used = isSeries(event.object) ? scope : "all";
  const changes = updated(session, event, fields, used);
  const overlap = await checkBusy(session, changes, if_busy);
  if (!overlap.ok) return overlap;
  const span = spanView(event, session.zone);
  const title = fields.title ?? event.title;
  const details = names.map((name) => `${name}: ${JSON.stringify(fields[name as keyof typeof fields])}`).join(", ");
  const text = `Updated ${changeText({ title: event.title, before: event, after: null }, session.zone)}${scopeText(event.object, used)}: ${details}.${removedForms(changes)}${overlap.value}`;
  return ok({ changes, shown: [{ title, before: span, after: span }], text });
}

function removedForms(changes: readonly ObjectChange[]): string {
  const has = (objects: readonly (StoredObject | null)[], name: string) =>
    objects.flatMap((object) => object?.raw ?? []).some((text) => new RegExp(`^${name}[;:]`, "im").test(text));
  const [before, after] = [changes.map((one) => one.before), changes.map((one) => one.after)];
  const removed = Object.values(OTHER_FORMS)
    .flat()
    .filter((name) => has(before, name) && !has(after, name));
  const names = removed.map((name) => name.toUpperCase()).join(", ");
  return names === "" ? "" : ` Removed, because it showed the old value: ${names}.`;
}

type Fields = Parameters<typeof updateObject>[1];
type ScopeName = z.infer<typeof Scope>;

function updated(
  { zone, now, key, calendar }: Session,
  { object, original }: Occurrence,
  fields: Fields,
  scope: ScopeName,
): ObjectChange[] {
  const context = { zone, now };
  // An occurrence with a value of its own keeps it when the series changes, but not if it is the one that was named.
  const updatedSeries = (series: StoredObject): StoredObject => {
    const next = updateObject(series, fields, context);
    const isChanged = next.overrides.some(({ at }) => at === original);
    return original !== null && isChanged ? changeOccurrence(next, original, { fields }, context) : next;
  };
  if (original === null || scope === "all" || (scope === "following" && original <= object.start))
    return [{ before: object, after: updatedSeries(object) }];
  if (scope === "this") return [{ before: object, after: changeOccurrence(object, original, { fields }, context) }];
  const rest = followingSeries(object, original, { uid: `${key}@pawl`, seq: calendar.head.next_seq }, context);
  return [
    { before: object, after: endSeriesBefore(object, original, context) },
    { before: null, after: updatedSeries(rest) },
  ];
}

export async function planCancel(
  session: Session,
  input: z.infer<typeof cancelEventInput>,
): Promise<Result<PlannedChange>> {
  const { zone, now } = session;
  const found = await findEvent(session, "id", input.id);
  if (!found.ok) return found;
  const event = found.value;
  const { object, original } = event;
  const scope = isSeries(object) && original !== null ? input.scope : "all";
  const context = { zone, now };
  const first = original === null || original <= object.start;
  const after =
    scope === "all" || (scope === "following" && first)
      ? null
      : scope === "this"
        ? removeOccurrence(object, original ?? object.start, context)
        : endSeriesBefore(object, original ?? object.start, context);
  const text = `Cancelled ${changeText({ title: event.title, before: event, after: null }, zone)}${scopeText(object, scope)}.`;
  return ok({
    changes: [{ before: object, after }],
    shown: [{ title: event.title, before: spanView(event, zone), after: null }],
    text,
  });
}
