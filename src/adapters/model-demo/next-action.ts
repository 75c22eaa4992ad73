// Defines the actions that a phase can return, and helpers that all phases use to find observations, refused calls and
// previous questions.
import type { Observation, ParsedPrompt } from "./parse-prompt.ts";
import { translateLine } from "./translate.ts";
import { type DemoContext, TOOL_OF } from "./workflow.ts";

export type NextAction =
  | {
      readonly kind: "call";
      readonly tool: string;
      readonly arguments: Record<string, unknown>;
      readonly speak: string;
      readonly writes: boolean;
    }
  | { readonly kind: "ask"; readonly question: string; readonly choices: readonly string[] }
  | { readonly kind: "stop"; readonly message: string }
  | { readonly kind: "finish" };

type Arguments = Readonly<Record<string, unknown>>;

const sameArguments = (a: Arguments, b: Arguments): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
const sorted = (value: Arguments) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

/** Returns the oldest first. */
export function observationsInRun({ prompt, phases }: DemoContext): readonly Observation[] {
  const hasStarted = prompt.planned ? prompt.step > 0 || prompt.receipts.length > 0 : prompt.receipts.length > 0;
  const tool = TOOL_OF[phases[0] ?? "overview"];
  const from = prompt.observations.findLastIndex((observation) => observation.tool === tool && observation.ok);
  return hasStarted || prompt.expectedReply === "delivery" || prompt.write_failed
    ? prompt.observations.slice(Math.max(0, from))
    : [];
}

/** Finds the newest successful observation of this run. */
export const findObservation = (context: DemoContext, tool: string, args?: Arguments): Observation | undefined =>
  observationsInRun(context).findLast(
    (observation) =>
      observation.ok && observation.tool === tool && (!args || sameArguments(observation.arguments, args)),
  );

/** A call that the tool refused is not repeated. */
export function observe(
  context: DemoContext,
  tool: string,
  args: Record<string, unknown>,
  speak: string,
): NextAction | Observation {
  const found = findObservation(context, tool, args);
  if (found) return found;
  const newest = context.prompt.observations.at(-1);
  const refused = newest && !newest.ok && newest.tool === tool && sameArguments(newest.arguments, args);
  if (refused) return { kind: "stop", message: context.phrases.refused(firstLine(newest.text)) };
  return { kind: "call", tool, arguments: args, speak, writes: false };
}

export const isNextAction = (value: object): value is NextAction => "kind" in value;

/** A write that was done, or refused with the same arguments, is not proposed again. */
export function propose(context: DemoContext, tool: string, args: Record<string, unknown>, speak: string): NextAction {
  const { prompt } = context;
  if (prompt.receipts.some(({ kind }) => kind === "write")) return { kind: "finish" };
  const failed = observationsInRun(context).findLast((observation) => !observation.ok && observation.tool === tool);
  if (prompt.write_failed && failed && sameArguments(failed.arguments, args)) {
    return { kind: "stop", message: failureMessage(context, failed) };
  }
  return { kind: "call", tool, arguments: args, speak, writes: true };
}

/** The user rejected the write, its confirmation expired, or the tool refused it. */
export function failureMessage({ phrases, request }: DemoContext, failed: Observation): string {
  if (failed.text.startsWith("Rejected: expired")) return phrases.expired;
  const rejected = /^Rejected by the user(?:\.|: ([\s\S]*?)\.?) The call did not run\.$/.exec(failed.text);
  return rejected
    ? phrases.rejected(rejected[1] ?? "")
    : phrases.refused(translateLine(request.language, firstLine(failed.text)));
}

export const rejectionReason = (prompt: ParsedPrompt): string =>
  prompt.dialogue
    .findLast(({ text }) => text.startsWith("(rejected)"))
    ?.text.slice("(rejected)".length)
    .trim() ?? "";

const SAME_QUESTION_MAX = 2;

export function ask({ prompt, phrases }: DemoContext, question: string, choices: readonly string[]): NextAction {
  // The choices may follow on the lines below the question.
  const asked = prompt.dialogue.filter(({ role, text }) => role === "assistant" && firstLine(text) === question).length;
  return asked < SAME_QUESTION_MAX ? { kind: "ask", question, choices } : { kind: "stop", message: phrases.not_sure };
}

export const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";
