// The one change that the demo model proposes for a request, from the events that it has seen.
import type { ExecuteDecision } from "../../../schema/decision/decision.ts";
import type { ParsedPrompt } from "../parse-prompt.ts";
import { changeNamed, swapNamed } from "./change-event.ts";
import { eventsNamed } from "./listed-events.ts";
import { addDays, withoutDates } from "./parse-dates.ts";
import { createdPart, type EventRequest } from "./parse-event-request.ts";
import { parseWhen, type When, withoutTimes } from "./parse-when.ts";
import { planBlocks } from "./plan-blocks.ts";
import { callTool, giveUp, proposeCall, type Scene, sceneOf } from "./scene.ts";
import { titleIn } from "./title-and-place.ts";

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

export const findArguments = ({ date, until, minutes, part }: When, today: string): Record<string, unknown> => ({
  duration_min: minutes ?? 60,
  from: date ?? today,
  to: until ?? addDays(today, 7),
  ...(part ? { prefer: part } : {}),
  ...(part === "evening" ? { within: { start: "17:00", end: "22:00" } } : {}),
});

function create(scene: Scene): ExecuteDecision {
  const { prompt, request, say, today } = scene;
  const when = parseWhen(request.text, today);
  const title = titleIn(withoutDates(withoutTimes(createdPart(request.text))));
  if (!title) return giveUp(say.no_title);
  if (when.date === null && when.clock === null && when.minutes === null && when.part === null)
    return giveUp(say.no_time);
  const more = { ...repetitionIn(request.text, when), ...(request.allow ? { if_busy: "allow" } : {}) };
  const wholeDay = /\ball (?:day|of)\b|\bwhole day\b|全天|整天/i.test(request.text);
  if (wholeDay && when.date !== null) return proposeCall(scene, "create_event", { title, start: when.date, ...more });
  const length = { duration_min: when.minutes ?? 60 };
  if (when.clock !== null) {
    const start = `${when.date ?? today}T${when.clock}`;
    return proposeCall(scene, "create_event", { title, start, ...length, ...more });
  }
  const free = prompt.observations.at(-1);
  if (free?.tool !== "find_time")
    return callTool(say.looking, "find_time", { ...findArguments(when, today), ...length });
  const start = firstFree(free.text);
  return start
    ? proposeCall(scene, "create_event", { title, start, ...length })
    : giveUp(`${say.not_done} ${free.text}`);
}

function firstFree(text: string): string | null {
  const [, date, clock] = /^- \w{3} (\d{4}-\d\d-\d\d) (\d\d:\d\d)/m.exec(text) ?? [];
  return date ? `${date}T${clock}` : null;
}

/** If the time was refused and the request says what to do then: the next free time of that day; null otherwise. */
export function nextFree(prompt: ParsedPrompt, request: EventRequest): ExecuteDecision | null {
  if (!request.fallback) return null;
  const refused = prompt.observations.findLast(({ tool, ok }) => tool === "create_event" && !ok);
  const last = prompt.observations.at(-1);
  if (!refused || !last || !/\btaken\b/.test(refused.text)) return null;
  const { say } = sceneOf(prompt, request);
  const { start, duration_min, title } = refused.arguments;
  if (last === refused)
    return callTool(say.looking, "find_time", { duration_min, from: start, to: String(start).slice(0, 10) });
  const found = last.tool === "find_time" ? firstFree(last.text) : null;
  return found ? callTool(say.proposing, "create_event", { title, start: found, duration_min }, "confirm") : null;
}

const REMIND = /\b(?:set (?:up )?a )?remind(?:er)?(?: me)?(?: to| of| about| for)?\b|提醒(?:我)?/gi;

/** At a given time, or before the event that the request names. */
function remind(scene: Scene): ExecuteDecision {
  const { request, say, today, events } = scene;
  const when = parseWhen(request.text, today);
  const text = titleIn(withoutDates(withoutTimes(request.text.replace(REMIND, " "))));
  if (when.clock !== null)
    return text
      ? proposeCall(scene, "set_reminder", { text, at: `${when.date ?? today}T${when.clock}` })
      : giveUp(say.no_title);
  const [event] = eventsNamed(events, request.original, when.date);
  if (!event) return giveUp(say.no_time);
  const before = when.minutes === null ? {} : { before_min: when.minutes };
  return proposeCall(scene, "set_reminder", { text: event.title, event: event.id, ...before });
}

function repetitionIn(text: string, { date, times }: When): Record<string, string> {
  if (/\bevery (?:week)?day\b|\bdaily\b|每天/i.test(text)) return { repeat: `FREQ=DAILY;COUNT=${times ?? 30}` };
  const weekly = /\bevery\b|\bweekly\b|每(?:个)?(?:周|星期)/i.test(text);
  return weekly && date !== null ? { repeat: `FREQ=WEEKLY;COUNT=${times ?? 12}` } : {};
}
