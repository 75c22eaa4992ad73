// Simulates the users of a history with sub-agents, who create threads, cancel or remove them, approve calls and answer
// roles.
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import { repairFarDue } from "../../../src/jobs/schedules/far-due.ts";
import { isTransient } from "../../../src/ports/retry.ts";
import type { Gate } from "../../../src/schema/gate.ts";
import { LOCAL_TENANT, type ThreadId } from "../../../src/schema/ids.ts";
import type { CreateInput, TurnInput } from "../../../src/schema/input.ts";
import type { ProblemCode, Result } from "../../../src/schema/problem.ts";
import { createThread } from "../../../src/threads/create.ts";
import { removeThread } from "../../../src/threads/remove.ts";
import { bodyHash, keyHash } from "../../../src/turn/commit/idempotency-keys.ts";
import { attachTestThread } from "../../support/runtime.ts";
import { CAST_SLOTS, type CastServer, type ServerAt, untilAnswered } from "../cast/play-cast.ts";
import { roll } from "../random.ts";
import type { World } from "../world.ts";
import { stateOf } from "./parse-rows.ts";

const ROUNDS = 60;
const APPROVAL_ROUNDS = 1_500;
export async function simulatePeople(world: World, serverAt: ServerAt, stored: () => MemoryData | null): Promise<void> {
  const inputs: readonly CreateInput[] = [
    { goal: "Parent one", mode: "direct", run: "background" },
    { goal: "Parent two", mode: "direct", run: "background" },
    { workflow: "pair", prompt: "Rain.", run: "background" },
  ];
  let waiting = true;
  const people = { world, serverAt, stored };
  const created = Promise.all([...inputs.map((input, i) => simulatePerson(people, input, i)), meddle(people)]);
  const ended = created.then(() => {
    waiting = false;
  });
  await Promise.all([ended, approveCalls(world, serverAt, stored, () => waiting)]);
}

/** Answers for the calls of children until every thread rests or is suspended. */
async function approveCalls(
  world: World,
  serverAt: ServerAt,
  stored: () => MemoryData | null,
  othersAct: () => boolean,
): Promise<void> {
  for (let round = 0; round < APPROVAL_ROUNDS; round += 1) {
    await world.wait(null, "approve", 10_000);
    await repairFarWakeUps(world, serverAt, round);
    const open = openThreads(world, stored()).filter(({ gate }) => gate?.kind !== "suspend");
    if (open.length === 0 && !othersAct()) return;
    for (const { thread, gate } of open) {
      const input = gate ? answerTo(gate, round) : null;
      const options = { in_background: true };
      const answer = ({ rt }: CastServer) => attachTestThread(rt, thread).turn(input, { options });
      if (input)
        await untilAnswered(world, serverAt, round, answer, (sent) =>
          sent.ok || !isTransient(sent.problem) ? true : null,
        );
    }
  }
}

/**
 * Repairs wake-ups as hosts do every hour. Without it, a parent would poll a child for years after the clock jumped
 * back.
 */
const repairFarWakeUps = (world: World, serverAt: ServerAt, round: number): Promise<unknown> =>
  untilAnswered(
    world,
    serverAt,
    round,
    ({ rt }) => repairFarDue(rt, { lease_ms: 5_000 }),
    () => true,
  );

type OpenThread = { readonly thread: ThreadId; readonly gate: Gate | null };

/** Workflows and other documents are stored next to threads. */
const isThread = (key: string): boolean => key.includes("/thr_");

const openThreads = (world: World, data: MemoryData | null): readonly OpenThread[] =>
  [...(data?.records ?? [])].flatMap(([key, rows]) => {
    const head = rows.at(-1);
    if (!head || !isThread(key)) return [];
    const { machine, gate } = stateOf(world, key, head);
    const isOpen = machine.state !== "rest" && machine.state !== "failed";
    return isOpen ? [{ thread: key.split("/")[1] as ThreadId, gate }] : [];
  });

type People = {
  readonly world: World;
  readonly serverAt: ServerAt;
  readonly stored: () => MemoryData | null;
};

