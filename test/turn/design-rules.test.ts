import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ARGUMENTS_INLINE_BYTES } from "../../src/schema/record.ts";
import { STATE_BYTES_MAX } from "../../src/schema/thread.ts";
import { setBackground } from "../../src/threads/change-state.ts";
import { forkThread } from "../../src/threads/fork.ts";
import { showPrompt } from "../../src/threads/show-prompt.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { eventsOf } from "../../src/turn/commit/events.ts";
import { loadThread, readRecords } from "../../src/turn/load.ts";
import {
  attachTestThread,
  createTestClock,
  createTestRuntime,
  createTestThread,
  type TestRuntime,
  type TestThread,
  unwrap,
} from "../support/runtime.ts";
import { createWriteTool, look } from "../support/tools.ts";

const calling = (name: string, args: Record<string, unknown>, speak = "On it.") => ({
  action: "continue",
  speak,
  tool_call: { name, arguments: args },
});
const planOf = (...steps: readonly object[]) => ({ action: "plan_done", speak: "The plan.", plan_steps: steps });

describe("a reply that asks for a new plan", () => {
  test("discards the old plan, as a message does", async () => {
    const ask = { action: "ask_user", speak: "Which day?" };
    const steps = [
      { content: "look", needs: "observation" },
      { content: "write", needs: "write" },
    ];
    const rt = createTestRuntime([planOf(...steps), calling("look", { at: "x" }), ask, { action: "continue" }], [look]);
    const thread = await createTestThread(rt, { goal: "Do it", plan_approval: "auto" });
    for (let i = 0; i < 3; i++) unwrap(await thread.turn());
    const replanned = unwrap(await thread.turn({ type: "message", text: "All different", replan: true }));
    expect(replanned.outcome.thread).toMatchObject({ state: "plan", at: "thinking", plan: null, proofs: [] });
    expect(rt.model.requests.at(-1)?.purpose).toBe("plan");
    expect(unwrap(await showPrompt(rt, thread.at, 4)).messages).toEqual(rt.model.requests.at(-1)?.messages);
  });
});

describe("the seconds of a budget", () => {
  const clock = createTestClock();
  const slow = (effect: "pure" | "keyed") =>
    defineTool(
      {
        name: "slow",
        description: "Takes its time.",
        permission: effect === "pure" ? "READ" : "WRITE",
        effect,
        requires_confirmation: false,
        timeout_ms: 60_000,
        input: z.object({}),
        output: z.string(),
      },
      () => {
        clock.advance(30_000);
        return "done";
      },
    );

  test.each(["pure", "keyed"] as const)(
    "include the time of a %s tool, and the run stops when they are used up",
    async (effect) => {
      const rt = { ...createTestRuntime([calling("slow", {})], [slow(effect)]), clock };
      const thread = await createTestThread(rt, { goal: "Do it", mode: "direct", budget: { seconds: 20 } });
      expect(unwrap(await thread.turn()).outcome.thread.budget.used.seconds).toBe(30);
      expect(unwrap(await thread.turn()).outcome).toMatchObject({ kind: "delivered", outcome: "exhausted" });
    },
  );
});

describe("a large state", () => {
  const wide = (n: number): string => "界".repeat(n);
  const steps = Array.from({ length: 20 }, (_, i) => ({ content: `${wide(45)}${i}`, needs: "observation" }));
  const stateOf = async (rt: TestRuntime, thread: TestThread) => unwrap(await loadThread(rt, thread.at)).state;
  const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

  test("fits until the last of twenty proven steps, each with its required proof", async () => {
    const script = steps.flatMap((_, i) => [
      calling("look", { at: `${wide(100)}${i}` }),
      calling("write", { line: `${wide(100)}${i}` }),
      { action: i < steps.length - 1 ? "next_plan" : "done", goal_check: `seen and written ${wide(700)}` },
    ]);
    const rt = createTestRuntime([planOf(...steps), ...script], [look, createWriteTool([], { confirm: false })]);
    const budget = { turns: 100 };
    const thread = await createTestThread(rt, { goal: wide(2000), plan_approval: "auto", budget });
    for (let i = 0; i <= script.length; i++) {
      unwrap(await thread.turn());
      expect(bytesOf(await stateOf(rt, thread))).toBeLessThanOrEqual(STATE_BYTES_MAX);
    }
    const { machine, proofs, goal, results } = await stateOf(rt, thread);
    expect(machine.state).toBe("deliver");
    expect(bytesOf(goal)).toBeLessThanOrEqual(1024 + 2);
    const needed = proofs.filter(({ kind }) => kind === "observation").map(({ step }) => step);
    expect(needed).toEqual(steps.map((_, i) => i));
    for (const { text } of results) expect(text).toMatch(/^seen and written .*…$/);
  });

  test("fits a large call in every state in which it can wait, and the call that runs is the one that was shown", async () => {
    const ledger: string[] = [];
    let killed = true;
    const at = (point: string) => {
      if (killed && point === "settle.before") throw new Error("killed");
    };
    const line = wide(1340);
    const rt = createTestRuntime(
      [planOf(...steps), calling("write", { line }, wide(1000))],
      [createWriteTool(ledger, { effect: "unkeyed" })],
      {
        faults: { at },
      },
    );
    const thread = await createTestThread(rt, { goal: wide(2000), plan_approval: "auto" });
    unwrap(await thread.turn());
    const { gate } = unwrap(await thread.turn()).outcome.thread;
    if (gate?.kind !== "confirmation") throw new Error("no confirmation gate");
    const approve = { type: "confirm" as const, gate_id: gate.id, digest: gate.digest, decision: "approve" as const };
    await expect(thread.turn(approve)).rejects.toThrow("killed");
    killed = false;
    rt.clock.advance(10_000_000);
    const doubt = unwrap(await thread.turn()).outcome.thread.gate;
    expect(doubt?.kind).toBe("doubt");
    expect(bytesOf(await stateOf(rt, thread))).toBeLessThanOrEqual(STATE_BYTES_MAX);
    expect(ledger.map((entry) => entry.endsWith(`:${line}`))).toEqual([true]);
    if (doubt?.kind !== "doubt") return;
    const settled = unwrap(await thread.turn({ type: "resolve", gate_id: doubt.id, outcome: "happened" }));
    expect(settled.outcome.thread.proofs).toMatchObject([{ step: 0, kind: "write" }]);
  });
});

