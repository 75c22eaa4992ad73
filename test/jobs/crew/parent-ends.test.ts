// Tests that a parent that is cancelled or removed ends its sub-agents wherever they are: between turns, at a gate or
// in a call.
import { expect, test } from "vitest";
import { z } from "zod";
import { createFetch } from "../../../src/hosts/in-process.ts";
import { addToInbox, loadInbox } from "../../../src/jobs/inbox/inbox.ts";
import { runSlice } from "../../../src/jobs/run-slice.ts";
import type { ThreadId } from "../../../src/schema/ids.ts";
import type { Result } from "../../../src/schema/problem.ts";
import { removeThread } from "../../../src/threads/remove.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { wakeUpAt } from "../../../src/turn/commit/wake-up.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { call, createCrewRuntime, DONE, type Play, stateOf } from "../../support/crew.ts";
import { driveOptions } from "../../support/drive-options.ts";
import { attachTestThread, createTestThread, problemCode, type TestThread, unwrap } from "../../support/runtime.ts";

const writeTool = (run: () => Promise<string> | string = () => "written", requires_confirmation = false) =>
  defineTool(
    {
      name: "write",
      description: "Writes.",
      permission: "WRITE",
      effect: "keyed",
      requires_confirmation,
      input: z.object({}),
      output: z.string(),
    },
    run,
  );

/** Scripts a chain of threads in which each delegates to the next and the last one writes. */
const line =
  (...goals: readonly string[]): Play =>
  (goal, seen) => {
    if (seen > 0) return DONE;
    const next = goals[goals.indexOf(goal) + 1];
    return next ? call("delegate_task", { task: next }) : call("write", {});
  };

/** The number of writes by the tools of this file. */
let calls = 0;

const childOf = async (thread: TestThread): Promise<ThreadId> => {
  const [id] = unwrap(await thread.turn()).outcome.thread.children ?? [];
  if (!id) throw new Error("no child");
  return id;
};

const HELLO = { type: "message", text: "Hello" };
const END = { state: "rest", outcome: "cancelled" };
const endWith = (how: "cancel" | "remove", rt: Runtime, parent: TestThread): Promise<Result<unknown>> =>
  how === "cancel" ? parent.turn({ type: "cancel" }) : removeThread(rt, parent.at, "tester");

test.each(["cancel", "remove"] as const)("%s: a child at a gate ends, and its gate leaves the inbox", async (how) => {
  const rt = createCrewRuntime(line("Parent", "Leaf"), { tools: [writeTool(undefined, true)] });
  const parent = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  const id = await childOf(parent);
  unwrap(await parent.turn());
  expect((await stateOf(rt, id)).gate?.kind).toBe("confirmation");
  unwrap(await endWith(how, rt, parent));
  expect((await stateOf(rt, id)).machine).toMatchObject(END);
  expect(unwrap(await rt.store.list(parent.at.tenant, { limit: 10, gated: true }))).toEqual([]);
});

test("a child that opens a gate at the moment of the cancellation ends as well", async () => {
  const rt = createCrewRuntime(line("Parent", "Leaf"), { tools: [writeTool(undefined, true)], workers: true });
  const parent = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  const id = await childOf(parent);
  let raced = false;
  const append: typeof rt.store.append = async (at, record, also) => {
    if (at.thread === id && !raced) {
      raced = true;
      unwrap(await attachTestThread(rt, id).turn());
      expect((await stateOf(rt, id)).gate?.kind).toBe("confirmation");
    }
    return rt.store.append(at, record, also);
  };
  const racing = attachTestThread({ ...rt, store: { ...rt.store, append } }, parent.at.thread);
  expect(unwrap(await racing.turn({ type: "cancel" })).outcome.thread).toMatchObject(END);
  expect(raced).toBe(true);
  expect(await stateOf(rt, id)).toMatchObject({ gate: null, machine: END });
});

test("a parent whose child cannot be cancelled now is not cancelled either, and the request can be repeated", async () => {
  const rt = createCrewRuntime(line("Parent", "Leaf"), { tools: [writeTool()], workers: true });
  const parent = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  const id = await childOf(parent);
  const problem = { code: "store_unavailable", message: "", hint: "", retry: "later", status: 503 } as const;
  const append: typeof rt.store.append = async (at, ...rest) =>
    at.thread === id ? { ok: false, problem } : rt.store.append(at, ...rest);
  const failing = attachTestThread({ ...rt, store: { ...rt.store, append } }, parent.at.thread);
  expect(problemCode(await failing.turn({ type: "cancel" }))).toBe("store_unavailable");
  expect(problemCode(await removeThread({ ...rt, store: { ...rt.store, append } }, parent.at, "tester"))).toBe(
    "store_unavailable",
  );
  expect(unwrap(await parent.turn({ type: "cancel" })).outcome.thread).toMatchObject(END);
  expect((await stateOf(rt, id)).machine).toMatchObject(END);
});

