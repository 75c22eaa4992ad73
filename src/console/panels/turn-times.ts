// Computes how long each turn and each run took and how many tokens it used, and collects what happened in a run.

import type { SettledReceipt } from "../../schema/receipt.ts";
import type { RunOutcome } from "../../schema/thread.ts";
import { type Line, outcomeOf, type Turn, usageOf } from "../thread/conversation.ts";

export type TurnTime = { readonly ms: number | null; readonly tokens: number };
export type RunSummary = {
  readonly run: number;
  readonly turns: number;
  readonly ms: number;
  readonly tokens: number;
  readonly outcome: RunOutcome | null;
};

const tokensOf = (turn: Turn): number => {
  const usage = usageOf(turn);
  return usage ? usage.input_tokens + usage.output_tokens : 0;
};

/** `ms` is the time since the previous turn, including that of a user who answered. */
export const turnTime = (turn: Turn, before: Turn | undefined): TurnTime => ({
  ms: before ? Date.parse(turn.at) - Date.parse(before.at) : null,
  tokens: tokensOf(turn),
});

export function runSummaries(turns: readonly Turn[]): readonly RunSummary[] {
  return [...Map.groupBy(turns, ({ run }) => run)].map(([run, members]) => ({
    run,
    turns: members.length,
    ms: Date.parse(members.at(-1)?.at ?? "") - Date.parse(members[0]?.at ?? ""),
    tokens: members.reduce((sum, turn) => sum + tokensOf(turn), 0),
    outcome: members
      .flatMap(({ records }) => records)
      .reduce<RunOutcome | null>((latest, record) => outcomeOf(record.signals) ?? latest, null),
  }));
}

export type RunContent = {
  readonly goal: string;
  readonly calls: readonly SettledReceipt[];
  readonly answer: string;
};

export function runContent(turns: readonly Turn[], run: number): RunContent {
  const lines = turns.filter((turn) => turn.run === run).flatMap((turn) => turn.lines);
  const textOf = (line: Line | undefined): string => (line && "text" in line ? line.text : "");
  // The goal of the first run is in the record that created the thread.
  const said = (among: readonly Line[]) => among.find(({ kind }) => kind === "user");
  const created = run === 1 ? turns.filter((turn) => turn.run === 0).flatMap((turn) => turn.lines) : [];
  return {
    goal: textOf(said(created) ?? said(lines)),
    calls: lines.flatMap((line) => (line.kind === "result" ? [line.result.receipt] : [])),
    answer: textOf(lines.findLast(({ kind }) => kind === "speak")),
  };
}

/** Toggles a selection of at most two. A third one replaces the first. */
export const toggleSelection = (chosen: readonly number[], one: number): readonly number[] =>
  chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one].slice(-2);
