// What a phase may want, and the small questions every phase asks of the prompt: was it seen, was it refused, was it asked.
import type { ReadPrompt, Seen } from "./read-prompt.ts";
import { inLanguage } from "./translate.ts";
import { type Scene, TOOL_OF } from "./workflow.ts";

export type Act =
  | {
      readonly do: "call";
      readonly tool: string;
      readonly arguments: Record<string, unknown>;
      readonly speak: string;
      readonly writes: boolean;
    }
  | { readonly do: "ask"; readonly question: string; readonly choices: readonly string[] }
  | { readonly do: "stop"; readonly message: string }
  | { readonly do: "finish" };

type Arguments = Readonly<Record<string, unknown>>;

const isSame = (a: Arguments, b: Arguments): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
const sorted = (value: Arguments) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

/** The observations of this run: those from its first look on. Before that look there are none. */
export function seenInRun({ prompt, phases }: Scene): readonly Seen[] {
  const begun = prompt.planned ? prompt.step > 0 || prompt.held.length > 0 : prompt.held.length > 0;
  const tool = TOOL_OF[phases[0] ?? "overview"];
  const from = prompt.seen.findLastIndex((seen) => seen.tool === tool && seen.ok);
  return begun || prompt.wanted === "delivery" || prompt.write_failed ? prompt.seen.slice(Math.max(0, from)) : [];
}

/** The newest success of a tool in this run, with these arguments if some are given. */
export const observed = (scene: Scene, tool: string, args?: Arguments): Seen | undefined =>
  seenInRun(scene).findLast((seen) => seen.ok && seen.tool === tool && (!args || isSame(seen.arguments, args)));

/** A look that is there already finishes the phase; one that the tool refused is not sent twice. */
export function look(scene: Scene, tool: string, args: Record<string, unknown>, speak: string): Act | Seen {
  const found = observed(scene, tool, args);
  if (found) return found;
  const newest = scene.prompt.seen.at(-1);
  const refused = newest && !newest.ok && newest.tool === tool && isSame(newest.arguments, args);
  if (refused) return { do: "stop", message: scene.words.refused(firstLine(newest.text)) };
  return { do: "call", tool, arguments: args, speak, writes: false };
}

export const isAct = (value: object): value is Act => "do" in value;

/** Proposes a write, unless it is done or was refused in exactly this form. */
export function propose(scene: Scene, tool: string, args: Record<string, unknown>, speak: string): Act {
  const { prompt } = scene;
  if (prompt.held.some(({ kind }) => kind === "write")) return { do: "finish" };
  const failed = seenInRun(scene).findLast((seen) => !seen.ok && seen.tool === tool);
  if (prompt.write_failed && failed && isSame(failed.arguments, args)) {
    return { do: "stop", message: whyNot(scene, failed) };
  }
  return { do: "call", tool, arguments: args, speak, writes: true };
}

/** Why a write did not happen: a person said no, nobody said anything, or the tool refused. */
export function whyNot({ words, wish }: Scene, failed: Seen): string {
  if (failed.text.startsWith("Rejected: expired")) return words.expired;
  const rejected = /^Rejected by the user(?:\.|: ([\s\S]*?)) The call did not run\.$/.exec(failed.text);
  return rejected
    ? words.rejected(rejected[1] ?? "")
    : words.refused(inLanguage(wish.language, firstLine(failed.text)));
}

/** Why the user said no, in the user's words. */
export const reasonIn = (prompt: ReadPrompt): string =>
  prompt.said
    .findLast(({ text }) => text.startsWith("(rejected)"))
    ?.text.slice("(rejected)".length)
    .trim() ?? "";

const ASKED_MAX = 2;

/** The same question twice is enough. */
export function ask({ prompt, words }: Scene, question: string, choices: readonly string[]): Act {
  // The choices may stand below the question.
  const asked = prompt.said.filter(({ who, text }) => who === "assistant" && firstLine(text) === question).length;
  return asked < ASKED_MAX ? { do: "ask", question, choices } : { do: "stop", message: words.not_sure };
}

export const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";
