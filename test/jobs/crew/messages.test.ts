// Tests messages to sub-agents that have already reported: only those that can work on them get one, once each, and
// report on the new run.
import { expect, test } from "vitest";
import { createCrew } from "../../../src/jobs/crew/create-crew.ts";
import { EffectId, LOCAL_TENANT, type ThreadId } from "../../../src/schema/ids.ts";
import { readRecords } from "../../../src/turn/load.ts";
import { call, createCrewRuntime, DONE, type Play, stateOf } from "../../support/crew.ts";
import { attachTestThread, createTestThread, problemCode, type TestThread, unwrap } from "../../support/runtime.ts";

type Rt = ReturnType<typeof createCrewRuntime>;

async function reports(rt: Rt, { at }: TestThread) {
  const records = unwrap(await readRecords(rt, at, 0, 200));
  return records.flatMap(({ entry }) => {
    const raw = entry.observation?.raw as { children: { outcome: string; summary: string }[] } | null | undefined;
    return raw ? [raw.children] : [];
  });
}

async function runToEnd(thread: TestThread) {
  for (let i = 0; i < 60; i++) {
    const { outcome } = unwrap(await thread.turn());
    const { gate } = outcome.thread;
    if (gate?.kind === "confirmation")
      unwrap(await thread.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" }));
    if (outcome.next === "none") return;
  }
  throw new Error("the run did not end");
}

/** Scripts a parent that delegates the tasks and then sends one message to all of its children. */
const parentOf =
  (tasks: readonly string[], message: string, child: Play): Play =>
  (goal, seen, request) => {
    if (goal !== "Parent") return child(goal, seen, request);
    if (seen === 0) return call("delegate_parallel", { tasks: tasks.map((task) => ({ task })) });
    const text = request.messages[2]?.content ?? "";
    const to = [...new Set([...text.matchAll(/"thread": "(thr_[0-9a-z]+)"/g)].map(([, id = ""]) => id))];
    return seen === 1 ? call("task_broadcast", { message, to }) : DONE;
  };

test("a child that escalated and then completes its next run is reported as completed", async () => {
  const play = parentOf(["Ask"], "It is 2026.", (goal) =>
    goal === "Ask" ? { action: "ask_user", speak: "Which year?" } : DONE,
  );
  const rt = createCrewRuntime(play);
  const parent = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  await runToEnd(parent);
  const [first, second] = await reports(rt, parent);
  expect(first).toMatchObject([{ outcome: "escalated", summary: "Which year?" }]);
  expect(second?.[0]).toMatchObject({
    outcome: "completed",
    summary: expect.stringContaining("Delivered: It is 2026."),
  });
});

test("one child that gives up its next run has a row of its own, and the others report", async () => {
  const heard: string[] = [];
  const play = parentOf(["A", "B", "C"], "Shorter", (goal, _seen, request) => {
    if (goal !== "Shorter") return DONE;
    heard.push(request.messages[1]?.content ?? "");
    return heard.length === 2 ? { action: "abort", abort: { reason: "no", user_message: "I cannot." } } : DONE;
  });
  const rt = createCrewRuntime(play);
  const parent = await createTestThread(rt, { goal: "Parent", mode: "direct", budget: { turns: 100 } });
  await runToEnd(parent);
  const [, rows] = await reports(rt, parent);
  expect(rows?.map(({ outcome }) => outcome)).toEqual(["completed", "aborted", "completed"]);
  expect(heard).toHaveLength(3);
});

async function twoChildren() {
  const rt = createCrewRuntime(() => DONE);
  const crew = createCrew(rt);
  const { at } = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  const callWith = () => ({
    tenant: LOCAL_TENANT,
    thread: at.thread,
    effect_id: EffectId.parse(rt.ids.make("eff")),
  });
  const tasks = ["A", "B"].map((task) => ({ task, budget: { turns: 5 } }));
  const ids = unwrap(await crew.delegate(callWith(), tasks)).children.map(({ thread }) => thread);
  return { rt, crew, callWith, ids };
}
const cancel = (rt: Rt, id: ThreadId | undefined) => attachTestThread(rt, id as ThreadId).turn({ type: "cancel" });

test("if one child still works, nobody gets the message", async () => {
  const { rt, crew, callWith, ids } = await twoChildren();
  unwrap(await cancel(rt, ids[0]));
  const to = { ...callWith() };
  const sent = await crew.broadcast(to, "Again", ids);
  expect(problemCode(sent)).toBe("tool_refused");
  expect(problemCode((await crew.checkBroadcast?.(to, ids)) ?? sent)).toBe("tool_refused");
  expect((await stateOf(rt, ids[0] as ThreadId)).run).toBe(1);
});

test("a message that is sent again finds children that work on it already", async () => {
  const { rt, crew, callWith, ids } = await twoChildren();
  for (const id of ids) unwrap(await cancel(rt, id));
  const to = callWith();
  const first = unwrap(await crew.broadcast(to, "Again", ids));
  expect(unwrap(await crew.broadcast(to, "Again", ids))).toEqual(first);
  expect(first.children.map(({ run }) => run)).toEqual([2, 2]);
});

test("a message that does not reach every child is sent again, and asks no model meanwhile", async () => {
  const { rt, callWith, ids } = await twoChildren();
  for (const id of ids) unwrap(await cancel(rt, id));
  const problem = { code: "store_unavailable", message: "down", hint: "", retry: "later", status: 503 } as const;
  let down = true;
  const append: typeof rt.store.append = async (at, ...rest) =>
    down && at.thread === ids[1] ? { ok: false, problem } : rt.store.append(at, ...rest);
  const crew = createCrew({ ...rt, store: { ...rt.store, append } });
  const to = callWith();
  const calls = rt.model.calls;
  expect(problemCode(await crew.broadcast(to, "Again", ids))).toBe("outcome_unknown");
  down = false;
  expect(unwrap(await crew.broadcast(to, "Again", ids)).children.map(({ run }) => run)).toEqual([2, 2]);
  expect(rt.model.calls).toBe(calls);
  for (const id of ids)
    expect(await stateOf(rt, id)).toMatchObject({ run: 2, goal: "Again", machine: { state: "execute" } });
});

test("a delegation that does not create every child is sent again", async () => {
  const { rt, callWith } = await twoChildren();
  const problem = { code: "store_unavailable", message: "down", hint: "", retry: "later", status: 503 } as const;
  let left = 1;
  const create: typeof rt.store.create = async (...all) =>
    left-- > 0 ? rt.store.create(...all) : { ok: false, problem };
  const store = { ...rt.store, create };
  const call = callWith();
  const tasks = ["C", "D"].map((task) => ({ task, budget: { turns: 5 } }));
  expect(problemCode(await createCrew({ ...rt, store }).delegate(call, tasks))).toBe("outcome_unknown");
  const created = unwrap(await createCrew(rt).delegate(call, tasks)).children.map(({ thread }) => thread);
  expect(unwrap(await createCrew(rt).delegate(call, tasks)).children.map(({ thread }) => thread)).toEqual(created);
  expect(unwrap(await rt.store.list(LOCAL_TENANT, { limit: 20 }))).toHaveLength(5);
});