test.each(["cancel", "remove"] as const)(
  "%s: a child whose process stopped in a call settles the call and ends",
  async (how) => {
    const stopped = Promise.withResolvers<void>();
    let armed = false;
    const at = async (point: string) => {
      if (!armed || point !== "tool.after") return;
      armed = false;
      stopped.resolve();
      await new Promise(() => {});
    };
    const rt = createCrewRuntime(line("Parent", "Leaf"), {
      tools: [writeTool()],
      workers: true,
      change: { faults: { at } as Runtime["faults"] },
    });
    const parent = await createTestThread(rt, { goal: "Parent", mode: "direct" });
    const child = attachTestThread(rt, await childOf(parent));
    armed = true;
    await Promise.race([child.turn(), stopped.promise]);
    expect((await stateOf(rt, child.at.thread)).machine.at).toBe("acting");
    unwrap(await endWith(how, rt, parent));
    rt.clock.advance(10 * 60_000);
    expect(unwrap(await child.turn()).outcome.thread).toMatchObject(END);
  },
);

test("a cancellation reaches a grandchild in a call, which ends when the call does", async () => {
  const called = Promise.withResolvers<void>();
  const release = Promise.withResolvers<string>();
  const write = writeTool(() => {
    called.resolve();
    return release.promise;
  });
  const rt = createCrewRuntime(line("Parent", "Middle", "Leaf"), { tools: [write], workers: true });
  const parent = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  const middle = await childOf(parent);
  const leaf = attachTestThread(rt, await childOf(attachTestThread(rt, middle)));
  const writing = leaf.turn();
  await called.promise;
  expect(unwrap(await parent.turn({ type: "cancel" })).outcome.thread).toMatchObject(END);
  expect((await stateOf(rt, middle)).machine).toMatchObject(END);
  release.resolve("written");
  expect(unwrap(await writing).outcome.thread).toMatchObject(END);
});

/** Stops the process of the parent after it created a child and before it recorded that. */
async function parentStopped(workers: boolean) {
  const stopped = Promise.withResolvers<void>();
  let armed = true;
  const at = async (point: string) => {
    if (!armed || point !== "tool.after") return;
    armed = false;
    stopped.resolve();
    await new Promise(() => {});
  };
  const rt = createCrewRuntime(line("Parent", "Leaf"), {
    tools: [writeTool(() => `line ${calls++}`, true)],
    workers,
    change: { faults: { at } as Runtime["faults"] },
  });
  const parent = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  await Promise.race([parent.turn(), stopped.promise]);
  const list = async (gated: boolean) => unwrap(await rt.store.list(parent.at.tenant, { limit: 10, gated }));
  const child = (await list(false)).find((meta) => meta.parent === parent.at.thread);
  if (!child) throw new Error("no child");
  const fetcher = createFetch(rt, { name: "desk", links: { secret: "s".repeat(32), base: "https://app.example.com" } });
  const send = async (method: string, path: string, body?: object | string) => {
    const type = typeof body === "string" ? "application/x-www-form-urlencoded" : "application/json";
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const init = { method, headers: { "content-type": type }, ...(text && { body: text }) };
    const response = await fetcher(new URL(path, "https://app.example.com").href, init);
    const answer = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: bodies of several routes
    const json: any = response.headers.get("content-type")?.includes("json") ? JSON.parse(answer) : null;
    return { status: response.status, json, text: answer };
  };
  return { rt, parent, child: child.thread, list, send };
}

type Send = Awaited<ReturnType<typeof parentStopped>>["send"];

/** Stops the parent in the same way and lets the child open a gate. */
async function parentStoppedBeforeItWaits() {
  const { rt, parent, child, list, send } = await parentStopped(true);
  const work = async () => {
    for (const due of unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10))) await runSlice(rt, due, driveOptions());
  };
  await work();
  expect(await list(true)).toMatchObject([{ thread: child, gate: { kind: "confirmation" } }]);
  return { rt, parent, child, work, send };
}

test("a gate of a child that its removed parent did not know leaves the inbox when that is read", async () => {
  const { rt, parent, child, send } = await parentStoppedBeforeItWaits();
  const gates = async () => (await send("GET", "/v1/gates")).json.gates;
  expect(await gates()).toHaveLength(1);
  unwrap(await removeThread(rt, parent.at, "tester"));
  expect(await gates()).toEqual([]);
  expect(await stateOf(rt, child)).toMatchObject({ gate: null, machine: END });
});

test("a worker closes it, too, if nobody reads the inbox", async () => {
  const { rt, parent, child, work } = await parentStoppedBeforeItWaits();
  unwrap(await removeThread(rt, parent.at, "tester"));
  rt.clock.advance(60 * 60_000);
  await work();
  expect(await stateOf(rt, child)).toMatchObject({ gate: null, machine: END });
});

