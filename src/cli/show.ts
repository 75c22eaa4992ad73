// `pawl show`: a thread for reading: where it stands, its plan with the proofs, what every turn did.
import type { TurnResponse } from "../client/client.ts";
import type { Entry } from "../schema/record.ts";
import { type Connection, connected, type Where } from "./connect.ts";
import { planLines } from "./plan-lines.ts";
import { DONE, type ExitCode, indent, oneLine, PROBLEM, paint, plain, say, sayJson, tellProblem } from "./screen.ts";
import { receiptLine } from "./watch-turn.ts";

export type ShowOptions = { readonly json?: boolean };
type ShownRecord = Entry & { readonly version: number; readonly size: number };
type Page = { readonly records: readonly ShownRecord[]; readonly after: number | null };

export const show = (id: string, options: Where & ShowOptions): Promise<ExitCode> =>
  connected(options, (to) => showThread(to, id, options));

export async function showThread({ client }: Connection, id: string, options: ShowOptions): Promise<ExitCode> {
  const thread = await client.get(encodeURIComponent(id));
  const records = thread.ok ? await allRecords(client, thread.value.thread.id) : thread;
  if (!thread.ok || !records.ok) {
    if (!records.ok) tellProblem(records.problem);
    return PROBLEM;
  }
  if (options.json) {
    sayJson({ ...thread.value, records: records.value });
    return DONE;
  }
  sayHead(thread.value);
  for (const record of records.value) sayRecord(record);
  return DONE;
}

async function allRecords(client: Connection["client"], id: string) {
  const records: ShownRecord[] = [];
  for (let after = -1; ; ) {
    const page = await client.call<Page>("GET", `/v1/threads/${id}/turns?after=${after}&limit=200`);
    if (!page.ok) return page;
    records.push(...page.value.records);
    if (page.value.after === null) return { ok: true, value: records } as const;
    after = page.value.after;
  }
}

function sayHead({ thread, next }: TurnResponse): void {
  say(paint("bold", plain(thread.goal) || "(no goal yet)"));
  const where = [thread.state, thread.at, thread.outcome].filter(Boolean).join(", ");
  say(`${thread.id}  ${where}  next: ${next}`);
  const { background } = thread;
  if (background)
    say(`in the background: ${background.status}${background.reason ? `, ${plain(background.reason)}` : ""}`);
  const { used, limit } = thread.budget;
  say(paint("dim", `version ${thread.version}, ${used.turns} of ${limit.turns} turns, ${used.tokens} tokens`));
  if (thread.plan) say(`\nPlan\n${indent(planLines(thread.plan, thread))}`);
  if (thread.gate?.kind === "plan") say(`\nPlan, not approved yet\n${indent(planLines(thread.gate.steps, null))}`);
  if (thread.gate) say(paint("yellow", `\nWaits (${thread.gate.kind}): ${plain(thread.gate.text)}`));
  say("\nTurns");
}

function sayRecord(record: ShownRecord): void {
  const { turn, actor, at, decision, speak, receipts, problem, input, corrections } = record;
  const asked = record.create ? " created" : input ? ` ${input.type}` : "";
  const decided = decision ? ` ${decision.value.action}` : "";
  say(
    `${String(turn).padStart(3)}  ${paint("bold", `${asked}${decided}`.trim() || "record")} ${paint("dim", `${at} ${plain(actor)}`)}`,
  );
  for (const correction of corrections) say(paint("dim", `     corrected: ${oneLine(correction.message, 120)}`));
  if (speak) say(indent(plain(speak), "     "));
  for (const receipt of receipts) say(`   ${receiptLine(receipt)}`);
  if (problem) say(paint("red", `     ${problem.code}: ${oneLine(problem.message, 160)}`));
}
