// Decides about calendars with real times: first reads the calendar, then proposes each change, then reports what
// happened.
import type { ExecuteDecision, PlanDecision } from "../../../schema/decision/decision.ts";
import type { FirstCall } from "../decide.ts";
import type { Observation, ParsedPrompt } from "../parse-prompt.ts";
import { languageOf } from "../parse-request.ts";
import { type EventPhrases, eventPhrases } from "./events-phrases.ts";
import { eventsNamed, linesOf, nowIn } from "./listed-events.ts";
import { addDays } from "./parse-dates.ts";
import { type EventIntent, type EventRequest, parseRequests } from "./parse-event-request.ts";
import { parseWhen } from "./parse-when.ts";
import { findArguments, propose, proposeNextFree } from "./propose.ts";
import { callTool, giveUp, type ToolDecision } from "./scene.ts";
import { translateResult } from "./translate-events.ts";

const READS: readonly EventIntent[] = ["show", "when", "find", "check"];
const SHOWN_DAYS = 35;
const NAMED_MAX = 5;
const NEXT_EVENT = /\bnext\b|下一[次个场]/i;

/** If the tools of the toolkit `timetable` are offered as well, that toolkit's decisions take precedence. */
export const usesEventCalendar = ({ tools }: ParsedPrompt): boolean =>
  tools.has("list_events") && !tools.has("get_overview");

/** The first request determines the kind of answer. */
type Requests = { readonly all: readonly EventRequest[]; readonly first: EventRequest };

function requestsOf({ goal }: ParsedPrompt): Requests {
  const all = parseRequests(goal);
  return { all, first: all[0] as EventRequest };
}

/** Returns null for a message that needs the calendar. */
function answerTo(
  { first: { intent } }: Requests,
  { goal, tools }: ParsedPrompt,
  phrases: EventPhrases,
): string | null {
  if (intent === "reminded") return goal;
  if (intent === "help") return `${phrases.capabilities} ${phrases.about}`;
  return intent === "remind" && !tools.has("set_reminder") ? `${phrases.no_remind} ${phrases.capabilities}` : null;
}

/** Returns null if the requests are supported. */
function refusalOf({ all }: Requests, phrases: EventPhrases): string | null {
  const is = (...intents: EventIntent[]) => all.some(({ intent }) => intents.includes(intent));
  if (all.length > 1 && is("unknown", "leave", "help", "undo", ...READS)) return phrases.one_at_a_time;
  if (is("leave")) return phrases.left;
  return is("unknown") ? unknownRequest(phrases) : null;
}

const unknownRequest = (phrases: EventPhrases): string => `${phrases.unknown} ${phrases.capabilities} ${phrases.about}`;

export function planEvents(prompt: ParsedPrompt): PlanDecision {
  const phrases = eventPhrases(languageOf(prompt.goal));
  const requests = requestsOf(prompt);
  const answer = answerTo(requests, prompt, phrases);
  if (answer !== null) return { action: "answer", speak: answer };
  const refusal = refusalOf(requests, phrases);
  if (refusal !== null) return { action: "abort", abort: { user_message: refusal } };
  const readCalendar = { ...phrases.look, needs: "observation" as const };
  const changes = requests.all.map(({ original }) => ({
    ...phrases.change,
    ...(requests.all.length > 1 && { content: `${phrases.change.content}: ${original}`.slice(0, 200) }),
    needs: "write" as const,
  }));
  const plan_steps = READS.includes(requests.first.intent) ? [readCalendar] : [readCalendar, ...changes];
  return { action: "plan_done", speak: phrases.plan, plan_steps, ...firstRead(prompt, requests.first) };
}

/** The first read of the plan fits in the same reply. Reading only the date finishes no step. */
function firstRead(prompt: ParsedPrompt, request: EventRequest): FirstCall {
  const { tool_call } = readCalendar(prompt, request, undefined);
  return { tool_call, ...(tool_call.name !== "time" && { finishes_step: true }) };
}

/** Every call finishes its step, except reading only the date. */
export function stepEvents(prompt: ParsedPrompt): ExecuteDecision {
  const decision = mentionFinishedRequests(prompt, decideEvents(prompt));
  const tool = "tool_call" in decision ? decision.tool_call?.name : undefined;
  return prompt.planned && tool !== undefined && tool !== "time"
    ? ({ ...decision, finishes_step: true } as ExecuteDecision)
    : decision;
}

/** A refusal says that the earlier requests of the same message are done. */
function mentionFinishedRequests(prompt: ParsedPrompt, decision: ExecuteDecision): ExecuteDecision {
  if (decision.action !== "abort" || positionOf(prompt) === 0) return decision;
  const { partly } = eventPhrases(languageOf(prompt.goal));
  return giveUp(`${partly} ${decision.abort.user_message}`);
}

