// Proposes one change for a request, based on the events that the demo model has seen.
import type { ExecuteDecision } from "../../../schema/decision/decision.ts";
import type { ParsedPrompt } from "../parse-prompt.ts";
import { languageOf } from "../parse-request.ts";
import { changeNamed, eventOfPreviousRequest, lastMentioned, swapNamed } from "./change-event.ts";
import { eventsNamed, normal } from "./listed-events.ts";
import { addDays, type Dates, namesDayRange, weekdaysIn, withoutDates } from "./parse-dates.ts";
import { CREATE_VERB, createdPart, type EventRequest, WHOLE_DAYS } from "./parse-event-request.ts";
import { parseWhen, type When, withoutTimes } from "./parse-when.ts";
import { planBlocks } from "./plan-blocks.ts";
import { repeats, repeatsBeyondRules, repetitionIn, withoutRepetition } from "./recurrence.ts";
import { callTool, giveUp, proposeCall, type Scene, sceneOf } from "./scene.ts";
import { titleAndPlaceIn, titleIn } from "./title-and-place.ts";
import { translateResult } from "./translate-events.ts";

export function propose(prompt: ParsedPrompt, request: EventRequest): ExecuteDecision {
  const scene = sceneOf(prompt, request);
  switch (request.intent) {
    case "undo":
      return proposeCall(scene, "undo_calendar_change", {});
    case "create":
      return create(scene);
    case "remind":
      return remind(scene);
    case "plan":
      return planBlocks(scene);
    case "swap":
      return swapNamed(scene);
    default:
      return changeNamed(scene);
  }
}

export const findArguments = (
  text: string,
  { date, until, minutes, part, clock }: When,
  today: string,
): Record<string, unknown> => ({
  duration_min: minutes ?? 60,
  ...daysToSearch(text, { date, until }, today),
  ...(part ? { prefer: part } : {}),
  ...(part === "evening" ? { within: { start: "17:00", end: "22:00" } } : {}),
  ...(clock === null ? {} : limits(text, clock, minutes ?? 60)),
});

/** "Before Friday" means from today until then. */
function daysToSearch(text: string, { date, until }: Dates, today: string): { from: string; to: string } {
  const isLimit = date !== null && date === until && date > today && /\b(?:before|until|by)\b|[之以]前/i.test(text);
  if (!isLimit) return { from: date ?? today, to: until ?? addDays(today, 7) };
  return { from: today, to: /\bby\b/i.test(text) ? date : addDays(date, -1) };
}

/** Reads "after 3pm", "before noon" or "at 1pm". */
function limits(text: string, clock: string, minutes: number): Record<string, unknown> {
  if (/\b(?:after|from)\b|(?:以后|之后|过后)/i.test(text))
    return { within: { start: clock, end: clock < "18:00" ? "18:00" : "22:00" } };
  if (/\b(?:before|until|by)\b|(?:以前|之前|前)/i.test(text))
    return { within: { start: clock > "09:00" ? "09:00" : "06:00", end: clock } };
  const end = new Date(Date.parse(`2024-01-01T${clock}Z`) + minutes * 60_000).toISOString().slice(11, 16);
  return end > clock ? { within: { start: clock, end } } : {};
}

/** "Dentist to Friday 11:30" names an existing event, and so does not create one. */
function isExisting({ request: { original, text }, events }: Scene, title: string | undefined): boolean {
  if (CREATE_VERB.test(text) && !/\bput (?:the|my)\b/i.test(text)) return false;
  const [named] = eventsNamed(events, original, null);
  if (named === undefined) return false;
  const isWhole = title !== undefined && normal(title) === normal(named.title);
  return isWhole || (/\bto\b|改|到/.test(text) && normal(original).includes(normal(named.title)));
}

/** The demo model does not support times such as "after the dentist". */
const isRelativeToEvent = ({ events }: Scene, title: string): boolean =>
  /\b(?:after|before|between)\b|[之以]?[后前]/i.test(title) && eventsNamed(events, title, null).length > 0;

