// What the tools of the MCP server do. The reader of a result may be a model: it gets the address of the console, never a link
// that grants something, and it approves only if the configuration allows it for a key with the scope confirm.
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import type { Ctx } from "../../http/env.ts";
import { hydrateGate } from "../../http/hydrate-gate.ts";
import { checkInput } from "../../http/turn-request.ts";
import { type Gate, hasExpired } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { loadThread } from "../../turn/load.ts";
import { nextAction, threadView } from "../../turn/view.ts";
import { answerFor, externalCall, type ForeignAnswer, mayNotAnswer } from "../shared/answer-gate.ts";
import { consoleAddress, serverAddress } from "../shared/console-address.ts";
import { endProblem, errorText } from "../shared/ended.ts";
import { createPartReader, type Part, PLAN_TOOL } from "../shared/parts.ts";
import { runThread } from "../shared/run-thread.ts";
import { checkStart, newThreadInput, surfaceConfig } from "../shared/start.ts";
import { ensureThread, type FoundThread, findThread } from "../shared/thread-of.ts";
import { type Progress, progressOf, readState } from "./call-context.ts";
import { formOf, readForm } from "./gate-form.ts";

export type McpSdk = typeof import("@modelcontextprotocol/server");

/** What a call of a tool works with, besides its arguments. */
type Call = { readonly c: Ctx; readonly sdk: McpSdk; readonly ctx: ServerContext };

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
  if (!named && text === null) return failed(fail("request_invalid", "Give a goal, or a thread.").problem);
  const found = await findThread(c, "mcp", named ?? c.get("options").rt.ids.make("req"));
  if (!found.ok) return failed(found.problem);
  const gate = found.value.thread?.state.gate ?? null;
  const chosen = repeated ? elicited(call, gate) : ok(text === null ? null : ({ type: "message", text } as const));
  if (!chosen.ok) return failed(chosen.problem);
  const ran = await run(c, found.value, chosen.value, input.agent, progressOf(ctx));
  if (!ran.ok) return failed(ran.problem);
  const { said } = ran.value;
  const open = ran.value.head.state.gate;
  if (open && canElicit(call, open))
    return sdk.inputRequired({
      inputRequests: {
        [open.id]: sdk.inputRequired.elicit({
          message: [said, ...decided(open)].join("\n\n"),
          requestedSchema: formOf(open) as never,
        }),
      },
      requestState: JSON.stringify({ thread: found.value.at.thread }),
    });
  return resultOf(c, found.value.at.thread, ran.value);
}

type RunSummary = { readonly head: ThreadRecord; readonly said: string; readonly calls: readonly object[] };

