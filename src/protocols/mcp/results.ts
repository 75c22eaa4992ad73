// Creates the results of the MCP server's tools: text for a model, and the same information as structured content.
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Ctx } from "../../http/env.ts";
import type { Gate } from "../../schema/gate.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { nextAction, threadView } from "../../turn/view.ts";
import { decisionDetails } from "../shared/answer-gate.ts";
import { consoleAddress } from "../shared/console-address.ts";
import { endProblem, errorText } from "../shared/problems.ts";

export type RunSummary = { readonly head: ThreadRecord; readonly said: string; readonly calls: readonly object[] };

function waitingText(gate: Gate, address: string): string {
  if (gate.kind === "question") return "";
  return gate.kind === "external" ? `\n\n${gate.text} (${address})` : `\n\nA person must decide: ${address}`;
}

export function resultOf(c: Ctx, thread: string, { head, said, calls }: RunSummary): CallToolResult {
  const { version, state, entry } = head;
  const problem = endProblem(head);
  const { gate } = state;
  const waits = gate ? waitingText(gate, consoleAddress(c, thread)) : "";
  const view = viewOf(c, thread, { version, state, entries: [{ version, entry }] });
  const result = data({ ...view, calls }, `${problem ? `${errorText(problem)}\n\n` : ""}${said}${waits}`);
  const isError = problem !== null || state.machine.outcome === "cancelled";
  return isError ? { ...result, isError } : result;
}

export const gateView = (c: Ctx, thread: string, gate: Gate) => ({
  id: gate.id,
  kind: gate.kind,
  text: gate.text,
  console: consoleAddress(c, thread),
  ...decisionDetails(gate),
});

export function viewOf(c: Ctx, id: string, { version, state, entries }: Thread) {
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

export const data = (structuredContent: object, text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent: structuredContent as Record<string, unknown>,
});

/** The thread may exist although the call failed, and the client needs its id to continue it. */
export const withThread = (problem: Problem, thread: string): Problem => ({
  ...problem,
  details: { ...problem.details, thread },
});

export function failed(problem: Problem): CallToolResult {
  const { code, message, hint, details } = problem;
  const thread = typeof details?.thread === "string" ? { thread: details.thread } : {};
  const text = `${errorText(problem)}${thread.thread ? `\n\nThread: ${thread.thread}` : ""}`;
  return { ...data({ ...thread, problem: { code, message, hint } }, text), isError: true };
}
