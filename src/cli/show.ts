// Implements `pawl show`, which prints a thread: its state, its plan with proofs, and every turn.
import type { TurnResponse } from "../client/client.ts";
import type { Entry } from "../schema/record.ts";
import { type Connection, type ServerOptions, withConnection } from "./connect.ts";
import { t } from "./messages/messages.ts";
import {
  colorize,
  type ExitCode,
  escapeControl,
  indent,
  type JsonOption,
  printLine,
  printResult,
  reportProblem,
  terminalLine,
} from "./output.ts";
import { planLines } from "./plan-lines.ts";
import { receiptLine } from "./watch-turn.ts";

type RecordView = Entry & { readonly version: number; readonly size: number };
type Page = { readonly records: readonly RecordView[]; readonly after: number | null };

export const show = (id: string, options: ServerOptions & JsonOption): Promise<ExitCode> =>
  withConnection(options, (connection) => showThread(connection, id, options));

export async function showThread({ client }: Connection, id: string, options: JsonOption): Promise<ExitCode> {
  const thread = await client.get(encodeURIComponent(id));
  if (!thread.ok) return reportProblem(thread.problem);
  const records = await allRecords(client, thread.value.thread.id);
  if (!records.ok) return reportProblem(records.problem);
  const value = { ...thread.value, records: records.value };
  return printResult({ ok: true, value }, options, () => {
    printThread(value);
    for (const record of value.records) printRecord(record);
  });
}

async function allRecords(client: Connection["client"], id: string) {
  const records: RecordView[] = [];
  for (let after = -1; ; ) {
    const page = await client.call<Page>("GET", `/v1/threads/${id}/turns?after=${after}&limit=200`);
    if (!page.ok) return page;
    records.push(...page.value.records);
    if (page.value.after === null) return { ok: true, value: records } as const;
    after = page.value.after;
  }
}

function printThread({ thread, next }: TurnResponse): void {
  printLine(colorize("bold", escapeControl(thread.title ?? thread.goal) || t().noGoal));
  const position = [thread.state, thread.at, thread.outcome].filter(Boolean).join(", ");
  printLine(`${thread.id}  ${position}  ${t().nextAction(next)}`);
  const { background } = thread;
  if (background)
    printLine(
      `${t().background(background.status)}${background.reason ? `, ${escapeControl(background.reason)}` : ""}`,
    );
  const { used, limit } = thread.budget;
  printLine(colorize("dim", t().usage(thread.version, t().usedOf(used.turns, limit.turns), used.tokens)));
  if (thread.plan) printLine(`\n${t().plan}\n${indent(planLines(thread.plan, thread))}`);
  if (thread.gate?.kind === "plan")
    printLine(`\n${t().planNotApproved}\n${indent(planLines(thread.gate.steps, null))}`);
  if (thread.gate) printLine(colorize("yellow", t().waitingGate(thread.gate.kind, escapeControl(thread.gate.text))));
  printLine(t().turns);
}

function printRecord(record: RecordView): void {
  const { turn, actor, at, decision, speak, receipts, problem, input, corrections } = record;
  const requested = record.create ? ` ${t().created}` : input ? ` ${input.type}` : "";
  const decided = decision ? ` ${decision.value.action}` : "";
  printLine(
    `${String(turn).padStart(3)}  ${colorize("bold", `${requested}${decided}`.trim() || t().record)} ${colorize("dim", `${at} ${escapeControl(actor)}`)}`,
  );
  for (const correction of corrections)
    printLine(colorize("dim", t().corrected(terminalLine(correction.message, 120))));
  if (speak) printLine(indent(escapeControl(speak), "     "));
  for (const receipt of receipts) printLine(`   ${receiptLine(receipt)}`);
  if (problem) printLine(colorize("red", `     ${problem.code}: ${terminalLine(problem.message, 160)}`));
}
