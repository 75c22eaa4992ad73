// Serves requests without HTTP by calling the runtime directly and serializing the responses.
import { multiTurnBody, outcomeBody } from "../../src/http/dispatch-turn.ts";
import { problemBody } from "../../src/http/respond.ts";
import { sendMessage } from "../../src/jobs/inbox/double-texting.ts";
import type { LiveEvent } from "../../src/schema/event.ts";
import type { ThreadId, ThreadRef } from "../../src/schema/ids.ts";
import type { Problem } from "../../src/schema/problem.ts";
import type { TurnResult } from "../../src/schema/turn-result.ts";
import { createThread } from "../../src/threads/create.ts";
import { eventsAfter } from "../../src/threads/find-turn.ts";
import { forkThread } from "../../src/threads/fork.ts";
import { showPrompt } from "../../src/threads/show-prompt.ts";
import { advance } from "../../src/turn/advance.ts";
import { bodyHash, keyHash } from "../../src/turn/commit/idempotency-keys.ts";
import { loadThread } from "../../src/turn/load.ts";
import type { Runtime, TurnRequest } from "../../src/turn/runtime.ts";
import { advanceUntil } from "../../src/turn/until.ts";
import { nextAction, threadView } from "../../src/turn/view.ts";
import type { DurableState, Server, SimRequest, SimResponse } from "./server.ts";
import { isSettled, serveOverHttp } from "./web.ts";
import type { World } from "./world.ts";

export async function serve(
  world: World,
  server: Server,
  durable: DurableState,
  request: SimRequest,
): Promise<SimResponse> {
  const { rt } = server;
  if (durable.web) return serveOverHttp(world, server.web(), request, durable.strippedHeader);
  switch (request.kind) {
    case "switch":
    case "api":
      return serveOverHttp(world, server.web(), request);
    case "create":
      return serveCreate(rt, request);
    case "read":
      return serveRead(rt, request.at);
    case "events":
      return serveEvents(rt, request.at, request.after);
    case "fork":
      return serveFork(rt, request.at, request.turn);
    case "prompt":
      return servePrompt(rt, request.at, request.turn);
    case "turn":
      return serveTurn(rt, durable, request);
  }
}

const outcomeResponse = (outcome: TurnResult, replayed: boolean): SimResponse => ({
  code: outcome.kind === "failed" ? outcome.problem.code : "ok",
  body: JSON.stringify(
    outcome.kind === "failed"
      ? { ...problemBody(outcome.problem, "req"), ...outcomeBody(outcome) }
      : outcomeBody(outcome),
  ),
  replayed,
  outcome,
  problem: outcome.kind === "failed" ? outcome.problem : null,
  final: isSettled(outcome),
});

const problemResponse = (problem: Problem): SimResponse => ({
  code: problem.code,
  body: JSON.stringify(problemBody(problem, "req")),
  replayed: false,
  outcome: null,
  problem,
  final: false,
});

async function serveCreate(rt: Runtime, request: Extract<SimRequest, { kind: "create" }>): Promise<SimResponse> {
  const { tenant, actor, input } = request;
  const key = request.key
    ? {
        name: request.key,
        hash: keyHash(rt.hash, request.key),
        body: bodyHash(rt.hash, { route: "create", query: {}, body: input }),
      }
    : null;
  const created = await createThread(rt, { tenant, actor, input, key });
  await rt.faults.at("respond.before");
  return created.ok ? outcomeResponse(created.value.outcome, created.value.replayed) : problemResponse(created.problem);
}

async function serveRead(rt: Runtime, at: ThreadRef): Promise<SimResponse> {
  const loaded = await loadThread(rt, at);
  if (!loaded.ok) return problemResponse(loaded.problem);
  const { version, state, entries } = loaded.value;
  const thread = threadView(at.thread, version, state, entries.at(-1)?.entry.at ?? state.created_at);
  const outcome = { thread, turn: null, next: nextAction(state) };
  return { code: "ok", body: JSON.stringify(outcome), replayed: false, outcome, problem: null, final: false };
}

