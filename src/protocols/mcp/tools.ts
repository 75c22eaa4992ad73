// Implements the tools of the MCP server. The reader of a result may be a model, so a result contains the URL of the
// console and never a link that grants a right by itself. A model may approve only if the configuration allows it and
// its key has the scope `confirm`.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { requireScope } from "../../http/edge/caller.ts";
import type { Ctx } from "../../http/env.ts";
import { hydrateGate } from "../../http/hydrate-gate.ts";
import { settleOrphans } from "../../jobs/crew/settle-orphans.ts";
import { hasExpired } from "../../schema/gate.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { TurnInput } from "../../schema/input.ts";
import { PLAN_TOOL } from "../../schema/manifest.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { loadThread } from "../../turn/load.ts";
import { nextAction } from "../../turn/view.ts";
import { answerFor, type ForeignAnswer, mayAnswer, mayNotAnswer } from "../shared/answer-gate.ts";
import { createPartReader, type Part } from "../shared/parts.ts";
import { type FoundThread, findThread, prepareRun } from "../shared/prepare-run.ts";
import { createProtocolRun, runThread } from "../shared/run-thread.ts";
import { progressOf, readState, traceOf } from "./call-context.ts";
import {
  type Call,
  canElicit,
  decisionLines,
  elicitedInput,
  inboxAddress,
  isDismissed,
  type McpSdk,
} from "./elicitation.ts";
import { sdkError } from "./errors.ts";
import { formOf } from "./gate-form.ts";
import { data, failed, gateView, type RunSummary, resultOf, viewOf, withThread } from "./results.ts";

type RunInput = {
  readonly goal?: string | undefined;
  readonly thread?: string | undefined;
  readonly message?: string | undefined;
  readonly agent?: string | undefined;
};

export async function runTool(call: Call, input: RunInput) {
  const { c, ctx, sdk } = call;
  const state = readState(ctx);
  if (!state.ok) return failed(state.problem);
  const repeated = state.value;
  const text = repeated ? null : (input.message ?? input.goal ?? null);
  const named = repeated?.thread ?? input.thread;
  if (!named && text === null) return failed(fail("request_invalid", "Pass a goal or a thread.").problem);
  const found = await findThread(c, "mcp", named ?? c.get("options").rt.ids.make("req"));
  if (!found.ok) return failed(found.problem);
  const gate = found.value.thread?.state.gate ?? null;
  if (repeated && gate && isDismissed(call, gate)) return stillWaiting(call, found.value);
  const chosen = repeated ? elicitedInput(call, gate) : ok(text === null ? null : ({ type: "message", text } as const));
  if (!chosen.ok) return failed(chosen.problem);
  const ran = await runOrSummary(call, found.value, chosen.value, input.agent);
  if (!ran.ok) return failed(ran.problem);
  const { said } = ran.value;
  const open = ran.value.head.state.gate;
  if (open && canElicit(call, open))
    return sdk.inputRequired({
      inputRequests: {
        [open.id]: sdk.inputRequired.elicit({
          message: [...decisionLines(open), said].join("\n\n"),
          requestedSchema: formOf(open) as never,
        }),
      },
      requestState: JSON.stringify({ thread: found.value.at.thread }),
    });
  return resultOf(c, found.value.at.thread, ran.value);
}

/** The user closed the form without an answer, which decides nothing. */
async function stillWaiting({ c }: Call, { at, thread }: FoundThread): Promise<CallToolResult> {
  const standing = thread && (await summaryOf(c, at, thread));
  if (!standing?.head.state.gate) return failed(fail("gate_closed", "No gate is open.").problem);
  return resultOf(c, at.thread, { ...standing, said: `Not answered yet: ${standing.head.state.gate.text}` });
}

/**
 * A client that timed out calls again without a message. In the meantime the run may have ended or reached a gate, so
 * only its state is returned if there is nothing to do.
 */
async function runOrSummary(
  call: Call,
  found: FoundThread,
  input: TurnInput | null,
  agent?: string,
): Promise<Result<RunSummary>> {
  const { at, thread } = found;
  if (input !== null) return run(call, found, input, agent);
  if (!thread) return fail("request_invalid", "thread: does not exist yet, so a message or a goal is missing.");
  const now = call.c.get("options").rt.clock.now();
  const { gate } = thread.state;
  const advances = nextAction(thread.state) === "advance" || (gate && hasExpired(gate, now));
  const standing = advances ? null : await summaryOf(call.c, at, thread);
  return standing ? ok(standing) : run(call, found, null, agent);
}

