// Proposes the change of an event that the request names: cancel, move, resize, rename, relocate or swap.
import type { ExecuteDecision } from "../../../schema/decision/decision.ts";
import { eventById, eventsNamed, type ListedEvent, normal, shiftedStart, withoutTitle } from "./listed-events.ts";
import { addDays, countDays, weekdayFrom, weekdaysIn } from "./parse-dates.ts";
import type { EventIntent } from "./parse-event-request.ts";
import { minutesBetween, parseWhen, type When } from "./parse-when.ts";
import { giveUp, proposeCall, type Scene } from "./scene.ts";
import { newTitleIn, placeIn } from "./title-and-place.ts";
import { unexplainedIn } from "./unexplained.ts";

/** The part of a request before a new title or place, which may contain any words. */
const BEFORE_FREE_TEXT: Readonly<Partial<Record<EventIntent, RegExp>>> = {
  rename: /^.*?(?=\b(?:to|as|it)\b|改名|重命名|名称改|名字改)/i,
  relocate: /^.*?(?=\b(?:to|in|at)\b|地点|改在|换到|在)/i,
};

export function changeNamed(scene: Scene): ExecuteDecision {
  const { request, phrases, today } = scene;
  const { intent, text } = request;
  const event = namedEvent(scene);
  if (!event) return giveUp(refersToPreviousEvent(text) ? phrases.which : phrases.no_event);
  const unexplained = unexplainedIn(BEFORE_FREE_TEXT[intent]?.exec(text)?.[0] ?? text, [event]);
  if (unexplained !== null) return giveUp(phrases.not_understood(unexplained));
  if (wouldIgnoreTime(scene, event)) return giveUp(phrases.one_at_a_time);
  if (namesSeveral(scene, event)) return giveUp(phrases.which);
  const scope = request.scope === "this" ? {} : { scope: request.scope };
  const busy = request.allow ? { if_busy: "allow" } : {};
  const minutes = parseWhen(text, today).minutes;
  switch (intent) {
    case "cancel":
      return proposeCall(scene, "cancel_event", { id: event.id, ...scope });
    case "relocate": {
      const location = placeIn(text);
      return location
        ? proposeCall(scene, "update_event", { id: event.id, location, ...scope })
        : giveUp(phrases.no_place);
    }
    case "rename": {
      const title = newTitleIn(text);
      return title ? proposeCall(scene, "update_event", { id: event.id, title, ...scope }) : giveUp(phrases.no_title);
    }
    case "resize": {
      const duration_min = newLength(event, text, minutes) ?? lengthUntil(event, parseWhen(text, today).clock);
      const start = shiftedStart(event, 0);
      if (duration_min === null || duration_min < 5 || start === null) return giveUp(phrases.no_time);
      return proposeCall(scene, "move_event", { id: event.id, start, duration_min, ...scope, ...busy });
    }
    case "shift": {
      // The "up" in "stand-up" does not mean an earlier time.
      const earlier = /\b(?:earlier|forward|up)\b|提前|往前|早/i.test(withoutTitle(text, event));
      const by = daysIn(text) === 0 ? minutes : daysIn(text) * 1440;
      const start = by === null ? null : shiftedStart(event, earlier ? -by : by);
      return start
        ? proposeCall(scene, "move_event", { id: event.id, start, ...scope, ...busy })
        : giveUp(phrases.no_time);
    }
    default: {
      const start = target(event, parseWhen(destination(text), today));
      return start
        ? proposeCall(scene, "move_event", { id: event.id, start, ...scope, ...busy })
        : giveUp(phrases.no_time);
    }
  }
}

function daysIn(text: string): number {
  const [, count = 0, unit] = /\b(\d+) (days?|weeks?)\b/i.exec(text) ?? /(\d+)(天|周)/.exec(text) ?? [];
  return Number(count) * (/week|周/i.test(unit ?? "") ? 7 : 1);
}

const lengthUntil = (event: ListedEvent, clock: string | null): number | null =>
  clock === null || event.clock === null || clock <= event.clock ? null : minutesBetween(event.clock, clock);

/** "Extend by 30 minutes" changes the length; "make it 30 minutes long" replaces it. */
function newLength(event: ListedEvent, text: string, minutes: number | null): number | null {
  if (minutes === null) return null;
  const replaces = /\b(?:to|long|should|last)\b|(?:缩短|延长)到|改[成为]|变成/i.test(text);
  if (replaces || !/\b(?:longer|extend|lengthen|shorter|shorten)\b|延长|缩短/i.test(text)) return minutes;
  if (event.minutes === null) return null;
  return event.minutes + (/\b(?:shorter|shorten)\b|缩短/i.test(text) ? -minutes : minutes);
}

/**
 * Days in the request restrict the search: "from Thursday on" means the first event from that day. In "Move the
 * dentist, Friday at 10", the day is the destination, so a move is restricted only by days before the word "to".
 */