async function run(
  c: Ctx,
  found: FoundThread,
  input: TurnInput | null,
  agent: string | undefined,
  progress?: Progress,
): Promise<Result<RunSummary>> {
  const allowed = checkInput(c.get("caller"), input);
  if (!allowed.ok) return allowed;
  const create = newThreadInput(surfaceConfig(c, "mcp"), agent);
  const checked = checkStart(c, found, create, undefined);
  if (!checked.ok) return checked;
  const thread = await ensureThread(c, found, create);
  if (!thread.ok) return thread;
  const source = { options: c.get("options"), caller: c.get("caller"), at: found.at, request_id: c.get("request_id") };
  const start = { input, version: thread.value.version, options: { channel: "mcp" } };
  const { rt } = c.get("options");
  const read = createPartReader(rt, found.at, found.thread);
  const lines: string[] = [];
  const calls: object[] = [];
  let head: ThreadRecord | null = null;
  for await (const event of runThread(source, start)) {
    if (event.type === "problem") return { ok: false, problem: event.problem };
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

/** Approving needs the configuration and the scope; a question may always be answered. */
function mayAnswer(c: Ctx, gate: Gate): boolean {
  if (gate.kind === "question" || gate.kind === "suspend") return true;
  return surfaceConfig(c, "mcp").approve && c.get("caller").scopes.has("confirm");
}

function canElicit({ c, ctx, sdk }: Call, gate: Gate): boolean {
  const envelope = ctx.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities = envelope?.[sdk.CLIENT_CAPABILITIES_META_KEY] as { readonly elicitation?: unknown } | undefined;
  // A form asks a person; a call of the client's own tool is answered with pawl_answer.
  return capabilities?.elicitation !== undefined && gate.kind !== "external" && mayAnswer(c, gate);
}

/** What a person decides about, as it is stored: the text before it is only what the model said. */
function decided(gate: Gate): readonly string[] {
  if (gate.kind === "suspend") return [gate.text];
  if (gate.kind !== "confirmation") return [];
  return [`${gate.call.name} ${gate.shown}`, ...(gate.preview ? [gate.preview] : [])];
}

function elicited({ c, ctx, sdk }: Call, gate: Gate | null): Result<TurnInput> {
  if (!gate) return fail("gate_closed", "The gate was answered in the meantime.");
  if (!mayAnswer(c, gate)) return mayNotAnswer("mcp", gate, inboxAddress(c));
  // An answer to another gate must not decide about the one that is open now.
  if (!Object.hasOwn(ctx.mcpReq.inputResponses ?? {}, gate.id))
    return fail("gate_closed", "The answer is for a gate that is no longer open.", { open_gate_id: gate.id });
  const content = sdk.acceptedContent(ctx.mcpReq.inputResponses, gate.id);
  if (content) return answerFor(gate, readForm(gate, content));
  if (gate.kind === "question" || gate.kind === "doubt" || gate.kind === "suspend") return ok({ type: "cancel" });
  return answerFor(gate, { approved: false, reason: "declined" });
}

const inboxAddress = (c: Ctx): string => `${serverAddress(c)}/#/inbox`;

export async function answerGate(
  c: Ctx,
  input: ForeignAnswer & { thread: string; gate_id: string },
): Promise<CallToolResult> {
  const found = await findThread(c, "mcp", input.thread);
  if (!found.ok) return failed(found.problem);
  const gate = found.value.thread?.state.gate;
  if (gate?.id !== input.gate_id) return failed(fail("gate_closed", `Gate ${input.gate_id} is not open.`).problem);
  if (!mayAnswer(c, gate)) return failed(mayNotAnswer("mcp", gate, inboxAddress(c)).problem);
  const answer = answerFor(gate, input);
  if (!answer.ok) return failed(answer.problem);
  const ran = await run(c, found.value, answer.value, undefined);
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

/** The newest threads as resources. */
export async function listThreads(c: Ctx) {
  const metas = await c.get("options").rt.store.list(c.get("caller").tenant, { limit: 50 });
  if (!metas.ok) throw new Error(errorText(metas.problem));
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
  const open = metas.value.flatMap(({ thread, gate }) =>
    gate && !hasExpired(gate, rt.clock.now()) ? [{ thread, ...gateView(c, thread, gate) }] : [],
  );
  return data(
    { gates: open },
    open.map(({ kind, text, console }) => `${kind}: ${text} (${console})`).join("\n") || "Nothing waits.",
  );
}

function waitingText(gate: Gate, address: string): string {
  if (gate.kind === "question") return "";
  return gate.kind === "external" ? `\n\n${gate.text} (${address})` : `\n\nA person must decide: ${address}`;
}

function resultOf(c: Ctx, thread: string, { head, said, calls }: RunSummary): CallToolResult {
  const { version, state, entry } = head;
  const problem = endProblem(head);
  const { gate } = state;
  const waits = gate ? waitingText(gate, consoleAddress(c, thread)) : "";
  const view = viewOf(c, thread, { version, state, entries: [{ version, entry }] });
  const result = data({ ...view, calls }, `${problem ? `${errorText(problem)}\n\n` : ""}${said}${waits}`);
  const isError = problem !== null || state.machine.outcome === "cancelled";
  return isError ? { ...result, isError } : result;
}

const gateView = (c: Ctx, thread: string, gate: Gate) => ({
  id: gate.id,
  kind: gate.kind,
  text: gate.text,
  console: consoleAddress(c, thread),
  ...externalCall(gate),
});

function viewOf(c: Ctx, id: string, { version, state, entries }: Thread) {
  const view = threadView(id as never, version, state, entries.at(-1)?.entry.at ?? state.created_at);
  const { gate, plan, step, steps, outcome, evidence, evidence_kind, goal } = view;
  return {
    thread: id,
    version,
    state: view.state,
    next: nextAction(state),
    goal,
    outcome,
    evidence,
    evidence_kind,
    plan,
    step,
    steps,
    gate: gate && gateView(c, id, gate),
  };
}

const data = (structuredContent: object, text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent: structuredContent as Record<string, unknown>,
});

const failed = (problem: Problem): CallToolResult => ({
  content: [{ type: "text", text: errorText(problem) }],
  structuredContent: { problem: { code: problem.code, message: problem.message, hint: problem.hint } },
  isError: true,
});
