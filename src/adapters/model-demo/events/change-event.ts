// The change of an event that the request names: cancel, move, resize, rename, relocate, or swap with another one.
import type { ExecuteDecision } from "../../../schema/decision/decision.ts";
import { eventById, eventsNamed, type ListedEvent, shifted, withoutTitle } from "./listed-events.ts";
import { parseWhen, type When } from "./parse-when.ts";
import { giveUp, proposeCall, type Scene } from "./scene.ts";
import { newTitleIn, placeIn } from "./title-and-place.ts";

export function changeNamed(scene: Scene): ExecuteDecision {
  const { request, say, today } = scene;
  const { intent, text } = request;
  const event = namedEvent(scene);
  if (!event) return giveUp(say.no_event);
  const scope = request.scope === "this" ? {} : { scope: request.scope };
  const busy = request.allow ? { if_busy: "allow" } : {};
  const minutes = parseWhen(text, today).minutes;
  switch (intent) {
    case "cancel":
      return proposeCall(scene, "cancel_event", { id: event.id, ...scope });
    case "relocate": {
      const location = placeIn(text);
      return location ? proposeCall(scene, "update_event", { id: event.id, location, ...scope }) : giveUp(say.no_place);
    }
    case "rename": {
      const title = newTitleIn(text);
      return title ? proposeCall(scene, "update_event", { id: event.id, title, ...scope }) : giveUp(say.no_title);
    }
    case "resize": {
      const duration_min = newLength(event, text, minutes);
      const start = shifted(event, 0);
      if (duration_min === null || duration_min < 5 || start === null) return giveUp(say.no_time);
      return proposeCall(scene, "move_event", { id: event.id, start, duration_min, ...scope, ...busy });
    }
    case "shift": {
      const earlier = /\b(?:earlier|forward)\b|提前/i.test(text);
      const by = daysIn(text) === 0 ? minutes : daysIn(text) * 1440;
      const start = by === null ? null : shifted(event, earlier ? -by : by);
      return start ? proposeCall(scene, "move_event", { id: event.id, start, ...scope, ...busy }) : giveUp(say.no_time);
    }
    default: {
      const start = target(event, parseWhen(destination(text), today));
      return start ? proposeCall(scene, "move_event", { id: event.id, start, ...scope, ...busy }) : giveUp(say.no_time);
    }
  }
}

/** "One day later", "推迟1周". */
function daysIn(text: string): number {
  const [, count = 0, unit] = /\b(\d+) (days?|weeks?)\b/i.exec(text) ?? /(\d+)(天|周)/.exec(text) ?? [];
  return Number(count) * (/week|周/i.test(unit ?? "") ? 7 : 1);
}

/** "Extend by 30 minutes" changes the length, "make it 30 minutes long" replaces it. */
function newLength(event: ListedEvent, text: string, minutes: number | null): number | null {
  if (minutes === null) return null;
  const replaces = /\b(?:to|long|should|last)\b|(?:缩短|延长)到|改[成为]|变成/i.test(text);
  if (replaces || !/\b(?:longer|extend|lengthen|shorter|shorten)\b|延长|缩短/i.test(text)) return minutes;
  if (event.minutes === null) return null;
  return event.minutes + (/\b(?:shorter|shorten)\b|缩短/i.test(text) ? -minutes : minutes);
}

/** On the day that the request names, if it has one there; for "from Thursday on", the first one from that day. */
function namedEvent({ request, events, today }: Scene): ListedEvent | null {
  const { intent, text, original, scope } = request;
  const from = parseWhen(intent === "move" ? origin(text) : text, today).date;
  const later = scope === "following" && from !== null ? events.filter(({ date }) => date >= from) : events;
  // "Rename A to B" may name two events; the first one is meant.
  const named = intent === "rename" ? origin(original) : original;
  return eventById(original) ?? eventsNamed(later, named, from)[0] ?? null;
}

/** "Move tomorrow's review to Friday": the part after "to" says where it goes, the part before it where it is. */
const destination = (text: string): string =>
  /(?:\bto\b|到|改成)(?!.*(?:\bto\b|到|改成))(.*)$/i.exec(text)?.[1] || text;
const origin = (text: string): string => text.split(/\bto\b|到|改成/i)[0] ?? "";

function target(event: ListedEvent, when: When): string | null {
  if (when.date === null && when.clock === null) return null;
  const date = when.date ?? event.date;
  return when.clock === null ? date : `${date}T${when.clock}`;
}

export function swapNamed(scene: Scene): ExecuteDecision {
  const { events, request, say } = scene;
  const [first] = eventsNamed(events, request.original, null);
  const rest = first ? withoutTitle(request.original, first) : request.original;
  const others = events.filter(({ title }) => title !== first?.title);
  const [second] = eventsNamed(others, rest, null);
  return first && second
    ? proposeCall(scene, "swap_events", { first: first.id, second: second.id })
    : giveUp(say.no_event);
}
