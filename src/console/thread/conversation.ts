// Converts the records of a thread to turns with display lines, without rendering.
import type { Arguments } from "../../schema/decision/decision.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Receipt, SettledReceipt } from "../../schema/receipt.ts";
import type { Entry, Observation, Usage } from "../../schema/record.ts";
import type { RunOutcome } from "../../schema/thread.ts";
import { t } from "../messages/messages.ts";

export type RecordView = Entry & { readonly version: number; readonly size: number };

export type ToolResult = {
  readonly receipt: SettledReceipt;
  readonly arguments: Arguments | null;
  readonly observation: Observation | null;
};

export type Line =
  | { readonly kind: "user"; readonly text: string }
  /** `thread` is the fork that received the message. */
  | {
      readonly kind: "notice";
      readonly tone: "good" | "bad" | "plain";
      readonly text: string;
      readonly thread?: string;
    }
  | { readonly kind: "speak"; readonly text: string }
  | { readonly kind: "result"; readonly result: ToolResult }
  | { readonly kind: "problem"; readonly problem: Problem }
  | { readonly kind: "end"; readonly outcome: RunOutcome; readonly run: number };

export type Turn = {
  readonly number: number;
  readonly run: number;
  readonly at: string;
  readonly records: readonly RecordView[];
  readonly lines: readonly Line[];
};

/** Keeps a turn with unchanged records as the same object, so that views do not render it again. */
export function turnsOf(records: readonly RecordView[], known: readonly Turn[] = []): readonly Turn[] {
  const knownTurns = new Map(known.map((turn) => [turn.number, turn]));
  return [...Map.groupBy(records, (record) => record.turn)].map(([number, turnRecords]) => {
    const before = knownTurns.get(number);
    return before && hasRecords(before, turnRecords) ? before : turnOf(number, turnRecords);
  });
}

const hasRecords = (turn: Turn, records: readonly RecordView[]): boolean =>
  turn.records.length === records.length && turn.records.every((record, i) => record === records[i]);

const turnOf = (number: number, records: readonly RecordView[]): Turn => ({
  number,
  run: records[0]?.run ?? 0,
  at: records.at(-1)?.at ?? "",
  records,
  lines: records.flatMap(linesOf),
});

const notice = (tone: "good" | "bad" | "plain", text: string): Line => ({ kind: "notice", tone, text });

function linesOf(record: RecordView): readonly Line[] {
  const { notices } = t();
  if (record.renamed !== undefined) return [notice("plain", notices.renamed(record.actor, record.renamed))];
  if (record.rolled_back)
    return [{ kind: "notice", tone: "plain", text: notices.rolledBack(record.actor), thread: record.rolled_back.to }];
  if (isBackgroundChange(record)) return [notice("plain", notices.background(record.actor))];
  const lines: Line[] = [...userLines(record), ...gateNotices(record)];
  if (record.speak) lines.push({ kind: "speak", text: t().turn.written(record.speak) });
  for (const receipt of record.receipts) {
    if (receipt.kind !== "settled" || receipt.source === "user_reply") continue;
    if (receipt.contradicts) lines.push(notice("bad", notices.contradiction));
    lines.push({ kind: "result", result: resultOf(record, receipt) });
  }
  if (record.problem) lines.push({ kind: "problem", problem: record.problem });
  const outcome = outcomeOf(record.signals);
  if (outcome) lines.push({ kind: "end", outcome, run: record.run });
  return lines;
}

/** Reports whether a record only turned the background run on, paused it or marked it dead. */
const isBackgroundChange = (record: RecordView): boolean =>
  record.version > 0 &&
  !record.input &&
  !record.decision &&
  !record.speak &&
  !record.closed_gate &&
  !record.problem &&
  !record.rolled_back &&
  record.renamed === undefined &&
  record.receipts.length === 0 &&
  record.signals.length === 0;

const resultOf = (record: RecordView, receipt: SettledReceipt): ToolResult => ({
  receipt,
  arguments: record.call?.arguments ?? null,
  observation: record.observation?.receipt_id === receipt.id ? record.observation : null,
});