async function serveEvents(rt: Runtime, at: ThreadRef, after: number): Promise<SimResponse> {
  const events = await eventsAfter(rt, at, after, 12);
  if (!events.ok) return problemResponse(events.problem);
  const body = JSON.stringify(events.value);
  return { code: "ok", body, replayed: false, outcome: null, problem: null, final: false };
}

async function serveFork(rt: Runtime, at: ThreadRef, turn: number): Promise<SimResponse> {
  const forked = await forkThread(rt, at, turn);
  if (!forked.ok) return problemResponse(forked.problem);
  const outcome = { thread: forked.value.thread, turn: null, next: forked.value.next };
  return { code: "ok", body: JSON.stringify(outcome), replayed: false, outcome, problem: null, final: false };
}

async function servePrompt(rt: Runtime, at: ThreadRef, turn: number): Promise<SimResponse> {
  const shown = await showPrompt(rt, at, turn);
  if (!shown.ok) return problemResponse(shown.problem);
  const body = JSON.stringify(shown.value.messages);
  return { code: "ok", body, replayed: false, outcome: null, problem: null, final: false };
}

async function serveTurn(
  rt: Runtime,
  durable: DurableState,
  request: Extract<SimRequest, { kind: "turn" }>,
): Promise<SimResponse> {
  const { at, actor, input, budget, if_match, until, if_busy } = request;
  const busy = if_busy ? { if_busy } : {};
  const body = { ...(input ? { input } : {}), ...(budget ? { budget } : {}), ...busy, match: if_match };
  const query = until === null ? {} : { until: "pause", max_turns: until };
  const turnRequest = {
    at,
    actor,
    input,
    budget,
    if_match,
    key: request.key
      ? {
          hash: keyHash(rt.hash, request.key),
          body: bodyHash(rt.hash, { route: `turns/${at.thread}`, query, body }),
        }
      : null,
    options: { only_when_idle: (if_busy ?? "reject") === "reject" },
    deadline: rt.clock.now() + rt.config.turn_deadline_ms,
    emit: (event: LiveEvent) => void durable.live.push({ at: { ...at, thread: event.thread as ThreadId }, event }),
  };
  if (if_busy && if_busy !== "reject") return serveMessage(rt, { ...turnRequest, last_turn: true }, if_busy);
  if (until === null) {
    const advanced = await advance(rt, { ...turnRequest, last_turn: true });
    await rt.faults.at("respond.before");
    return advanced.ok
      ? outcomeResponse(advanced.value.outcome, advanced.value.replayed)
      : problemResponse(advanced.problem);
  }
  const advanced = await advanceUntil(rt, turnRequest, until);
  await rt.faults.at("respond.before");
  if (!advanced.ok) return problemResponse(advanced.problem);
  const { outcome, problem, replayed, stopped } = advanced.value;
  const open = stopped === "time" || (stopped === "problem" && outcome.kind !== "failed");
  return { code: "ok", body: JSON.stringify(multiTurnBody(advanced.value)), replayed, outcome, problem, final: !open };
}

async function serveMessage(
  rt: Runtime,
  turnRequest: TurnRequest,
  if_busy: "enqueue" | "interrupt" | "rollback",
): Promise<SimResponse> {
  if (turnRequest.input?.type !== "message") throw new Error("only a message can be sent during a run");
  const sent = await sendMessage(rt, turnRequest, turnRequest.input, if_busy);
  await rt.faults.at("respond.before");
  if (!sent.ok) return problemResponse(sent.problem);
  if (sent.value.kind !== "queued") return outcomeResponse(sent.value.advanced.outcome, sent.value.advanced.replayed);
  const body = JSON.stringify({ queued: true, position: sent.value.position });
  return { code: "queued", body, replayed: false, outcome: null, problem: null, final: false };
}
