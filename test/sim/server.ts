// A server process of the simulation: a whole runtime on unreliable ports, and requests with answers as bytes.
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { createIds } from "../../src/adapters/ids-random.ts";
import { bodyOf, problemBody, ranBody } from "../../src/http/respond.ts";
import { noCompanions } from "../../src/ports/companions.ts";
import type { SettingsStore } from "../../src/ports/settings-store.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import type { LiveEvent } from "../../src/schema/event.ts";
import type { TenantId, ThreadAt } from "../../src/schema/ids.ts";
import type { BudgetInput, CreateInput, TurnInput } from "../../src/schema/input.ts";
import type { TurnOutcome } from "../../src/schema/outcome.ts";
import type { Problem } from "../../src/schema/problem.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { advance } from "../../src/turn/advance.ts";
import { createThread } from "../../src/turn/create.ts";
import { forkThread } from "../../src/turn/fork.ts";
import { bodyHash, keyHash } from "../../src/turn/key-ring.ts";
import { loadThread } from "../../src/turn/load.ts";
import type { Runtime, RuntimeConfig } from "../../src/turn/runtime.ts";
import { showPrompt } from "../../src/turn/show-prompt.ts";
import { eventsAfter } from "../../src/turn/turns.ts";
import { advanceUntil } from "../../src/turn/until.ts";
import { nextOf, threadView } from "../../src/turn/view.ts";
import { aRuntime } from "../support/runtime.ts";
import { type ModelFacts, type ModelLog, simModel } from "./model.ts";
import { type ClaimRows, deadlyFaults, faultyClaims, faultySettings, faultyStore } from "./ports.ts";
import { createRandom } from "./random.ts";
import { type Outside, simHooks, simTools } from "./tools.ts";
import type { Process, World } from "./world.ts";

/** A request as a client sends it. `until`: the number of turns, null for one turn. */
export type Request =
  | {
      readonly kind: "create";
      readonly tenant: TenantId;
      readonly actor: string;
      readonly input: CreateInput;
      readonly key: string | null;
    }
  | {
      readonly kind: "turn";
      readonly at: ThreadAt;
      readonly actor: string;
      readonly input: TurnInput | null;
      readonly budget: BudgetInput | null;
      readonly if_match: number | null;
      readonly key: string | null;
      readonly until: number | null;
    }
  | { readonly kind: "read"; readonly at: ThreadAt }
  /** Somebody whose connection broke asks for what came after the last event. */
  | { readonly kind: "events"; readonly at: ThreadAt; readonly after: number }
  | { readonly kind: "fork"; readonly at: ThreadAt; readonly turn: number }
  /** What the model was asked in an earlier turn. */
  | { readonly kind: "prompt"; readonly at: ThreadAt; readonly turn: number };

export type Answer = {
  /** "ok" or the code of the problem. */
  readonly code: string;
  readonly body: string;
  readonly replayed: boolean;
  /** What the answer says about the thread; null for a problem that stored nothing. */
  readonly outcome: Pick<TurnOutcome, "thread" | "turn" | "next"> | null;
  readonly problem: Problem | null;
  /** The same call again gives the same bytes: nothing of it is left to do. */
  readonly final: boolean;
};

/** What outlives every process. */
export type Durable = {
  readonly store: (process: Process) => ThreadStore;
  readonly settings: SettingsStore;
  readonly outside: Outside;
  readonly models: ModelLog;
  readonly live: { readonly at: ThreadAt; readonly event: LiveEvent }[];
  /** null: a host without claims. */
  readonly claims: ClaimRows | null;
  readonly config: RuntimeConfig;
  readonly model: ModelFacts;
};

export type Server = { readonly process: Process; readonly rt: Runtime };

export function startServer(world: World, slot: number, durable: Durable): Server {
  const process = world.spawn(slot);
  const clock = world.clockOf(process);
  const random = createRandom(world.seed, 7, process.id);
  const model = simModel(world, process, durable.model, durable.models);
  const rt: Runtime = {
    ...aRuntime([]),
    store: faultyStore(world, process, durable.store(process)),
    settings: faultySettings(world, process, durable.settings),
    companions: noCompanions,
    pickModel: () => model,
    toolbox: createToolbox(simTools(world, process, durable.outside)),
    hooks: simHooks,
    clock,
    ids: createIds(clock, (size) => Uint8Array.from({ length: size }, () => random.int(256))),
    hash: nodeHash,
    faults: deadlyFaults(world, process),
    ...(durable.claims ? { claims: faultyClaims(world, process, durable.claims) } : {}),
    config: durable.config,
    running: new Set(),
  };
  return { process, rt };
}

