// Decisions of the demo model for calendars with real times: look first, then propose one change, then report what happened.
import type { ExecuteDecision, PlanDecision } from "../../../schema/decision/decision.ts";
import type { FirstCall } from "../decide.ts";
import type { Observation, ParsedPrompt } from "../parse-prompt.ts";
import { languageOf } from "../parse-request.ts";
import { type EventPhrases, eventPhrases } from "./events-phrases.ts";
import { eventsNamed, linesOf } from "./listed-events.ts";
import { addDays } from "./parse-dates.ts";
import { type EventIntent, type EventRequest, parseEventRequest } from "./parse-event-request.ts";
import { parseWhen } from "./parse-when.ts";
import { findArguments, nextFree, propose } from "./propose.ts";
import { callTool, giveUp, type ToolDecision } from "./scene.ts";

const READS: readonly EventIntent[] = ["show", "when", "find", "check"];
const SHOWN_DAYS = 35;

/** The toolkit of slots has its own decisions, which come first. */
export const worksOnEvents = ({ tools }: ParsedPrompt): boolean =>
  tools.has("list_events") && !tools.has("get_overview");

/** What needs no calendar; null for everything else. */
function answerTo({ intent }: EventRequest, { goal, tools }: ParsedPrompt, say: EventPhrases): string | null {
  if (intent === "reminded") return goal;
  if (intent === "help") return `${say.capabilities} ${say.about}`;
  return intent === "remind" && !tools.has("set_reminder") ? `${say.no_remind} ${say.capabilities}` : null;
}

const refusal = (say: EventPhrases): string => `${say.unknown} ${say.capabilities} ${say.about}`;

export function planEvents(prompt: ParsedPrompt): PlanDecision {
  const say = eventPhrases(languageOf(prompt.goal));
  const request = parseEventRequest(prompt.goal);
  const answer = answerTo(request, prompt, say);
  if (answer !== null) return { action: "answer", speak: answer };
  if (request.intent === "unknown") return { action: "abort", abort: { user_message: refusal(say) } };
  const look = { ...say.look, needs: "observation" as const };
  const change = { ...say.change, needs: "write" as const };
  const plan_steps = READS.includes(request.intent) ? [look] : [look, change];
  return { action: "plan_done", speak: say.plan, plan_steps, ...firstLook(prompt, request) };
}

/** The plan and its look at the calendar in one reply; the date alone finishes no step. */
function firstLook(prompt: ParsedPrompt, request: EventRequest): FirstCall {
  const { tool_call } = look(prompt, request, undefined);
  return { tool_call, ...(tool_call.name !== "time" && { finishes_step: true }) };
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
  const request = parseEventRequest(prompt.goal);
  const has = (kind: string) => prompt.receipts.some((receipt) => receipt.kind === kind);
  const last = prompt.observations.at(-1);
  if (has("write")) return { action: "done", goal_check: say.check };
  // A direct run has no plan step that could answer, so the delivery does.
  if (answerTo(request, prompt, say) !== null) return { action: "done", goal_check: say.check };
  if (request.intent === "unknown") return giveUp(refusal(say));
  const other = nextFree(prompt, request);
  if (other) return other;
  if (prompt.write_failed || (last && !last.ok && last.tool !== "list_events"))
    return giveUp(`${say.not_done} ${last?.text ?? ""}`.trim());
  // The date alone is no look at the calendar.
  if (prompt.step === 0 && (!has("observation") || last?.tool === "time")) return look(prompt, request, last);
  if (READS.includes(request.intent)) return { action: "done", goal_check: say.check };
  if (prompt.planned && prompt.step === 0) return { action: "next_plan", goal_check: say.check };
  return propose(prompt, request);
}

/** The date comes from the prompt, or else from the tool `time`; the events around it from list_events. */
function look(prompt: ParsedPrompt, { intent, text }: EventRequest, last: Observation | undefined): ToolDecision {
  const say = eventPhrases(languageOf(prompt.goal));
  const today = (last?.tool === "time" && /\d{4}-\d\d-\d\d/.exec(last.text)?.[0]) || prompt.today;
  if (today === null) return callTool(say.looking, "time", {});
  const when = parseWhen(text, today);
  const range = { from: when.date ?? today, to: when.until ?? addDays(today, 6) };
  if (intent === "find") return callTool(say.looking, "find_time", findArguments(when, today));
  if (intent === "check") return callTool(say.looking, "check_calendar", range);
  const around = { from: addDays(today, -1), to: addDays(today, SHOWN_DAYS) };
  return callTool(say.looking, "list_events", intent === "show" ? range : around);
}

/** What the tools reported, in their own words. */
export function deliverEvents(prompt: ParsedPrompt): string {
  const say = eventPhrases(languageOf(prompt.goal));
  const request = parseEventRequest(prompt.goal);
  const answer = answerTo(request, prompt, say);
  if (answer !== null) return answer;
  const last = prompt.observations.findLast(({ tool }) => tool !== "time");
  if (!last) return refusal(say);
  if (request.intent === "when") {
    const named = eventsNamed(linesOf(last.text), request.original, null);
    return named.length > 0 ? named.map(({ line }) => line).join("\n") : say.no_event;
  }
  return READS.includes(request.intent) ? last.text : `${last.ok ? say.done : say.not_done} ${last.text}`;
}