function userLines({ create, input }: RecordView): readonly Line[] {
  if (create?.goal) return [{ kind: "user", text: create.goal }];
  switch (input?.type) {
    case "message":
      return [{ kind: "user", text: input.text }];
    case "answer":
      return [{ kind: "user", text: answerText(input) }];
    case "reset":
      return [notice("plain", t().notices.reset)];
    default:
      return [];
  }
}

type AnswerInput = Extract<NonNullable<RecordView["input"]>, { type: "answer" }>;

const answerText = ({ choice, text, answers }: AnswerInput): string =>
  answers?.map((one) => [...(one.choices ?? []), ...(one.text ? [one.text] : [])].join("; ")).join("\n") ??
  choice ??
  text ??
  "";

function gateNotices({ actor, input, closed_gate, call }: RecordView): readonly Line[] {
  const { notices } = t();
  if (!closed_gate) return input?.type === "cancel" ? [notice("bad", notices.cancelled(actor))] : [];
  const subject = closed_gate.kind === "plan" ? notices.thePlan : (call?.name ?? notices.theCall);
  const confirm = input?.type === "confirm" ? input : null;
  switch (closed_gate.how) {
    case "approved":
      return [notice("good", notices.approved(actor, subject, confirm?.edited_arguments !== undefined))];
    case "rejected":
      return [notice("bad", notices.rejected(actor, subject, confirm?.reason ?? ""))];
    case "expired":
      return [notice("bad", closed_gate.kind === "question" ? notices.questionExpired : notices.approvalExpired)];
    case "cancelled":
      return [notice("bad", notices.cancelled(actor))];
    default:
      return input?.type === "resolve"
        ? [notice("plain", notices.resolved(actor, notices.resolutions[input.outcome]))]
        : [];
  }
}

const OUTCOMES_BY_SIGNAL: readonly (readonly [string, RunOutcome])[] = [
  ["run.delivered", "completed"],
  ["run.answered", "completed"],
  ["run.aborted", "aborted"],
  ["run.exhausted", "exhausted"],
  ["run.cancelled", "cancelled"],
];

export const outcomeOf = (signals: readonly string[]): RunOutcome | null =>
  OUTCOMES_BY_SIGNAL.find(([signal]) => signals.includes(signal))?.[1] ?? null;

/** Returns the newest value that any record of the turn has. */
export const latestIn = <T>(turn: Turn, pick: (record: RecordView) => T | null): T | null =>
  turn.records.reduce<T | null>((latest, record) => pick(record) ?? latest, null);

export const receiptsOf = (turn: Turn): readonly Receipt[] => turn.records.flatMap((record) => record.receipts);

export const storedBytes = (turn: Turn): number => turn.records.reduce((sum, record) => sum + record.size, 0);

export const usageOf = (turn: Turn): Usage | null => latestIn(turn, (record) => record.usage);

export function headline(turn: Turn): string {
  const decision = latestIn(turn, (record) => record.decision)?.value ?? null;
  const call = latestIn(turn, (record) => record.call);
  const input = turn.records[0]?.input?.type ?? null;
  const code = decision?.action ?? (turn.number === 0 ? null : input);
  const action = code ? t().turn.action(code) : turn.number === 0 ? t().turn.created : actionWithoutInput(turn);
  return call ? `${action} · ${call.name}` : action;
}

function actionWithoutInput(turn: Turn): string {
  if (turn.records.some((record) => record.rolled_back)) return t().turn.toFork;
  if (turn.records.some((record) => record.renamed !== undefined)) return t().turn.renamed;
  if (turn.records.every(isBackgroundChange)) return t().turn.backgroundRun;
  if (turn.records.some((record) => record.problem)) return t().turn.failedTurn;
  return turn.records.some((record) => outcomeOf(record.signals) === "completed")
    ? t().turn.delivered
    : t().turn.advanced;
}

export const turnOfReceipt = (turns: readonly Turn[], id: string): number | null =>
  turns.find((turn) => receiptsOf(turn).some((receipt) => receipt.id === id))?.number ?? null;