export async function serve({ rt }: Server, durable: Durable, request: Request): Promise<Answer> {
  switch (request.kind) {
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

const told = (outcome: TurnOutcome, replayed: boolean): Answer => ({
  code: outcome.kind === "failed" ? outcome.problem.code : "ok",
  body: JSON.stringify(
    outcome.kind === "failed" ? { ...problemBody(outcome.problem, "req"), ...bodyOf(outcome) } : bodyOf(outcome),
  ),
  replayed,
  outcome,
  problem: outcome.kind === "failed" ? outcome.problem : null,
  final: true,
});

const refused = (problem: Problem): Answer => ({
  code: problem.code,
  body: JSON.stringify(problemBody(problem, "req")),
  replayed: false,
  outcome: null,
  problem,
  final: false,
});

async function serveCreate(rt: Runtime, request: Extract<Request, { kind: "create" }>): Promise<Answer> {
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
  return created.ok ? told(created.value.outcome, created.value.replayed) : refused(created.problem);
}

async function serveRead(rt: Runtime, at: ThreadAt): Promise<Answer> {
  const loaded = await loadThread(rt, at);
  if (!loaded.ok) return refused(loaded.problem);
  const { version, state, entries } = loaded.value;
  const thread = threadView(at.thread, version, state, entries.at(-1)?.entry.at ?? state.created_at);
  const outcome = { thread, turn: null, next: nextOf(state) };
  return { code: "ok", body: JSON.stringify(outcome), replayed: false, outcome, problem: null, final: false };
}

async function serveEvents(rt: Runtime, at: ThreadAt, after: number): Promise<Answer> {
  const events = await eventsAfter(rt, at, after, 12);
  if (!events.ok) return refused(events.problem);
  const body = JSON.stringify(events.value);
  return { code: "ok", body, replayed: false, outcome: null, problem: null, final: false };
}

async function serveFork(rt: Runtime, at: ThreadAt, turn: number): Promise<Answer> {
  const forked = await forkThread(rt, at, turn);
  if (!forked.ok) return refused(forked.problem);
  const outcome = { thread: forked.value.thread, turn: null, next: forked.value.next };
  return { code: "ok", body: JSON.stringify(outcome), replayed: false, outcome, problem: null, final: false };
}

async function servePrompt(rt: Runtime, at: ThreadAt, turn: number): Promise<Answer> {
  const shown = await showPrompt(rt, at, turn);
  if (!shown.ok) return refused(shown.problem);
  const body = JSON.stringify(shown.value.messages);
  return { code: "ok", body, replayed: false, outcome: null, problem: null, final: false };
}

async function serveTurn(rt: Runtime, durable: Durable, request: Extract<Request, { kind: "turn" }>): Promise<Answer> {
  const { at, actor, input, budget, if_match, until } = request;
  const body = { ...(input ? { input } : {}), ...(budget ? { budget } : {}), match: if_match };
  const query = until === null ? {} : { until: "pause", max_turns: until };
  const call = {
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
    deadline: rt.clock.now() + rt.config.turn_deadline_ms,
    signal: new AbortController().signal,
    emit: (event: LiveEvent) => void durable.live.push({ at, event }),
  };
  if (until === null) {
    const advanced = await advance(rt, { ...call, last_turn: true });
    await rt.faults.at("respond.before");
    return advanced.ok ? told(advanced.value.outcome, advanced.value.replayed) : refused(advanced.problem);
  }
  const ran = await advanceUntil(rt, call, until);
  await rt.faults.at("respond.before");
  if (!ran.ok) return refused(ran.problem);
  const { outcome, problem, replayed, stopped } = ran.value;
  const open = stopped === "time" || (stopped === "problem" && outcome.kind !== "failed");
  return { code: "ok", body: JSON.stringify(ranBody(ran.value)), replayed, outcome, problem, final: !open };
}