/** Retries creating a thread until it exists, and sometimes cancels or removes it while it works. */
async function simulatePerson({ world, serverAt, stored }: People, input: CreateInput, i: number): Promise<void> {
  const name = `person-${i}`;
  const key = { name, hash: keyHash(nodeHash, name), body: bodyHash(nodeHash, { route: "x", query: {}, body: input }) };
  const create = ({ rt }: CastServer) => createThread(rt, { tenant: LOCAL_TENANT, actor: name, input, key });
  const thread = await untilAnswered(world, serverAt, i, create, (made) =>
    made.ok ? made.value.outcome.thread.id : null,
  );
  const drawn = roll(world.seed, 51, i);
  if (!thread || drawn > 0.35) return;
  if (drawn < 0.15) await stopInCallOfChild(world, serverAt, () => isChildInCall(world, stored(), thread));
  else await world.wait(null, "cancel", Math.floor(4_000 * roll(world.seed, 52, i)));
  const at = { tenant: LOCAL_TENANT, thread };
  const end = ({ rt }: CastServer): Promise<Result<unknown>> =>
    roll(world.seed, 53, i) < 0.3 ? removeThread(rt, at, name) : attachTestThread(rt, thread).turn({ type: "cancel" });
  await untilAnswered(world, serverAt, i + 1, end, (ended) =>
    ended.ok || ENDED_ALREADY.includes(ended.problem.code) ? true : null,
  );
}

/** Gives sub-agents more to do and a higher budget, whether they work or have reported. */
async function meddle({ world, serverAt, stored }: People): Promise<void> {
  if (roll(world.seed, 54, 0) < 0.5) return;
  await world.wait(null, "meddle", Math.floor(6_000 * roll(world.seed, 55, 0)));
  for (const [i, thread] of childrenIn(world, stored()).entries()) {
    const budget = roll(world.seed, 56, i) < 0.5 ? { turns: 500 } : null;
    const more = { budget, options: { in_background: true } };
    const say = ({ rt }: CastServer) =>
      attachTestThread(rt, thread).turn({ type: "message", text: "Mine first." }, more);
    await untilAnswered(world, serverAt, i, say, (sent) => (sent.ok || !isTransient(sent.problem) ? true : null));
  }
}

const childrenIn = (world: World, data: MemoryData | null): readonly ThreadId[] =>
  [...(data?.records ?? [])].flatMap(([key, rows]) => {
    const head = rows.at(-1);
    return head && isThread(key) && stateOf(world, key, head).child ? [key.split("/")[1] as ThreadId] : [];
  });

/** Stops all processes while a child of the thread is in a call, which another process then has to settle. */
async function stopInCallOfChild(world: World, serverAt: ServerAt, inCall: () => boolean): Promise<void> {
  for (let round = 0; round < ROUNDS && !inCall(); round += 1) await world.wait(null, "watch", 200);
  if (!inCall()) return;
  for (let slot = 0; slot < CAST_SLOTS; slot += 1) world.die(serverAt(slot).process);
}

const isChildInCall = (world: World, data: MemoryData | null, parent: ThreadId): boolean =>
  [...(data?.records ?? [])].some(([key, rows]) => {
    const head = rows.at(-1);
    if (!head || !isThread(key)) return false;
    const { child, machine } = stateOf(world, key, head);
    return child?.parent === parent && machine.at === "acting";
  });

const ENDED_ALREADY: readonly ProblemCode[] = ["nothing_to_do", "signal_refused", "thread_not_found"];

/** Resumes suspended roles and lets every background run come to rest, without faults. */
export async function settle(world: World, serverAt: ServerAt, data: MemoryData): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const open = openThreads(world, data);
    if (open.length === 0) return;
    await repairFarWakeUps(world, serverAt, round);
    for (const { thread, gate } of open) {
      const input = gate ? answerTo(gate, round) : null;
      if (!input) continue;
      await attachTestThread(serverAt(0).rt, thread).turn(input, { options: { in_background: true } });
    }
    await world.wait(null, "settle", 10_000);
  }
}

/**
 * Answers a gate. A call whose result is unknown is retried, and the same call finds the same children. One that was
 * cancelled is given up.
 */
function answerTo(gate: Gate, round: number): TurnInput | null {
  if (gate.kind === "doubt") return { type: "resolve", gate_id: gate.id, outcome: round > 2 ? "abort" : "try_again" };
  if (gate.kind === "confirmation") {
    const decision = gate.digest < "8" ? "approve" : "reject";
    return { type: "confirm", gate_id: gate.id, digest: gate.digest, decision };
  }
  if (gate.kind !== "suspend") return null;
  return round > 8 ? { type: "cancel" } : { type: "resume", supplement: "Go on." };
}