async function summaryOf(c: Ctx, at: ThreadRef, thread: Thread): Promise<RunSummary | null> {
  const last = thread.entries.at(-1);
  if (!last) return null;
  const gate = await hydrateGate(c.get("options").rt, at, thread.state.gate);
  return { head: { ...last, state: { ...thread.state, gate } }, said: last.entry.speak ?? "", calls: [] };
}

async function run(
  { c, ctx }: Pick<Call, "c" | "ctx">,
  found: FoundThread,
  input: TurnInput | null,
  agent?: string,
): Promise<Result<RunSummary>> {
  const scope = requireScope(c.get("caller"), "advance");
  if (!scope.ok) return scope;
  const prepared = await prepareRun(c, "mcp", found, { input, agent });
  if (!prepared.ok) return prepared;
  const { rt } = c.get("options");
  const source = { ...createProtocolRun(c, found.at), caller: { ...c.get("caller"), ...traceOf(ctx) } };
  const read = createPartReader(rt, found.at, found.thread);
  const lines: string[] = [];
  const calls: object[] = [];
  const progress = progressOf(ctx);
  let head: ThreadRecord | null = null;
  for await (const event of runThread(source, { ...prepared.value.start, ends_at_sub_agents: true })) {
    if (event.type === "problem") return { ok: false, problem: withThread(event.problem, found.at.thread) };
    if (event.type !== "record") continue;
    head = event.record;
    if (head.entry.speak) lines.push(head.entry.speak);
    calls.push(...(await read(head)).flatMap(callView));
    await progress?.(head);
  }
  if (!head) return fail("nothing_to_do", "There is nothing to do.");
  const gate = await hydrateGate(rt, found.at, head.state.gate);
  return ok({ head: { ...head, state: { ...head.state, gate } }, said: lines.join("\n\n"), calls });
}

const callView = (part: Part): readonly object[] =>
  part.kind === "result" && part.name !== PLAN_TOOL
    ? [{ id: part.id, name: part.name, arguments: part.arguments, status: part.status, text: part.text }]
    : [];

export async function answerGate(
  { c, ctx }: Pick<Call, "c" | "ctx">,
  input: ForeignAnswer & { thread: string; gate_id: string },
): Promise<CallToolResult> {
  const found = await findThread(c, "mcp", input.thread);
  if (!found.ok) return failed(found.problem);
  const gate = found.value.thread?.state.gate;
  if (gate?.id !== input.gate_id) return failed(fail("gate_closed", `Gate ${input.gate_id} is not open.`).problem);
  if (!mayAnswer(c, "mcp", gate)) return failed(mayNotAnswer("mcp", gate, inboxAddress(c)).problem);
  const answer = answerFor(gate, input);
  if (!answer.ok) return failed(answer.problem);
  const ran = await run({ c, ctx }, found.value, answer.value);
  return ran.ok ? resultOf(c, found.value.at.thread, ran.value) : failed(ran.problem);
}

export async function showThread(c: Ctx, id: string): Promise<CallToolResult> {
  const found = await findThread(c, "mcp", id);
  if (!found.ok) return failed(found.problem);
  const { at } = found.value;
  const thread = await loadThread(c.get("options").rt, at);
  if (!thread.ok) return failed(thread.problem);
  return data(viewOf(c, at.thread, thread.value), thread.value.state.goal);
}

export async function listThreads(c: Ctx, sdk: McpSdk) {
  const metas = await c.get("options").rt.store.list(c.get("caller").tenant, { limit: 50 });
  if (!metas.ok) throw sdkError(sdk, metas.problem);
  return metas.value.map(({ thread, goal }) => ({
    uri: `pawl://threads/${thread}`,
    name: goal || thread,
    mimeType: "application/json",
  }));
}

export async function listGates(c: Ctx): Promise<CallToolResult> {
  const { rt } = c.get("options");
  const metas = await rt.store.list(c.get("caller").tenant, { gated: true, limit: 50 });
  if (!metas.ok) return failed(metas.problem);
  const settled = await settleOrphans(rt, c.get("caller").tenant, metas.value);
  const open = metas.value.flatMap(({ thread, gate }) =>
    gate && !settled.has(thread) && !hasExpired(gate, rt.clock.now()) ? [{ thread, ...gateView(c, thread, gate) }] : [],
  );
  return data(
    { gates: open },
    open.map(({ kind, text, console }) => `${kind}: ${text} (${console})`).join("\n") || "Nothing waits.",
  );
}
