// The log of a thread as a conversation: records in, turns with their lines out. Draws nothing.
import type { Arguments } from "../../schema/decision/decision.ts";
import type { TurnInput } from "../../schema/input.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Receipt, SettledReceipt } from "../../schema/receipt.ts";
import type { Entry, Observation, Usage } from "../../schema/record.ts";
import type { RunOutcome } from "../../schema/thread.ts";

export type RecordView = Entry & { readonly version: number; readonly size: number };

export type ToolResult = {
  readonly receipt: SettledReceipt;
  readonly arguments: Arguments | null;
  readonly observation: Observation | null;
};

export type Line =
  | { readonly kind: "user"; readonly text: string }
  /** `thread`: another one, where it went on. */
  | { readonly kind: "mark"; readonly tone: "good" | "bad" | "plain"; readonly text: string; readonly thread?: string }
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

export function turnsOf(records: readonly RecordView[]): readonly Turn[] {
  const groups = Map.groupBy(records, (record) => record.turn);
  return [...groups].map(([number, own]) => ({
    number,
    run: own[0]?.run ?? 0,
    at: own.at(-1)?.at ?? "",
    records: own,
    lines: own.flatMap(linesOf),
  }));
}

function linesOf(record: RecordView): readonly Line[] {
  if (record.rolled_back) return [rollbackNotice(record.actor, record.rolled_back.to)];
  if (isBackgroundChange(record))
    return [{ kind: "mark", tone: "plain", text: `${record.actor} switched the background run` }];
  const lines: Line[] = [...userLines(record), ...gateNotices(record)];
  if (record.speak) lines.push({ kind: "speak", text: record.speak });
  for (const receipt of record.receipts) {
    if (receipt.kind !== "settled" || receipt.source === "user_reply") continue;
    if (receipt.contradicts) lines.push({ kind: "mark", tone: "bad", text: CONTRADICTION_TEXT });
    lines.push({ kind: "result", result: resultOf(record, receipt) });
  }
  if (record.problem) lines.push({ kind: "problem", problem: record.problem });
  const outcome = outcomeOf(record.signals);
  if (outcome) lines.push({ kind: "end", outcome, run: record.run });
  return lines;
}

const rollbackNotice = (actor: string, thread: string): Line => ({
  kind: "mark",
  tone: "plain",
  text: `A message of ${actor} takes this run back: it is heard in a copy, and this run goes on`,
  thread,
});

/** On, paused or given up: nothing was asked and nothing was done, and the record has nothing else to tell. */
const isBackgroundChange = (record: RecordView): boolean =>
  record.version > 0 &&
  !record.input &&
  !record.decision &&
  !record.speak &&
  !record.closed_gate &&
  !record.problem &&
  !record.rolled_back &&
  record.receipts.length === 0 &&
  record.signals.length === 0;

const CONTRADICTION_TEXT = "The tool came back later, and says otherwise than what was settled";

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
      return [{ kind: "user", text: input.choice ?? input.text ?? "" }];
    case "reset":
      return [{ kind: "mark", tone: "plain", text: "Reset: it may try again" }];
    default:
      return [];
  }
}

const RESOLUTION_LABELS = {
  happened: "it happened",
  not_happened: "it did not happen",
  try_again: "try again",
  abort: "give up",
} as const;

/** What a person, or time, did to the gate that was open. */
function gateNotices({ actor, input, closed_gate, call }: RecordView): readonly Line[] {
  if (!closed_gate) return cancelNotice(input, actor);
  const subject = closed_gate.kind === "plan" ? "the plan" : (call?.name ?? "the call");
  const reasonText = input?.type === "confirm" && input.reason ? `: “${input.reason}”` : "";
  switch (closed_gate.how) {
    case "approved": {
      const edited = input?.type === "confirm" && input.edited_arguments ? " with changed arguments" : "";
      return [{ kind: "mark", tone: "good", text: `${actor} approved ${subject}${edited}` }];
    }
    case "rejected":
      return [{ kind: "mark", tone: "bad", text: `${actor} rejected ${subject}${reasonText}` }];
    case "expired":
      return [
        { kind: "mark", tone: "bad", text: `Nobody answered in time: ${gateKindLabel(closed_gate.kind)} expired` },
      ];
    case "cancelled":
      return [{ kind: "mark", tone: "bad", text: `${actor} cancelled the run` }];
    default:
      return input?.type === "resolve"
        ? [{ kind: "mark", tone: "plain", text: `${actor} settled the doubt: ${RESOLUTION_LABELS[input.outcome]}` }]
        : [];
  }
}

const gateKindLabel = (kind: string): string => (kind === "question" ? "the question" : "the approval");

const cancelNotice = (input: TurnInput | null, actor: string): readonly Line[] =>
  input?.type === "cancel" ? [{ kind: "mark", tone: "bad", text: `${actor} cancelled the run` }] : [];

const OUTCOMES_BY_SIGNAL: readonly (readonly [string, RunOutcome])[] = [
  ["run.delivered", "completed"],
  ["run.answered", "completed"],
  ["run.aborted", "aborted"],
  ["run.exhausted", "exhausted"],
  ["run.cancelled", "cancelled"],
];

const outcomeOf = (signals: readonly string[]): RunOutcome | null =>
  OUTCOMES_BY_SIGNAL.find(([signal]) => signals.includes(signal))?.[1] ?? null;

/** The newest value that any record of the turn has. */
export const latestIn = <T>(turn: Turn, pick: (record: RecordView) => T | null): T | null =>
  turn.records.reduce<T | null>((latest, record) => pick(record) ?? latest, null);

export const receiptsOf = (turn: Turn): readonly Receipt[] => turn.records.flatMap((record) => record.receipts);

export const storedBytes = (turn: Turn): number => turn.records.reduce((sum, record) => sum + record.size, 0);

export const usageOf = (turn: Turn): Usage | null => latestIn(turn, (record) => record.usage);

/** One line for a folded turn: what was decided, about which tool. */
export function headline(turn: Turn): string {
  const decision = latestIn(turn, (record) => record.decision)?.value ?? null;
  const call = latestIn(turn, (record) => record.call);
  const input = turn.records[0]?.input?.type ?? null;
  const action = decision?.action ?? (turn.number === 0 ? "created" : (input ?? actionWithoutInput(turn)));
  return call ? `${action} · ${call.name}` : action;
}

function actionWithoutInput(turn: Turn): string {
  if (turn.records.some((record) => record.rolled_back)) return "message to a copy";
  return turn.records.every(isBackgroundChange) ? "background run" : "delivered";
}

/** Which turn holds a receipt, for the way from a proof to what happened. */
export const turnOfReceipt = (turns: readonly Turn[], id: string): number | null =>
  turns.find((turn) => receiptsOf(turn).some((receipt) => receipt.id === id))?.number ?? null;
