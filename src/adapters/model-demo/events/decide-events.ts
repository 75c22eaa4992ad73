// Decisions of the demo model for calendars with real times: look first, then propose one change, then report what happened.
import type { ExecuteDecision, PlanDecision } from "../../../schema/decision/decision.ts";
import type { Observation, ParsedPrompt } from "../parse-prompt.ts";
import { languageOf } from "../parse-request.ts";
import { eventPhrases } from "./events-phrases.ts";
import { eventById, eventsIn, eventsNamed, type ListedEvent, todayIn } from "./listed-events.ts";
import { type EventIntent, eventIntentOf, titleIn } from "./parse-event-request.ts";
import { addDays, parseWhen, type When, withoutWhen } from "./parse-when.ts";

const READS: readonly EventIntent[] = ["show", "find", "check"];
const LOOK_DAYS = 35;

/** The toolkit of slots has its own decisions, which come first. */
export const worksOnEvents = ({ tools }: ParsedPrompt): boolean =>
  tools.has("list_events") && !tools.has("get_overview");

export function planEvents(prompt: ParsedPrompt): PlanDecision {
  const say = eventPhrases(languageOf(prompt.goal));
  const intent = eventIntentOf(prompt.goal);
  if (intent === "reminded") return { action: "answer", speak: prompt.goal };
  if (intent === "remind" && !prompt.tools.has("set_reminder"))
    return { action: "answer", speak: `${say.no_remind} ${say.capabilities}` };
  if (intent === "help") return { action: "answer", speak: `${say.capabilities} ${say.about}` };
  if (intent === "unknown") return { action: "answer", speak: `${say.unknown} ${say.capabilities} ${say.about}` };
  const look = { ...say.look, needs: "observation" as const };
  const change = { ...say.change, needs: "write" as const };
  return { action: "plan_done", speak: say.plan, plan_steps: READS.includes(intent) ? [look] : [look, change] };
}

/** The date alone finishes no step; every other call is the last one of its step. */
export function stepEvents(prompt: ParsedPrompt): ExecuteDecision {
  const decision = decideEvents(prompt);
  const tool = "tool_call" in decision ? decision.tool_call?.name : undefined;
  return prompt.planned && tool !== undefined && tool !== "time"
    ? ({ ...decision, finishes_step: true } as ExecuteDecision)
    : decision;
}

function decideEvents(prompt: ParsedPrompt): ExecuteDecision {
  const say = eventPhrases(languageOf(prompt.goal));
  const intent = eventIntentOf(prompt.goal);
  const has = (kind: string) => prompt.receipts.some((receipt) => receipt.kind === kind);
  const last = prompt.observations.at(-1);
  if (has("write")) return { action: "done", goal_check: say.check };
  if (prompt.write_failed || (last && !last.ok && last.tool !== "list_events"))
    return giveUp(`${say.not_done} ${last?.text ?? ""}`.trim());
  // The date alone is no look at the calendar.
  if (prompt.step === 0 && (!has("observation") || last?.tool === "time")) return look(prompt, last);
  if (READS.includes(intent)) return { action: "done", goal_check: say.check };
  if (prompt.planned && prompt.step === 0) return { action: "next_plan", goal_check: say.check };
  return proposal(prompt, intent);
}

const giveUp = (user_message: string): ExecuteDecision => ({ action: "abort", abort: { user_message } });

const call = (
  speak: string,
  name: string,
  args: Record<string, unknown>,
  action: "continue" | "confirm" = "continue",
): ExecuteDecision => ({
  action,
  speak,
  tool_call: { name, arguments: args },
});