function namedEvent(scene: Scene): ListedEvent | null {
  const { request, events, today } = scene;
  const { intent, text, original, scope } = request;
  const where = intent === "move" ? origin(text) : text;
  const { date: from, until } = parseWhen(where, today);
  const isStrict = from !== null && scope === "this" && (intent !== "move" || where !== text);
  const later = scope === "following" && from !== null ? events.filter(({ date }) => date >= from) : events;
  // "Rename A to B" may name two events. The first one is renamed.
  const named = eventsNamed(later, intent === "rename" ? origin(original) : original, from);
  const there = isStrict ? named.filter(({ date }) => date >= from && date <= (until ?? from)) : named;
  if (named.length > 0) return eventById(original) ?? there[0] ?? null;
  return (
    eventById(original) ??
    (refersToPreviousEvent(text) ? (eventOfPreviousRequest(scene) ?? lastMentioned(scene)) : null)
  );
}

/** In "move the review to Room 9 and remind me an hour before", the reminder is for the event of the first request. */
export const eventOfPreviousRequest = ({ request, events }: Scene): ListedEvent | null =>
  request.before === null ? null : (eventsNamed(events, request.before, null)[0] ?? null);

/** True if the request means several, but not all occurrences of a series, as in "the gym sessions next week". */
function namesSeveral({ request: { intent, text, scope }, events, today }: Scene, event: ListedEvent): boolean {
  if (!event.repeats || scope === "following") return false;
  const { date, until } = parseWhen(intent === "move" ? origin(text) : text, today);
  if (date === null || until === null) return false;
  const there = events.filter((one) => one.title === event.title && one.date >= date && one.date <= until);
  return scope === "all" || there.length > 1;
}

/** The request has a time or a second day that its change would ignore. */
function wouldIgnoreTime({ request, today }: Scene, event: ListedEvent): boolean {
  const { intent, text } = request;
  if (intent === "move") return weekdaysIn(origin(text)).length > 1 || weekdaysIn(destination(text)).length > 1;
  const { clock, end, minutes } = parseWhen(text, today);
  const days =
    intent === "rename" || intent === "relocate" ? 0 : Math.max(weekdaysIn(text).length, countDays(text, today));
  const isFree =
    intent === "rename" ||
    intent === "relocate" ||
    (intent === "resize" && end === null && minutes === null && /\b(?:until|till|to)\b|到/.test(text));
  return days > 1 || (!isFree && clock !== null && clock !== event.clock);
}

/** "Cancel that" refers to an event that was mentioned before. In Chinese the pronoun is usually omitted. */
const refersToPreviousEvent = (text: string): boolean =>
  !/\b(?:all|everything|events|meetings|appointments)\b|所有|全部/i.test(text) && unexplainedIn(text, []) === null;

/** Only the first line of the assistant's last reply counts, because conflicting events follow below it. */
export function lastMentioned({ prompt, events }: Scene): ListedEvent | null {
  const lines = prompt.earlier.flatMap(({ role, text }) =>
    role === "assistant" ? [text.split("\n", 1)[0] ?? ""] : [],
  );
  const last = lines.findLast((line) => namedIn(line, events).length > 0) ?? "";
  const found = namedIn(last, events);
  // The reply mentions the new day of a moved event last.
  const day = last.match(/\d{4}-\d\d-\d\d/g)?.at(-1);
  const isOne = new Set(found.map(({ title }) => title)).size === 1;
  const there = found.find(({ date }) => date === day);
  return isOne ? (there ?? (found.length === 1 || found[0]?.repeats ? (found[0] ?? null) : null)) : null;
}

const namedIn = (line: string, events: readonly ListedEvent[]): ListedEvent[] =>
  events.filter(({ title }) => normal(line).includes(normal(title)));

const destination = (text: string): string =>
  /(?:\bto\b|到|改成)(?!.*(?:\bto\b|到|改成))(.*)$/i.exec(text)?.[1] || text;
const origin = (text: string): string => text.split(/\bto\b|到|改成/i)[0] ?? "";

function target(event: ListedEvent, when: When): string | null {
  if (when.date === null && when.clock === null) return null;
  // "To next week" keeps the weekday of the event.
  const date =
    when.date === when.until ? (when.date ?? event.date) : addDays(when.date ?? event.date, weekdayFrom(event.date));
  if (when.clock === null) return date;
  // An evening event that moves "to seven" stays in the evening.
  const isEvening = when.part === null && when.clock.startsWith("07:") && (event.clock ?? "") >= "16:00";
  return `${date}T${isEvening ? when.clock.replace("07", "19") : when.clock}`;
}

export function swapNamed(scene: Scene): ExecuteDecision {
  const { events, request, phrases } = scene;
  const [first] = eventsNamed(events, request.original, null);
  const rest = first ? withoutTitle(request.original, first) : request.original;
  const others = events.filter(({ title }) => title !== first?.title);
  const [second] = eventsNamed(others, rest, null);
  if (!first || !second) return giveUp(phrases.no_event);
  const unexplained = unexplainedIn(request.text, [first, second]);
  if (unexplained !== null) return giveUp(phrases.not_understood(unexplained));
  return proposeCall(scene, "swap_events", { first: first.id, second: second.id });
}
