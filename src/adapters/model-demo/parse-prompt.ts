// Parses the four messages: goal, dialogue, observations and progress. Does not interpret the user's request.
import type { ModelMessage } from "../../ports/model.ts";
import { parseJson } from "../../schema/json/parse-json.ts";

export type DialogueMessage = { readonly role: "user" | "assistant" | "runtime"; readonly text: string };

/** An observation that the prompt shows in full. */
export type Observation = {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly receipt: string;
  readonly ok: boolean;
  readonly text: string;
};

export type StepReceipt = { readonly kind: "write" | "observation" | "reply"; readonly receipt: string };

export type ParsedPrompt = {
  readonly expectedReply: "plan" | "execute" | "delivery";
  /** Names of the tools offered in message [0]. */
  readonly tools: ReadonlySet<string>;
  /** The date of this turn, or null if the prompt shows none. */
  readonly today: string | null;
  readonly goal: string;
  /** The dialogue before this run, oldest first. */
  readonly earlier: readonly DialogueMessage[];
  /** The dialogue of this run after the goal, oldest first. */
  readonly dialogue: readonly DialogueMessage[];
  /** True if the last user message arrived in this turn. */
  readonly hasNewMessage: boolean;
  readonly observations: readonly Observation[];
  /** Observations that are folded to one line, oldest first. */
  readonly folded: readonly Pick<Observation, "tool" | "receipt" | "ok">[];
  /** Counted from 0; a direct run has one step. */
  readonly step: number;
  readonly steps: number;
  readonly planned: boolean;
  /** The content of each step that the prompt shows. */
  readonly plan: readonly string[];
  /** Receipts of the current step, or of all steps for a delivery. */
  readonly receipts: readonly StepReceipt[];
  readonly write_failed: boolean;
  readonly plan_rejected: boolean;
  /** How often the reply of this turn was corrected. */
  readonly corrections: number;
};

export function parsePrompt(messages: readonly ModelMessage[]): ParsedPrompt {
  const [rules = "", dialogue = "", record = "", state = ""] = messages.map((message) => message.content);
  const [, step, steps] = /^Current step: (\d+) of (\d+):/m.exec(state) ?? [];
  return {
    expectedReply: expectedReplyIn(state),
    tools: new Set(
      [...rules.matchAll(/^## ([a-z][a-z0-9_]*): (?:reads|changes|external)/gm)].map((match) => match[1] ?? ""),
    ),
    today: /^Run \d.* Now: .*?(\d{4}-\d\d-\d\d)/m.exec(state)?.[1] ?? null,
    ...readDialogue(dialogue),
    observations: readRecord(record),
    folded: [...record.matchAll(FOLDED)].map(([, shortTool, size, tool, result, receipt = ""]) => ({
      tool: shortTool ?? tool ?? "",
      receipt,
      ok: !/^(?:failed|rejected)\b/.test(size ?? result ?? ""),
    })),
    step: Number(step ?? 1) - 1,
    steps: Number(steps ?? 1),
    planned: step !== undefined,
    // The result of a finished step follows its content.
    plan: [...state.matchAll(/^\[[x> ]\] \d+\. (.*?)(?: → .*)?$/gm)].map((match) => match[1] ?? ""),
    receipts: readReceipts(state),
    write_failed: /^(?:A write of this step|At least one write) failed or was rejected/m.test(state),
    plan_rejected: /^The user rejected the last plan;/m.test(state),
    corrections: /^# Correction /m.test(state) ? 1 + [...state.matchAll(/^Before that: /gm)].length : 0,
  };
}

/** The oldest folded calls have the short form; the others show the size and why they are outdated. */
const FOLDED =
  /^- (?:t\d+ (\S+) (?:.* )?(\S+)|turn \d+: (?:.* \| )?([a-z][a-z0-9_]*) \{.* \| ((?:failed, |rejected, )?[\d.]+[KM]?B)(?: \| .*)? \| (?:recall|receipt)) (rcp_[0-9a-z]{26})$/gm;

const RECEIPT_LISTS = /^(?:Receipts of this step|The receipts):\n((?:- .*(?:\n|$))*)/m;

/** Receipts of notes prove nothing. */
const readReceipts = (state: string): StepReceipt[] =>
  [...(RECEIPT_LISTS.exec(state)?.[1] ?? "").matchAll(RECEIPT_LINE)].map((match) => ({
    kind: match[1] as StepReceipt["kind"],
    receipt: match[2] ?? "",
  }));

const RECEIPT_LINE =
  /^- (write|observation|reply) (rcp_[0-9a-z]{26}) (?:by \S+, )?ok(?!, turn \d+(?:, approved by [^:]*)?, no proof of its own)/gm;

function expectedReplyIn(state: string): ParsedPrompt["expectedReply"] {
  if (/^Reply with one plan decision/m.test(state)) return "plan";
  return /^Write the delivery/m.test(state) ? "delivery" : "execute";
}

const GOAL = "Goal of this run: ";
const NEW = "user (new in this turn): ";
const SAME_AS_GOAL = "(the goal above)";

function readDialogue(text: string): Pick<ParsedPrompt, "goal" | "earlier" | "dialogue" | "hasNewMessage"> {
  // Continuation lines are indented by two spaces. They are joined, so that each line is one message.
  const lines = text
    .replace(/\n {2}/g, "\u0000")
    .split("\n")
    .map((line) => line.replaceAll("\u0000", "\n"));
  const goal = lines.find((line) => line.startsWith(GOAL))?.slice(GOAL.length) ?? "";
  const since = lines.slice(lines.lastIndexOf("Since then:") + 1);
  const messages = since.flatMap((line) => {
    if (line.startsWith(NEW)) return [{ role: "user" as const, text: line.slice(NEW.length) }];
    const [, role, content] = /^(user|assistant|runtime): ([\s\S]*)$/.exec(line) ?? [];
    return role && content !== undefined ? [{ role: role as DialogueMessage["role"], text: content }] : [];
  });
  const goalIndex = messages.findLastIndex(({ role, text: content }, i) => {
    const isGoal = role === "user" && (content === SAME_AS_GOAL || content === goal);
    // Answering a question with the text of the goal does not begin a new run.
    return isGoal && !isQuestion(messages[i - 1]);
  });
  const earlier = messages.slice(0, Math.max(0, goalIndex));
  const hasNewMessage = lines.at(-1)?.startsWith(NEW) ?? false;
  return { goal, earlier, dialogue: messages.slice(goalIndex + 1), hasNewMessage };
}

/** The choices may follow on the lines below the question. */
const isQuestion = (message: DialogueMessage | undefined): boolean =>
  message?.role === "assistant" && /[??]$/.test(message.text.split("\n", 1)[0] ?? "");

const OBSERVATION =
  /^call: (\S+) (.*)\n<observation of="[^"]*" receipt="([^"]*)" result="(\w+)"[^>]*>\n([\s\S]*?)\n<\/observation>/gm;

const readRecord = (text: string): Observation[] =>
  [...text.matchAll(OBSERVATION)].map(([, tool = "", args = "", receipt = "", result = "", seen = ""]) => ({
    tool,
    arguments: readArguments(args),
    receipt,
    ok: result === "ok",
    text: seen,
  }));

/** Empty if the arguments were too long to show. */
function readArguments(text: string): Record<string, unknown> {
  const value = parseJson(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}