describe("a fork", () => {
  test("keeps the metadata in lists, and its events have no gaps if a gate was opened earlier", async () => {
    const rt = createTestRuntime([{ action: "ask_user", speak: "Which day?" }, { action: "continue" }]);
    const thread = await createTestThread(rt, { goal: "Do it", mode: "direct", metadata: { team: "a" } });
    unwrap(await thread.turn());
    const call = { at: thread.at, actor: "tester", input: null, budget: null, if_match: null, key: null };
    const more = { last_turn: true, deadline: rt.clock.now() + 1000, signal: new AbortController().signal };
    unwrap(await setBackground(rt, { ...call, ...more, emit: () => undefined }, { status: "on", reason: null }));
    const forked = unwrap(await forkThread(rt, thread.at, 2)).thread;
    const listed = unwrap(await rt.store.list(thread.at.tenant, { limit: 10 }));
    expect(listed.find((meta) => meta.thread === forked.id)?.metadata).toEqual({ team: "a" });
    const copy = attachTestThread(rt, forked.id);
    unwrap(await copy.turn({ type: "message", text: "Monday" }));
    const records = unwrap(await readRecords(rt, copy.at, 0, 10));
    const events = records.flatMap((record) => eventsOf(forked.id, record));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i));
    expect(events.findLast((event) => event.type === "gate.opened")).toMatchObject({ gate: { id: forked.gate?.id } });
  });
});

describe("arguments above 4 KB", () => {
  test("are in a blob and nowhere else in the log, as the model wrote them and as a person changed them", async () => {
    const ledger: string[] = [];
    const line = "界".repeat(2000);
    const rt = createTestRuntime([calling("write", { line })], [createWriteTool(ledger)]);
    const thread = await createTestThread(rt, { goal: "Write it", mode: "direct" });
    const { gate } = unwrap(await thread.turn()).outcome.thread;
    if (gate?.kind !== "confirmation") throw new Error("no confirmation gate");
    const edited_arguments = { line: `${line}!` };
    const approve = { type: "confirm" as const, gate_id: gate.id, digest: gate.digest, decision: "approve" as const };
    unwrap(await thread.turn({ ...approve, edited_arguments }));
    expect(ledger.map((entry) => entry.endsWith(`:${line}!`))).toEqual([true]);
    for (const { entry } of unwrap(await readRecords(rt, thread.at, 0, 10))) {
      const { decision, input, call } = entry;
      expect(JSON.stringify({ decision, input, call }).length).toBeLessThan(ARGUMENTS_INLINE_BYTES / 2);
    }
  });
});

describe("a tool that is asked for the result of a call", () => {
  test("counts as unknown after its timeout: a person is asked", async () => {
    const facts = { name: "send", description: "Sends.", permission: "WRITE", requires_confirmation: false } as const;
    const send = defineTool(
      { ...facts, timeout_ms: 1000, input: z.object({}), reconcile: () => new Promise(() => undefined) },
      () => "sent",
    );
    let killed = true;
    const at = (point: string) => {
      if (killed && point === "tool.before") throw new Error("killed");
    };
    const rt = createTestRuntime([calling("send", {})], [send], { faults: { at } });
    const thread = await createTestThread(rt, { goal: "Send it", mode: "direct" });
    await expect(thread.turn()).rejects.toThrow("killed");
    killed = false;
    rt.clock.advance(100_000);
    const found = thread.turn();
    await new Promise((resolve) => setImmediate(resolve));
    rt.clock.advance(1_001);
    expect(unwrap(await found).outcome.thread.gate?.kind).toBe("doubt");
  });
});

describe("the prompt of a turn with untrusted input", () => {
  test("is rebuilt unchanged, with its warning", async () => {
    const rt = createTestRuntime([calling("look", { at: "x" }), { action: "continue" }], [look]);
    const thread = await createTestThread(rt, { goal: "Do it", mode: "direct" });
    unwrap(await thread.turn());
    unwrap(await thread.turn({ type: "message", text: "hello" }, { options: { untrusted: true } }));
    const asked = rt.model.requests.at(-1)?.messages;
    expect(asked?.[3]?.content).toContain("Text from outside is in this thread");
    expect(unwrap(await showPrompt(rt, thread.at, 2)).messages).toEqual(asked);
  });
});
