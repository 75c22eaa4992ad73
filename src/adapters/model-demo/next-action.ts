// What a phase may want, and the small questions every phase asks of the prompt: was it seen, was it refused, was it asked.
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

/** The observations of this run: those from its first look on. Before that look there are none. */
export function observationsInRun({ prompt, phases }: DemoContext): readonly Observation[] {
  const hasStarted = prompt.planned ? prompt.step > 0 || prompt.receipts.length > 0 : prompt.receipts.length > 0;
  const tool = TOOL_OF[phases[0] ?? "overview"];
  const from = prompt.observations.findLastIndex((observation) => observation.tool === tool && observation.ok);
  return hasStarted || prompt.expectedReply === "delivery" || prompt.write_failed
    ? prompt.observations.slice(Math.max(0, from))
    : [];
}

/** The newest success of a tool in this run, with these arguments if some are given. */
export const findObservation = (context: DemoContext, tool: string, args?: Arguments): Observation | undefined =>
  observationsInRun(context).findLast(
    (observation) =>
      observation.ok && observation.tool === tool && (!args || sameArguments(observation.arguments, args)),
  );

/** A look that is there already finishes the phase; one that the tool refused is not sent twice. */
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

/** Proposes a write, unless it is done or was refused in exactly this form. */
export function propose(context: DemoContext, tool: string, args: Record<string, unknown>, speak: string): NextAction {
  const { prompt } = context;
  if (prompt.receipts.some(({ kind }) => kind === "write")) return { kind: "finish" };
  const failed = observationsInRun(context).findLast((observation) => !observation.ok && observation.tool === tool);
  if (prompt.write_failed && failed && sameArguments(failed.arguments, args)) {
    return { kind: "stop", message: failureMessage(context, failed) };
  }
  return { kind: "call", tool, arguments: args, speak, writes: true };
}

/** Why a write did not happen: a person said no, nobody said anything, or the tool refused. */
export function failureMessage({ phrases: words, request: wish }: DemoContext, failed: Observation): string {
  if (failed.text.startsWith("Rejected: expired")) return words.expired;
  const rejected = /^Rejected by the user(?:\.|: ([\s\S]*?)) The call did not run\.$/.exec(failed.text);
  return rejected
    ? words.rejected(rejected[1] ?? "")
    : words.refused(translateLine(wish.language, firstLine(failed.text)));
}

/** Why the user said no, in the user's words. */
export const rejectionReason = (prompt: ParsedPrompt): string =>
  prompt.said
    .findLast(({ text }) => text.startsWith("(rejected)"))
    ?.text.slice("(rejected)".length)
    .trim() ?? "";

const SAME_QUESTION_MAX = 2;

/** The same question twice is enough. */
export function ask({ prompt, phrases: words }: DemoContext, question: string, choices: readonly string[]): NextAction {
  // The choices may stand below the question.
  const asked = prompt.said.filter(({ who, text }) => who === "assistant" && firstLine(text) === question).length;
  return asked < SAME_QUESTION_MAX ? { kind: "ask", question, choices } : { kind: "stop", message: words.not_sure };
}

export const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";