/** The date comes from the tool `time`, the events around it from list_events. */
function look(prompt: ParsedPrompt, last: Observation | undefined): ExecuteDecision {
  const say = eventPhrases(languageOf(prompt.goal));
  const today = last?.tool === "time" ? (/\d{4}-\d\d-\d\d/.exec(last.text)?.[0] ?? null) : null;
  if (today === null) return call(say.looking, "time", {});
  const intent = eventIntentOf(prompt.goal);
  const when = parseWhen(prompt.goal, today);
  if (intent === "find") return call(say.looking, "find_time", findArguments(when, today));
  if (intent === "check")
    return call(say.looking, "check_calendar", { from: when.date ?? today, to: when.until ?? addDays(today, 6) });
  const range =
    intent === "show"
      ? { from: when.date ?? today, to: when.until ?? addDays(today, 6) }
      : { from: addDays(today, -1), to: addDays(today, LOOK_DAYS) };
  return call(say.looking, "list_events", range);
}

const findArguments = ({ date, until, minutes, part }: When, today: string): Record<string, unknown> => ({
  duration_min: minutes ?? 60,
  from: date ?? today,
  to: until ?? addDays(today, 7),
  ...(part ? { prefer: part } : {}),
  ...(part === "evening" ? { within: { start: "17:00", end: "22:00" } } : {}),
});

function proposal(prompt: ParsedPrompt, intent: EventIntent): ExecuteDecision {
  const say = eventPhrases(languageOf(prompt.goal));
  const listed = prompt.observations.findLast(({ tool }) => tool === "list_events")?.text ?? "";
  const today = todayIn(listed) ?? "1970-01-01";
  const when = parseWhen(destination(prompt.goal), today);
  const scope = /\b(?:all|every|series|whole)\b|所有|全部|每(?:天|周|次)|整个/i.test(prompt.goal)
    ? { scope: "all" }
    : {};
  const events = eventsIn(listed);
  switch (intent) {
    case "undo":
      return call(say.proposing, "undo_calendar_change", {}, "confirm");
    case "create":
      return create(prompt, when, today);
    case "remind":
      return remind(prompt, events, today);
    case "plan":
      return planBlocks(prompt, when, today);
    case "swap": {
      const [first, second] = twoNamed(events, prompt.goal);
      return first && second
        ? call(say.proposing, "swap_events", { first: first.id, second: second.id }, "confirm")
        : giveUp(say.no_event);
    }
    default: {
      const from = parseWhen(origin(prompt.goal), today).date;
      const event =
        eventById(prompt.goal) ??
        eventsNamed(
          events.filter(({ date }) => date >= today),
          prompt.goal,
          from,
        )[0];
      if (!event) return giveUp(say.no_event);
      if (intent === "cancel") return call(say.proposing, "cancel_event", { id: event.id, ...scope }, "confirm");
      const start = target(event, when);
      return start
        ? call(say.proposing, "move_event", { id: event.id, start, ...scope, ...ifBusy(prompt.goal) }, "confirm")
        : giveUp(say.no_time);
    }
  }
}

/** "Move tomorrow's review to Friday": the part after "to" says where it goes, the part before it where it is. */
const destination = (goal: string): string =>
  /(?:\bto\b|到|改成)(?!.*(?:\bto\b|到|改成))(.*)$/i.exec(goal)?.[1] || goal;
const origin = (goal: string): string => goal.split(/\bto\b|到|改成/i)[0] ?? "";

function target(event: ListedEvent, when: When): string | null {
  if (when.date === null && when.clock === null) return null;
  const date = when.date ?? event.date;
  return when.clock === null ? date : `${date}T${when.clock}`;
}

const ifBusy = (goal: string): Record<string, string> =>
  /\banyway\b|even if|仍然|照样|也没关系/i.test(goal) ? { if_busy: "allow" } : {};

function create(prompt: ParsedPrompt, _when: When, today: string): ExecuteDecision {
  const say = eventPhrases(languageOf(prompt.goal));
  const when = parseWhen(prompt.goal, today);
  const title = titleIn(withoutWhen(prompt.goal));
  if (!title) return giveUp(say.no_title);
  const length = { duration_min: when.minutes ?? 60 };
  const repeat = repetitionIn(prompt.goal, when);
  if (when.clock !== null) {
    const start = `${when.date ?? today}T${when.clock}`;
    return call(
      say.proposing,
      "create_event",
      { title, start, ...length, ...repeat, ...ifBusy(prompt.goal) },
      "confirm",
    );
  }
  const free = prompt.observations.at(-1);
  if (free?.tool !== "find_time") return call(say.looking, "find_time", { ...findArguments(when, today), ...length });
  const [, date, clock] = /^- \w{3} (\d{4}-\d\d-\d\d) (\d\d:\d\d)/m.exec(free.text) ?? [];
  if (!date) return giveUp(`${say.not_done} ${free.text}`);
  return call(say.proposing, "create_event", { title, start: `${date}T${clock}`, ...length }, "confirm");
}