function create(scene: Scene): ExecuteDecision {
  const { prompt, request, phrases, today } = scene;
  const { text } = request;
  const when = parseWhen(text, today);
  const named = titleAndPlaceIn(withoutRepetition(withoutDates(withoutTimes(createdPart(text)))));
  if (isExisting(scene, named?.title)) return changeNamed({ ...scene, request: { ...request, intent: "move" } });
  if (!named) return giveUp(phrases.no_title);
  if (isRelativeToEvent(scene, named.title)) return giveUp(phrases.no_time);
  if (when.date === null && when.clock === null && when.minutes === null && when.part === null)
    return giveUp(phrases.no_time);
  if (repeatsBeyondRules(text)) return giveUp(phrases.no_rule);
  const repetition = repetitionIn(text, when, today);
  const isRange = namesDayRange(text);
  // "At 9 on Monday and Wednesday" and "Monday to Friday at 9" are refused, because neither is a single event.
  if (!repetition && ((isRange && when.clock !== null) || (!isRange && weekdaysIn(text).length > 1)))
    return giveUp(phrases.one_at_a_time);
  const date = repetition?.first ?? when.date;
  const more = {
    ...(repetition && { repeat: repetition.rule }),
    ...((request.allow || WHOLE_DAYS.test(text) || isRange) && { if_busy: "allow" }),
  };
  const isWholeDay =
    /\ball (?:day|of|weekend|week)\b|\bwhole (?:day|weekend|week)\b|全天|整天/i.test(text) ||
    WHOLE_DAYS.test(text) ||
    isRange;
  if (isWholeDay && when.clock === null && when.date !== null && date !== null) {
    const last = repetition || when.until === when.date ? {} : { end: when.until };
    return proposeCall(scene, "create_event", { ...named, start: date, ...last, ...more });
  }
  const block = blockedPart(text, when);
  if (block !== null && date !== null) {
    const [start, end] = [`${date}T${block.start}`, `${date}T${block.end}`];
    return proposeCall(scene, "create_event", { ...named, start, end, ...more });
  }
  const length = { duration_min: when.minutes ?? 60 };
  if (when.clock !== null) {
    const start = `${date ?? today}T${when.clock}`;
    return proposeCall(scene, "create_event", { ...named, start, ...length, ...more });
  }
  if (repetition) return giveUp(phrases.no_time);
  const free = prompt.observations.at(-1);
  if (free?.tool !== "find_time")
    return callTool(phrases.looking, "find_time", { ...findArguments(text, when, today), ...length });
  const start = firstFree(free.text);
  return start
    ? proposeCall(scene, "create_event", { ...named, start, ...length })
    : giveUp(`${phrases.not_done}${translateResult(languageOf(prompt.goal), free.text)}`);
}

const PARTS = {
  morning: { start: "09:00", end: "12:00" },
  afternoon: { start: "13:00", end: "17:00" },
  evening: { start: "18:00", end: "21:00" },
};

/** "Block Thursday afternoon" takes the whole afternoon. */
const blockedPart = (text: string, { part, clock, minutes }: When) =>
  part !== null && clock === null && minutes === null && /\bblock\b|空出|整个(?:上午|下午|晚上)/i.test(text)
    ? PARTS[part]
    : null;

function firstFree(text: string): string | null {
  const [, date, clock] = /^- \w{3} (\d{4}-\d\d-\d\d) (\d\d:\d\d)/m.exec(text) ?? [];
  return date ? `${date}T${clock}` : null;
}

/** If the proposed time was taken and the request allows another one, proposes the next free time of that day. */
export function proposeNextFree(prompt: ParsedPrompt, request: EventRequest): ExecuteDecision | null {
  if (!request.fallback) return null;
  const refused = prompt.observations.findLast(({ tool, ok }) => tool === "create_event" && !ok);
  const last = prompt.observations.at(-1);
  if (!refused || !last || !/\btaken\b/.test(refused.text)) return null;
  const { phrases } = sceneOf(prompt, request);
  const { start, duration_min, title } = refused.arguments;
  if (last === refused)
    return callTool(phrases.looking, "find_time", { duration_min, from: start, to: String(start).slice(0, 10) });
  const found = last.tool === "find_time" ? firstFree(last.text) : null;
  return found ? callTool(phrases.proposing, "create_event", { title, start: found, duration_min }, "confirm") : null;
}

const REMIND =
  /\bdon't (?:let me )?forget(?: to)?\b|别忘了|\b(?:set (?:up )?a )?remind(?:er)?(?: me)?(?: to| of| about| for)?\b|提醒(?:我)?/gi;

/** A reminder is due at a given time, or before the event that the request names. */
function remind(scene: Scene): ExecuteDecision {
  const { request, phrases, today, events } = scene;
  if (repeats(request.text)) return giveUp(phrases.no_rule);
  const when = parseWhen(request.text, today);
  const text = titleIn(withoutDates(withoutTimes(request.text.replace(REMIND, " "))));
  if (when.clock !== null)
    return text
      ? proposeCall(scene, "set_reminder", { text, at: `${when.date ?? today}T${when.clock}` })
      : giveUp(phrases.no_title);
  const event =
    eventsNamed(events, request.original, when.date)[0] ??
    (text ? null : (eventOfPreviousRequest(scene) ?? lastMentioned(scene)));
  if (!event) return giveUp(phrases.no_time);
  const before = when.minutes === null ? {} : { before_min: when.minutes };
  return proposeCall(scene, "set_reminder", { text: event.title, event: event.id, ...before });
}