test("nothing answers a gate whose parent has ended, not even a link to it", async () => {
  const { rt, parent, child, send } = await parentStoppedBeforeItWaits();
  const { gate } = await stateOf(rt, child);
  if (gate?.kind !== "confirmation") throw new Error("no gate");
  const { url } = (await send("POST", `/v1/gates/${gate.id}/link`, {})).json;
  expect((await send("GET", url)).status).toBe(200);
  unwrap(await removeThread(rt, parent.at, "tester"));
  const before = await stateOf(rt, child);
  const written = calls;
  for (const answered of [await send("GET", url), await send("POST", url, "decision=approve")]) {
    expect(answered.status).toBe(409);
    expect(answered.text).toContain(`${parent.at.thread} no longer waits for this sub-agent`);
  }
  expect((await send("POST", `/v1/gates/${gate.id}/link`, { thread: child })).json.code).toBe("sub_agent_refused");
  const input = { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" };
  expect((await send("POST", `/v1/threads/${child}/turns`, { input })).json).toMatchObject({
    code: "sub_agent_refused",
    parent: parent.at.thread,
  });
  expect(await stateOf(rt, child)).toEqual(before);
  expect(calls).toBe(written);
});

test.each([
  ["shown", 61_000],
  ["listed", 61_000],
  // The clock was a year ahead when the child worked.
  ["listed", -365 * 86_400_000],
])("without a worker, a child whose parent was removed ends when it is %s, %i ms later", async (how, later_ms) => {
  const { rt, parent, child, send } = await parentStopped(false);
  unwrap(await removeThread(rt, parent.at, "tester"));
  const listed = async () => (await send("GET", "/v1/threads")).json.threads;
  expect(await listed()).toMatchObject([{ id: child, state: "execute" }]);
  rt.clock.advance(later_ms);
  const shown = how === "shown" ? (await send("GET", `/v1/threads/${child}`)).json.thread : (await listed())[0];
  expect(shown).toMatchObject({ id: child, ...END });
  expect((await stateOf(rt, child)).machine).toMatchObject(END);
});

test.each([
  ["a message", (send: Send, child: string) => send("POST", `/v1/threads/${child}/turns`, { input: HELLO })],
  [
    "a higher budget",
    (send: Send, child: string) => send("POST", `/v1/threads/${child}/turns`, { budget: { turns: 90 } }),
  ],
  [
    "a message instead of its run",
    (send: Send, child: string) => send("POST", `/v1/threads/${child}/turns`, { input: HELLO, if_busy: "rollback" }),
  ],
  ["a fork", (send: Send, child: string) => send("POST", `/v1/threads/${child}/fork`, { turn: 1 })],
])("a sub-agent that has reported refuses %s, and works no more", async (_what, ask) => {
  const { rt, parent, child, send } = await parentStopped(false);
  unwrap(await attachTestThread(rt, child).turn({ type: "cancel" }));
  rt.clock.advance(10 * 60_000);
  for (let i = 0; i < 5; i++) await parent.turn();
  expect((await stateOf(rt, parent.at.thread)).acting).toBeNull();
  const before = await stateOf(rt, child);
  expect((await ask(send, child)).json).toMatchObject({ status: 409, code: "sub_agent_refused" });
  expect(await stateOf(rt, child)).toEqual(before);
});

test("a message that was queued for a sub-agent which then reported is dropped", async () => {
  const rt = createCrewRuntime(line("Parent", "Leaf"), { tools: [writeTool()], workers: true });
  const parent = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  const child = attachTestThread(rt, await childOf(parent));
  while (unwrap(await child.turn()).outcome.next !== "none");
  unwrap(await parent.turn());
  const message = { type: "message" as const, text: "Hello" };
  unwrap(await addToInbox(rt, { at: child.at, actor: "tester", key: null, message, untrusted: false }));
  unwrap(await rt.store.putDelivery(wakeUpAt(child.at, rt.clock.now())));
  for (const due of unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10))) await runSlice(rt, due, driveOptions());
  expect(unwrap(await loadInbox(rt, child.at))).toEqual([]);
  expect(await stateOf(rt, child.at.thread)).toMatchObject({ run: 1, background: { status: "on" } });
});

test("a child is removed only after its parent has read what it spent", async () => {
  const play = line("Parent", "Leaf");
  const rt = createCrewRuntime(play, { tools: [writeTool()], workers: true });
  const parent = await createTestThread(rt, { goal: "Parent", mode: "direct" });
  const child = attachTestThread(rt, await childOf(parent));
  const refused = async () => {
    const removed = await removeThread(rt, child.at, "tester");
    expect(problemCode(removed)).toBe("turn_running");
    expect(removed).toMatchObject({ problem: { details: { parent: parent.at.thread } } });
  };
  await refused();
  while (unwrap(await child.turn()).outcome.next !== "none");
  await refused();
  const { used } = (await stateOf(rt, child.at.thread)).budget;
  const before = (await stateOf(rt, parent.at.thread)).budget.used;
  unwrap(await parent.turn());
  unwrap(await removeThread(rt, child.at, "tester"));
  const after = (await stateOf(rt, parent.at.thread)).budget.used;
  expect(used.tokens).toBeGreaterThan(0);
  expect(after.tokens - before.tokens).toBe(used.tokens);
});