/** In a plan, each request is a step after the read; in a direct run, the writes are counted. */
const positionOf = ({ planned, step, receipts }: ParsedPrompt): number =>
  planned ? Math.max(0, step - 1) : receipts.filter(({ kind }) => kind === "write").length;

const isAbort = ({ action }: ExecuteDecision): boolean => action === "abort";

function decideEvents(prompt: ParsedPrompt): ExecuteDecision {
  const phrases = eventPhrases(languageOf(prompt.goal));
  const requests = requestsOf(prompt);
  const position = positionOf(prompt);
  const request = requests.all[position] ?? requests.first;
  const has = (kind: string) => prompt.receipts.some((receipt) => receipt.kind === kind);
  const last = prompt.observations.at(-1);
  const isLast = position >= requests.all.length - (prompt.planned ? 1 : 0);
  if (has("write") && isLast) return { action: "done", goal_check: phrases.check };
  if (has("write") && prompt.planned) return { action: "next_plan", goal_check: phrases.check };
  // A direct run has no plan step that could answer, so the delivery answers.
  if (answerTo(requests, prompt, phrases) !== null) return { action: "done", goal_check: phrases.check };
  const refusal = refusalOf(requests, phrases);
  if (refusal !== null) return giveUp(refusal);
  const other = proposeNextFree(prompt, request);
  if (other) return other;
  if (prompt.write_failed || (last && !last.ok && last.tool !== "list_events"))
    return giveUp(`${phrases.not_done}${translateResult(languageOf(prompt.goal), last?.text ?? "")}`.trim());
  // Reading only the date does not count as reading the calendar.
  if (prompt.step === 0 && (!has("observation") || last?.tool === "time")) return readCalendar(prompt, request, last);
  if (READS.includes(request.intent)) return { action: "done", goal_check: phrases.check };
  if (prompt.planned && prompt.step === 0) return { action: "next_plan", goal_check: phrases.check };
  // Before the first request is proposed, all are checked, so that all requests of a message are proposed or none.
  const refused = position > 0 ? undefined : requests.all.map((one) => propose(prompt, one)).find(isAbort);
  return refused ?? propose(prompt, request);
}

/** If the prompt shows no date, the date is read first with the tool `time`. */
function readCalendar(
  prompt: ParsedPrompt,
  { intent, text }: EventRequest,
  last: Observation | undefined,
): ToolDecision {
  const phrases = eventPhrases(languageOf(prompt.goal));
  const today = (last?.tool === "time" && /\d{4}-\d\d-\d\d/.exec(last.text)?.[0]) || prompt.today;
  if (today === null) return callTool(phrases.looking, "time", {});
  const when = parseWhen(text, today);
  const range = { from: when.date ?? today, to: when.until ?? addDays(today, 6) };
  if (intent === "find") return callTool(phrases.looking, "find_time", findArguments(text, when, today));
  if (intent === "check") return callTool(phrases.looking, "check_calendar", range);
  const around = { from: addDays(today, -1), to: addDays(today, SHOWN_DAYS) };
  return callTool(phrases.looking, "list_events", intent === "show" ? range : around);
}

export function deliverEvents(prompt: ParsedPrompt): string {
  const language = languageOf(prompt.goal);
  const phrases = eventPhrases(language);
  const requests = requestsOf(prompt);
  const { intent, original } = requests.first;
  const answer = answerTo(requests, prompt, phrases);
  if (answer !== null) return answer;
  const calls = prompt.observations.filter(({ tool }) => tool !== "time");
  const last = calls.at(-1);
  if (!last) return unknownRequest(phrases);
  if (intent === "when") {
    const named = eventsNamed(linesOf(last.text), original, null);
    const now = nowIn(last.text);
    const ahead = named.filter(({ date, clock }) => `${date}T${clock ?? "24"}` >= now);
    const shown = NEXT_EVENT.test(original)
      ? ahead.slice(0, 1)
      : (ahead.length > 0 ? ahead : named).slice(0, NAMED_MAX);
    return shown.length > 0 ? shown.map(({ line }) => translateResult(language, line)).join("\n") : phrases.no_event;
  }
  if (READS.includes(intent)) return translateResult(language, last.text);
  const reports = requests.all.length === 1 ? [last] : calls.slice(-requests.all.length);
  return `${last.ok ? phrases.done : phrases.not_done}${reports.map(({ text }) => translateResult(language, text)).join("\n")}`;
}
