// The one change that the demo model proposes for a request, from the events that it has seen.
import type { ExecuteDecision, ToolCall } from "../../../schema/decision/decision.ts";
import type { ParsedPrompt } from "../parse-prompt.ts";
import { languageOf } from "../parse-request.ts";
import { type EventPhrases, eventPhrases } from "./events-phrases.ts";
import { eventById, eventsIn, eventsNamed, type ListedEvent, shifted, todayIn } from "./listed-events.ts";
import { type EventRequest, placeIn, titleIn } from "./parse-event-request.ts";
import { addDays, lengthsIn, parseWhen, type When, withoutLengths, withoutWhen } from "./parse-when.ts";

export const giveUp = (user_message: string): ExecuteDecision => ({ action: "abort", abort: { user_message } });

export type ToolDecision = Extract<ExecuteDecision, { action: "continue" | "confirm" }> & {
  readonly tool_call: ToolCall;
};

export const callTool = (
  speak: string,
  name: string,
  args: Record<string, unknown>,
  action: "continue" | "confirm" = "continue",
): ToolDecision => ({
  action,
  speak,
  tool_call: { name, arguments: args },
});

type Scene = {
  readonly prompt: ParsedPrompt;
  readonly request: EventRequest;
  readonly say: EventPhrases;
  readonly today: string;
  /** Only events from today on. */
  readonly events: readonly ListedEvent[];
};

function sceneOf(prompt: ParsedPrompt, request: EventRequest): Scene {
  const listed = prompt.observations.findLast(({ tool }) => tool === "list_events")?.text ?? "";
  const today = todayIn(listed) ?? "1970-01-01";
  const events = eventsIn(listed).filter(({ date }) => date >= today);
  return { prompt, request, say: eventPhrases(languageOf(prompt.goal)), today, events };
}

const proposeCall = ({ say }: Scene, name: string, args: Record<string, unknown>): ExecuteDecision =>
  callTool(say.proposing, name, args, "confirm");

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
      return swap(scene);
    default:
      return changeNamed(scene);
  }
}

/** A change of the event that the request names. */
function changeNamed(scene: Scene): ExecuteDecision {
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
    case "resize": {
      const by = minutes !== null && /\b(?:shorter|shorten)\b|缩短/i.test(text) ? -minutes : minutes;
      if (by === null || event.minutes === null || event.minutes + by < 5) return giveUp(say.no_time);
      const start = shifted(event, 0);
      return proposeCall(scene, "move_event", {
        id: event.id,
        start,
        duration_min: event.minutes + by,
        ...scope,
        ...busy,
      });
    }
    case "shift": {
      const earlier = /\b(?:earlier|forward)\b|提前/i.test(text);
      const start = minutes === null ? null : shifted(event, earlier ? -minutes : minutes);
      return start ? proposeCall(scene, "move_event", { id: event.id, start, ...scope, ...busy }) : giveUp(say.no_time);
    }
    default: {
      const start = target(event, parseWhen(destination(text), today));
      return start ? proposeCall(scene, "move_event", { id: event.id, start, ...scope, ...busy }) : giveUp(say.no_time);
    }
  }
}

/** On the day that the request names, if it has one there; for "from Thursday on", the first one from that day. */
function namedEvent({ request, events, today }: Scene): ListedEvent | null {
  const { intent, text, scope } = request;
  const from = parseWhen(intent === "move" ? origin(text) : text, today).date;
  const later = scope === "following" && from !== null ? events.filter(({ date }) => date >= from) : events;
  return eventById(text) ?? eventsNamed(later, text, from)[0] ?? null;
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
  const title = titleIn(withoutWhen(request.text));
  if (!title) return giveUp(say.no_title);
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

/** At a given time, or before the event that the request names. */
function remind(scene: Scene): ExecuteDecision {
  const { request, say, today, events } = scene;
  const when = parseWhen(request.text, today);
  const text = titleIn(withoutWhen(request.text.replace(/\bremind me(?: to| of| about)?\b|提醒(?:我)?/gi, " ")));
  if (when.clock !== null)
    return text
      ? proposeCall(scene, "set_reminder", { text, at: `${when.date ?? today}T${when.clock}` })
      : giveUp(say.no_title);
  const [event] = eventsNamed(events, request.text, when.date);
  if (!event) return giveUp(say.no_time);
  const before = when.minutes === null ? {} : { before_min: when.minutes };
  return proposeCall(scene, "set_reminder", { text: event.title, event: event.id, ...before });
}

function repetitionIn(text: string, { date, times }: When): Record<string, string> {
  if (/\bevery (?:week)?day\b|\bdaily\b|每天/i.test(text)) return { repeat: `FREQ=DAILY;COUNT=${times ?? 30}` };
  const weekly = /\bevery\b|\bweekly\b|每(?:个)?(?:周|星期)/i.test(text);
  return weekly && date !== null ? { repeat: `FREQ=WEEKLY;COUNT=${times ?? 12}` } : {};
}

/** "Next week" names the first day, too; "by Friday" only the last one. */
function planBlocks(scene: Scene): ExecuteDecision {
  const { request, say, today } = scene;
  const [total = 120, block = 60] = lengthsIn(request.text);
  const { date, until } = parseWhen(request.text, today);
  const isLimit = /\b(?:by|until|before)\b|之前|以前|前/i.test(request.text);
  const from = date !== null && date !== until && !isLimit ? { from: date } : {};
  const title = titleIn(withoutWhen(withoutLengths(request.text)));
  if (!title) return giveUp(say.no_title);
  const lengths = { total_min: Math.max(total, block), block_min: Math.min(total, block) };
  return proposeCall(scene, "plan_blocks", { title, ...lengths, ...from, until: until ?? addDays(today, 7) });
}

function swap(scene: Scene): ExecuteDecision {
  const { events, request, say } = scene;
  const [first] = eventsNamed(events, request.text, null);
  const rest = first ? request.text.toLowerCase().replace(first.title.toLowerCase(), " ") : request.text;
  const others = events.filter(({ title }) => title !== first?.title);
  const [second] = eventsNamed(others, rest, null);
  return first && second
    ? proposeCall(scene, "swap_events", { first: first.id, second: second.id })
    : giveUp(say.no_event);
}
