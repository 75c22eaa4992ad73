// Opens gates. A gate contains what a person will see and is bound to the record that opens it.
import { isoTime } from "../../ports/clock.ts";
import { type AskedQuestion, questionsText } from "../../schema/decision/questions.ts";
import type {
  ConfirmationGate,
  DoubtGate,
  PlanGate,
  QuestionGate,
  StoredCall,
  SuspendGate,
} from "../../schema/gate.ts";
import type { GateId } from "../../schema/ids.ts";
import type { Plan } from "../../schema/plan.ts";
import type { Thread } from "../../schema/record.ts";
import type { ActiveCall } from "../../schema/thread.ts";
import { escapeHidden, formatArguments } from "../../tools/redaction/escape-hidden.ts";
import { truncateBytes } from "../../tools/truncate-text.ts";
import { summaryLine } from "../act/receipts.ts";
import { amend, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { REASON_BYTES } from "../judge/remembered.ts";
import type { ConfirmationReason, PreparedCall } from "../judge/ruling.ts";
import type { Runtime } from "../runtime.ts";
import { callDigest, planDigest } from "./digest.ts";
import { rememberOptions } from "./remember.ts";

/** Longer text is truncated, because a gate is part of the state, and the state is limited in size. */
export const GATE_TEXT_BYTES = 2_048;
const REASONS_MAX = 6;
const REASON_CHARS = 400;

export const gateHead = (rt: Runtime, thread: Thread, text: string, expires_in_s: number | null) => {
  const now = rt.clock.now();
  return {
    id: rt.ids.make("gat") as GateId,
    text: truncateBytes(text, GATE_TEXT_BYTES),
    created_at: isoTime(now),
    expires_at: expires_in_s === null ? null : isoTime(now + expires_in_s * 1000),
    version: thread.version + 1,
  };
};

export function planGate(
  { rt, request, thread }: TurnContext,
  steps: Plan,
  text: string,
  first_call: StoredCall | null = null,
): PlanGate {
  const head = gateHead(rt, thread, text, null);
  const digest = planDigest(rt.hash, { ...request.at, version: head.version, steps });
  return { ...head, kind: "plan", digest, steps, ...(first_call && { first_call }) };
}

/** Builds the gate of a suspended role. Hidden characters are made visible, because the text comes from the role. */
export const suspendGate = ({ rt, thread }: TurnContext, role: string, text: string, failed: boolean): SuspendGate => ({
  ...gateHead(rt, thread, escapeHidden(text), null),
  kind: "suspend",
  role,
  failed,
});

export type Question = {
  readonly text: string;
  readonly choices: readonly string[];
  readonly default: string | null;
  readonly expires_in_s: number | null;
  /** Set for several questions, or for one with several answers. `text` then introduces them. */
  readonly questions?: readonly AskedQuestion[] | undefined;
  readonly continues?: QuestionGate["continues"];
};

export function questionGate(rt: Runtime, thread: Thread, question: Question): QuestionGate {
  const { questions = [], continues } = question;
  const asked = { kind: "question", default: question.default, ...(continues && { continues }) } as const;
  const [first, ...more] = questions;
  const isPlain = more.length === 0 && !first?.multiple;
  if (!first || isPlain) {
    const text = first?.question ?? question.text;
    const choices = [...(first?.choices ?? question.choices)];
    return { ...gateHead(rt, thread, text, question.expires_in_s), ...asked, choices };
  }
  const listed = [...questions];
  // A client that supports only one question with one answer shows the text, and its answer is accepted.
  const text = more.length === 0 ? first.question : questionsText(question.text, questions);
  const choices = more.length === 0 ? [...first.choices] : [];
  return { ...gateHead(rt, thread, text, question.expires_in_s), ...asked, choices, questions: listed };
}

/** Adds an open question to the state, and its text for clients that show only text. */
export function withQuestion({ rt, thread }: TurnContext, draft: Draft, question: Question): Draft {
  const gate = questionGate(rt, thread, question);
  const { text, choices, questions } = gate;
  const single = [{ question: text, choices, multiple: false }];
  const speak = questionsText("", questions?.length === 1 ? questions : single);
  return amend(draft, { state: { gate, idle: 0 }, entry: { speak }, signals: [{ type: "question.asked" }] });
}

export type GatedCall = {
  readonly stored: StoredCall;
  readonly call: PreparedCall;
  /** What the tool says the call would change, or null if it does not say. */
  readonly preview: string | null;
};

export function confirmationGate(
  { rt, request, thread }: TurnContext,
  { stored, call, preview }: GatedCall,
  text: string,
  reasons: readonly ConfirmationReason[],
): ConfirmationGate {
  const head = gateHead(rt, thread, escapeHidden(text), rt.config.gate_expire_after_s);
  const digest = callDigest(rt.hash, {
    ...request.at,
    version: head.version,
    tool: stored.name,
    manifest_version: stored.manifest_version,
    arguments: call.arguments,
  });
  const listed = reasons.slice(0, REASONS_MAX).map(({ code, text, kinds }) => ({
    code,
    text: escapeHidden(truncateBytes(text, REASON_BYTES)),
    ...(kinds && { kinds: [...kinds] }),
  }));
  const remember = rememberOptions(thread.state, call, reasons);
  const shown = formatArguments(call.arguments);
  const seen = preview === null ? {} : { preview };
  return { ...head, kind: "confirmation", digest, call: stored, shown, ...seen, reasons: listed, remember };
}

export function doubtText({ call: request, intended, tries }: ActiveCall): string {
  const attempts = tries > 1 ? `, sent ${tries} times,` : "";
  return `${request.name} was started at ${intended.started_at}${attempts} and its outcome is unknown. Find out whether it happened, then answer.`;
}

/** Builds the gate for a call in doubt. `reason` is the last text that the tool reported; it is untrusted and shown only to the person. */
export function doubtGate(rt: Runtime, thread: Thread, acting: ActiveCall, reason: string | null): DoubtGate {
  const lastOutput = reason
    ? ` It last reported: ${escapeHidden(truncateBytes(summaryLine(reason, REASON_CHARS), REASON_BYTES))}`
    : "";
  const head = gateHead(rt, thread, `${doubtText(acting)}${lastOutput}`, null);
  return { ...head, kind: "doubt", call: acting.call, intended: acting.intended };
}