/** At a given time, or before the event that the request names. */
function remind(prompt: ParsedPrompt, events: readonly ListedEvent[], today: string): ExecuteDecision {
  const say = eventPhrases(languageOf(prompt.goal));
  const when = parseWhen(prompt.goal, today);
  const text = titleIn(withoutWhen(prompt.goal.replace(/\bremind me(?: to| of| about)?\b|提醒(?:我)?/gi, " ")));
  if (when.clock !== null)
    return text
      ? call(say.proposing, "set_reminder", { text, at: `${when.date ?? today}T${when.clock}` }, "confirm")
      : giveUp(say.no_title);
  const [event] = eventsNamed(
    events.filter(({ date }) => date >= today),
    prompt.goal,
    when.date,
  );
  if (!event) return giveUp(say.no_time);
  const before = when.minutes === null ? {} : { before_min: when.minutes };
  return call(say.proposing, "set_reminder", { text: event.title, event: event.id, ...before }, "confirm");
}

function repetitionIn(goal: string, { date }: When): Record<string, string> {
  if (/\bevery (?:week)?day\b|\bdaily\b|每天/i.test(goal)) return { repeat: "FREQ=DAILY;COUNT=30" };
  const weekly = /\bevery\b|\bweekly\b|每(?:个)?(?:周|星期)/i.test(goal);
  return weekly && date !== null ? { repeat: "FREQ=WEEKLY;COUNT=12" } : {};
}

function planBlocks(prompt: ParsedPrompt, when: When, today: string): ExecuteDecision {
  const say = eventPhrases(languageOf(prompt.goal));
  const lengths = [...prompt.goal.matchAll(/(\d+(?:\.\d+)?)[ -]?(hours?|h\b|小时|minutes?|min|分钟)/gi)].map(
    ([, n, unit = ""]) => Number(n) * (/^(?:h|小)/i.test(unit) ? 60 : 1),
  );
  const total = lengths[0] ?? 120;
  const block = lengths[1] ?? 60;
  const until = parseWhen(prompt.goal, today).until ?? when.until ?? addDays(today, 7);
  const title = titleIn(
    withoutWhen(
      prompt.goal
        .replace(
          /(?:in |each )?(?:blocks? of )?\d+(?:\.\d+)?[ -]?(?:hours?|h\b|小时|minutes?|min|分钟)(?: of| blocks?| each)?/gi,
          " ",
        )
        .replace(/\bblocks?\b/gi, " "),
    ),
  );
  if (!title) return giveUp(say.no_title);
  return call(
    say.proposing,
    "plan_blocks",
    { title, total_min: Math.max(total, block), block_min: Math.min(total, block), until },
    "confirm",
  );
}

function twoNamed(events: readonly ListedEvent[], goal: string): readonly (ListedEvent | undefined)[] {
  const [first] = eventsNamed(events, goal, null);
  const rest = first ? goal.toLowerCase().replace(first.title.toLowerCase(), " ") : goal;
  const [second] = eventsNamed(
    events.filter(({ title }) => title !== first?.title),
    rest,
    null,
  );
  return [first, second];
}

/** What the tools reported, as they put it. */
export function deliverEvents(prompt: ParsedPrompt): string {
  const say = eventPhrases(languageOf(prompt.goal));
  const intent = eventIntentOf(prompt.goal);
  const last = prompt.observations.findLast(({ tool }) => tool !== "time");
  if (!last) return `${say.unknown} ${say.capabilities}`;
  return READS.includes(intent) ? last.text : `${last.ok ? say.done : say.not_done} ${last.text}`;
}
