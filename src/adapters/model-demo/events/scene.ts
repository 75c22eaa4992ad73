// Collects the inputs of a decision: the prompt, the request, and the events that the demo model has seen.
import type { ExecuteDecision, ToolCall } from "../../../schema/decision/decision.ts";
import type { ParsedPrompt } from "../parse-prompt.ts";
import { languageOf } from "../parse-request.ts";
import { type EventPhrases, eventPhrases } from "./events-phrases.ts";
import { eventsIn, type ListedEvent, todayIn } from "./listed-events.ts";
import type { EventRequest } from "./parse-event-request.ts";

export const giveUp = (user_message: string): ExecuteDecision => ({ action: "abort", abort: { user_message } });

export type ToolDecision = Extract<ExecuteDecision, { action: "continue" | "confirm" }> & {
  readonly tool_call: ToolCall;
};

export const callTool = (
  speak: string,
  name: string,
  args: Record<string, unknown>,
  action: "continue" | "confirm" = "continue",
): ToolDecision => ({ action, speak, tool_call: { name, arguments: args } });

export type Scene = {
  readonly prompt: ParsedPrompt;
  readonly request: EventRequest;
  readonly phrases: EventPhrases;
  readonly today: string;
  /** The newest list of events, as the tool wrote it. */
  readonly listed: string;
  /** The listed events that are not before today. */
  readonly events: readonly ListedEvent[];
};

export function sceneOf(prompt: ParsedPrompt, request: EventRequest): Scene {
  const listed = prompt.observations.findLast(({ tool }) => tool === "list_events")?.text ?? "";
  const today = todayIn(listed) ?? "1970-01-01";
  const events = eventsIn(listed).filter(({ date }) => date >= today);
  return { prompt, request, phrases: eventPhrases(languageOf(prompt.goal)), today, listed, events };
}

export const proposeCall = ({ phrases }: Scene, name: string, args: Record<string, unknown>): ExecuteDecision =>
  callTool(phrases.proposing, name, args, "confirm");
