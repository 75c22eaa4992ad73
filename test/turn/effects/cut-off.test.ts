import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createMemoryStore } from "../../../src/adapters/store-memory.ts";
import type { ThreadId } from "../../../src/schema/ids.ts";
import { fail } from "../../../src/schema/problem.ts";
import type { SettledReceipt } from "../../../src/schema/receipt.ts";
import { defineTool, type Handler, type Reconcile, type Tool } from "../../../src/tools/define-tool.ts";
import { type Outcome, outcome } from "../../../src/tools/outcome.ts";
import { loadThread, readRecords } from "../../../src/turn/load.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import {
  attachTestThread,
  createTestRuntime,
  createTestThread,
  problemCode,
  type TestRuntime,
  type TestThread,
  unwrap,
} from "../../support/runtime.ts";

type Run = Handler<{ to: string }, string>;
type ReconcileSend = Reconcile<{ to: string }, string>;

const TIMEOUT_MS = 1_000;
const KEY = { hash: "a".repeat(18), body: "b" };
const send = { action: "continue", speak: "Sending.", tool_call: { name: "send", arguments: { to: "Ann" } } };
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const never = new Promise<string>(() => undefined);

/** Creates a tool whose attempts behave as listed, in order. The last item repeats. */
function aTool(effect: "pure" | "keyed" | "unkeyed", runs: readonly Run[], reconcile?: ReconcileSend) {
  const keys: (string | null)[] = [];
  const tool: Tool = defineTool(
    {
      name: "send",
      description: "Sends.",
      permission: effect === "pure" ? "READ" : "WRITE",
      effect,
      requires_confirmation: false,
      timeout_ms: TIMEOUT_MS,
      input: z.object({ to: z.string() }),
      output: z.string(),
      ...(reconcile ? { reconcile } : {}),
    },
    (input, context) => {
      keys.push(context.idempotency_key);
      return (runs[keys.length - 1] ?? runs.at(-1))?.(input, context) ?? "";
    },
  );
  return { tool, keys };
}

const sent: Run = ({ to }) => `sent to ${to}`;
const hangs: Run = () => never;
const throws: Run = () => {
  throw new Error("connection reset");
};
const refuses: Run = () => fail("tool_refused", "The mailbox is full.");
const cannotTell: Run = () => fail("outcome_unknown", "The line went dead.");

async function on(tool: Tool, change: Partial<Runtime> = {}): Promise<{ rt: TestRuntime; thread: TestThread }> {
  const rt = createTestRuntime([send, { action: "continue", reason: "hm" }], [tool], change);
  return { rt, thread: await createTestThread(rt, { goal: "Send it", mode: "direct" }) };
}

/** Runs a turn whose tool hangs by moving the clock past each of its deadlines. */
async function runPastTimeouts(rt: TestRuntime, turn: ReturnType<TestThread["turn"]>) {
  let over = false;
  void turn.finally(() => {
    over = true;
  });
  for (let i = 0; i < 50 && !over; i++) {
    await soon();
    if (!over) rt.clock.advance(TIMEOUT_MS);
  }
  return turn;
}

const receiptsOf = async (rt: Runtime, { at }: TestThread) =>
  unwrap(await readRecords(rt, at, 0, 100)).flatMap(({ entry }) => entry.receipts);
const settledOf = async (rt: Runtime, thread: TestThread): Promise<readonly SettledReceipt[]> =>
  (await receiptsOf(rt, thread)).filter((receipt) => receipt.kind === "settled");

describe("an interrupted unkeyed call", () => {
  test.each([
    ["timed out", hangs, "did not finish within 1000 ms"],
    ["reports an unknown outcome", cannotTell, "The line went dead."],
  ])("that %s opens a doubt gate and is not resent", async (_why, run, words) => {
    const { tool, keys } = aTool("unkeyed", [run]);
    const { rt, thread } = await on(tool);
    const turn = unwrap(await runPastTimeouts(rt, thread.turn(null, { key: KEY })));
    expect(turn.outcome).toMatchObject({ kind: "waiting", next: "resolve", gate: { kind: "doubt" } });
    expect(turn.outcome.thread.gate?.text).toContain(words);
    expect(await settledOf(rt, thread)).toEqual([]);
    expect(keys).toHaveLength(1);
    const again = unwrap(await thread.turn(null, { key: KEY }));
    expect(JSON.stringify(again.outcome)).toBe(JSON.stringify(turn.outcome));
  });

  test("failed if the tool itself reports so in time", async () => {
    const { tool } = aTool("unkeyed", [refuses]);
    const { rt, thread } = await on(tool);
    expect(unwrap(await thread.turn()).outcome.kind).toBe("advanced");
    expect(await settledOf(rt, thread)).toMatchObject([{ success: false, summary: "The mailbox is full." }]);
  });

  test.each([
    ["throws", throws, "connection reset"],
    ["returns an invalid output", (() => 7) as unknown as Run, "broke its own output schema"],
  ])("failed if the tool %s, with the advice to check before repeating it", async (_how, run, words) => {
    const { tool } = aTool("unkeyed", [run]);
    const { rt, thread } = await on(tool);
    const { outcome } = unwrap(await thread.turn());
    expect(outcome.kind).toBe("advanced");
    expect(outcome.turn?.observation?.text).toContain(words);
    expect(outcome.turn?.observation?.text).toContain("Check before you repeat it");
    expect(await settledOf(rt, thread)).toMatchObject([{ success: false }]);
  });

  test.each([
    ["yes", true],
    ["no", false],
  ])("is settled by a tool that can be asked and says %s", async (_word, happened) => {
    const { tool } = aTool("unkeyed", [cannotTell], async () => ({ happened }));
    const { rt, thread } = await on(tool);
    unwrap(await thread.turn());
    expect(await settledOf(rt, thread)).toMatchObject([{ success: happened }]);
  });

  test("is in doubt while its handler is running, although the tool does not know of it yet", async () => {
    const { tool } = aTool("unkeyed", [hangs], async () => ({ happened: false }));
    const { rt, thread } = await on(tool);
    expect(unwrap(await runPastTimeouts(rt, thread.turn())).outcome.thread.gate?.kind).toBe("doubt");
  });

  test("keeps the streamed output, with the trust of its tool", async () => {
    const tool = defineTool(
      {
        name: "send",
        description: "Sends.",
        permission: "WRITE",
        requires_confirmation: false,
        streaming: true,
        output_trust: "untrusted",
        timeout_ms: TIMEOUT_MS,
        input: z.object({ to: z.string() }),
      },
      async function* () {
        yield "half of it";
        await never;
      },
    );
    const { rt, thread } = await on(tool);
    const { outcome } = unwrap(await runPastTimeouts(rt, thread.turn()));
    expect(outcome.turn?.observation?.text).toContain("half of it");
    expect(outcome.thread).toMatchObject({ tainted: true, gate: { kind: "doubt" } });
    expect(outcome.thread.gate?.text).not.toContain("half of it");
  });
});

describe("a person who is asked about a call in doubt", () => {
  const doubtOn = async (rt: TestRuntime, thread: TestThread): Promise<{ type: "resolve"; gate_id: never }> => {
    const { gate } = unwrap(await runPastTimeouts(rt, thread.turn())).outcome.thread;
    return { type: "resolve", gate_id: gate?.id as never };
  };

  test("can allow another attempt of an unkeyed call, as a new effect", async () => {
    const { tool, keys } = aTool("unkeyed", [hangs, sent]);
    const { rt, thread } = await on(tool);
    const resolve = await doubtOn(rt, thread);
    const turn = unwrap(await thread.turn({ ...resolve, outcome: "try_again", note: "nothing arrived" }));
    expect(turn.outcome).toMatchObject({ kind: "advanced", thread: { gate: null } });
    expect(new Set(keys).size).toBe(2);
    const [first, second] = await settledOf(rt, thread);
    expect(first).toMatchObject({ success: null, effect_id: keys[0] });
    expect(first?.summary).toContain("tester let it be tried again (nothing arrived)");
    expect(second).toMatchObject({ success: true, effect_id: keys[1], actor: "tester", gate_id: resolve.gate_id });
  });

  test("can allow another attempt of a keyed call under its key", async () => {
    const { tool, keys } = aTool("keyed", [cannotTell, cannotTell, cannotTell, cannotTell, cannotTell, sent]);
    const { rt, thread } = await on(tool);
    let turn = await thread.turn();
    while (problemCode(turn) === "turn_running") {
      rt.clock.advance(60_000);
      turn = await thread.turn();
    }
    const { gate } = unwrap(turn).outcome.thread;
    expect(gate?.text).toContain("sent 5 times");
    unwrap(await thread.turn({ type: "resolve", gate_id: gate?.id as never, outcome: "try_again" }));
    expect(new Set(keys).size).toBe(1);
    expect(await settledOf(rt, thread)).toMatchObject([{ success: true, effect_id: keys[0] }]);
  });

  test("cannot repeat the call of a tool that has changed since", async () => {
    const { tool } = aTool("unkeyed", [hangs]);
    const { rt, thread } = await on(tool);
    const resolve = await doubtOn(rt, thread);
    const changed = { ...tool, manifest: { ...tool.manifest, version: "2" } };
    const next = createTestRuntime([], [changed], { store: rt.store });
    const other = attachTestThread(next, thread.at.thread);
    expect(problemCode(await other.turn({ ...resolve, outcome: "try_again" }))).toBe("tool_changed");
    expect(unwrap(await other.turn({ ...resolve, outcome: "happened" })).outcome.kind).toBe("advanced");
  });
});

describe("an interrupted keyed call", () => {
  test("is resent immediately under its key", async () => {
    const { tool, keys } = aTool("keyed", [cannotTell, sent]);
    const { rt, thread } = await on(tool);
    const turn = unwrap(await thread.turn(null, { key: KEY }));
    expect(turn.outcome.kind).toBe("advanced");
    expect(new Set(keys)).toEqual(new Set([keys[0]]));
    expect((await receiptsOf(rt, thread)).map(({ kind, success }) => [kind, success])).toEqual([
      ["intended", null],
      ["intended", null],
      ["settled", true],
    ]);
    const again = unwrap(await thread.turn(null, { key: KEY }));
    expect(JSON.stringify(again.outcome)).toBe(JSON.stringify(turn.outcome));
  });

  test("is left to a later turn if the deadline is too close, and is resent under its key", async () => {
    const { tool, keys } = aTool("keyed", [hangs, sent]);
    const { rt, thread } = await on(tool);
    const turn = await runPastTimeouts(rt, thread.turn(null, { key: KEY, deadline: rt.clock.now() + 1_500 }));
    expect(problemCode(turn)).toBe("turn_running");
    expect(!turn.ok && turn.problem.details?.retry_after_s).toBeGreaterThan(0);
    rt.clock.advance(60_000);
    expect(unwrap(await thread.turn(null, { key: KEY })).outcome.kind).toBe("advanced");
    expect(new Set(keys).size).toBe(1);
    expect(await settledOf(rt, thread)).toHaveLength(1);
  });

  test("that started sub-agents after its timeout waits for them", async () => {
    const late = Promise.withResolvers<Outcome<string>>();
    const { tool } = aTool("keyed", [() => late.promise as unknown as Promise<string>]);
    const { rt, thread } = await on(tool);
    const turn = await runPastTimeouts(rt, thread.turn(null, { deadline: rt.clock.now() + 1_500 }));
    expect(problemCode(turn)).toBe("turn_running");
    const child = { thread: `thr_${"7".repeat(26)}` as ThreadId, run: 1 };
    late.resolve(outcome("1 started.", { delegation: { children: [child], by_worker: true } }));
    await soon();
    await soon();
    const { machine, acting } = unwrap(await loadThread(rt, thread.at)).state;
    expect([machine.at, acting?.delegation?.children]).toEqual(["delegating", [child]]);
    expect(await settledOf(rt, thread)).toEqual([]);
  });

  test("is not resent forever: after five attempts a person is asked", async () => {
    const { tool, keys } = aTool("keyed", [hangs]);
    const { rt, thread } = await on(tool);
    let turn = await runPastTimeouts(rt, thread.turn());
    for (let i = 0; i < 10 && problemCode(turn) === "turn_running"; i++) {
      rt.clock.advance(60_000);
      turn = await runPastTimeouts(rt, thread.turn());
    }
    expect(unwrap(turn).outcome.thread.gate?.kind).toBe("doubt");
    expect(keys).toHaveLength(5);
  });

  test("is in doubt if the second attempt is refused: that says nothing about the first", async () => {
    const { tool } = aTool("keyed", [cannotTell, refuses]);
    const { rt, thread } = await on(tool);
    const { gate } = unwrap(await thread.turn()).outcome.thread;
    expect(gate?.kind).toBe("doubt");
    expect(gate?.text).toContain("The mailbox is full.");
    expect(await settledOf(rt, thread)).toEqual([]);
  });
});

describe("a keyed call whose first attempt is still running", () => {
  test("is in doubt if the second one throws, although the tool does not know of it yet", async () => {
    const { tool } = aTool("keyed", [hangs, throws], async () => ({ happened: false }));
    const { rt, thread } = await on(tool);
    let turn = await runPastTimeouts(rt, thread.turn());
    for (let i = 0; i < 5 && problemCode(turn) === "turn_running"; i++) {
      rt.clock.advance(60_000);
      turn = await runPastTimeouts(rt, thread.turn());
    }
    expect(unwrap(turn).outcome.thread.gate?.kind).toBe("doubt");
    expect(await settledOf(rt, thread)).toEqual([]);
  });
});

describe("an interrupted pure call", () => {
  test("failed, and no gate opens", async () => {
    const { tool } = aTool("pure", [hangs]);
    const { rt, thread } = await on(tool);
    expect(unwrap(await runPastTimeouts(rt, thread.turn())).outcome.kind).toBe("advanced");
    expect(await settledOf(rt, thread)).toMatchObject([{ success: false }]);
  });
});

describe("a tool that returns after its timeout", () => {
  /** Creates a tool whose first run ends when the test releases it. */
  function aLateTool(effect: "keyed" | "unkeyed") {
    const end = Promise.withResolvers<string>();
    return { ...aTool(effect, [() => end.promise, sent]), end };
  }

  test("closes the doubt it caused", async () => {
    const { tool, end } = aLateTool("unkeyed");
    const { rt, thread } = await on(tool);
    const asked = unwrap(await runPastTimeouts(rt, thread.turn(null, { key: KEY })));
    end.resolve("sent after all");
    await soon();
    await soon();
    expect(await settledOf(rt, thread)).toMatchObject([{ success: true, summary: "sent after all" }]);
    const again = unwrap(await thread.turn(null, { key: KEY }));
    expect(JSON.stringify(again.outcome)).toBe(JSON.stringify(asked.outcome));
    expect(unwrap(await thread.turn()).outcome.thread).toMatchObject({ gate: null, contradictions: [] });
  });

  test("does not close the doubt with a failure, which may be caused by the abort", async () => {
    const { tool, end } = aLateTool("unkeyed");
    const { rt, thread } = await on(tool);
    unwrap(await runPastTimeouts(rt, thread.turn()));
    end.reject(new Error("aborted"));
    await soon();
    expect(await settledOf(rt, thread)).toEqual([]);
  });

  test.each([
    ["not_happened", false],
    ["abort", null],
    ["try_again", null],
  ] as const)("adds a contradicting receipt after a person said %s", async (outcome, said) => {
    const { tool, end, keys } = aLateTool("unkeyed");
    const { rt, thread } = await on(tool);
    const { gate } = unwrap(await runPastTimeouts(rt, thread.turn())).outcome.thread;
    unwrap(await thread.turn({ type: "resolve", gate_id: gate?.id as never, outcome }));
    const seen = thread.events.length;
    end.resolve("sent after all");
    await soon();
    await soon();
    const receipts = (await settledOf(rt, thread)).filter(({ effect_id }) => effect_id === keys[0]);
    expect(receipts).toMatchObject([{ success: said }, { success: true, contradicts: receipts[0]?.id }]);
    expect(thread.events.slice(seen)).toContainEqual(
      expect.objectContaining({
        type: "tool.completed",
        receipt: expect.objectContaining({ contradicts: receipts[0]?.id }),
      }),
    );
    const head = unwrap(await readRecords(rt, thread.at, 0, 100)).at(-1);
    expect(head?.state.contradictions).toMatchObject([
      { tool: "send", said, found: true, contradicts: receipts[0]?.id },
    ]);
  });

  test("proves the step that a person's answer had left unproven, and the model sees it", async () => {
    const { tool, end } = aLateTool("unkeyed");
    const { rt, thread } = await on(tool);
    const { gate } = unwrap(await runPastTimeouts(rt, thread.turn())).outcome.thread;
    unwrap(await thread.turn({ type: "resolve", gate_id: gate?.id as never, outcome: "not_happened" }));
    end.resolve("sent after all");
    await soon();
    await soon();
    const { thread: view } = unwrap(await thread.turn()).outcome;
    expect(view.proofs).toMatchObject([{ kind: "write" }]);
    expect(view.contradictions).toHaveLength(1);
    const prompt = JSON.stringify(rt.model.requests.at(-1)?.messages);
    expect(prompt).toContain("was said not to have happened. Its own result came later: it happened. sent after all");
  });

  test("wakes the background run that waited for a person", async () => {
    const { tool, end } = aLateTool("unkeyed");
    const rt = createTestRuntime([send], [tool]);
    const thread = await createTestThread(rt, { goal: "Send it", mode: "direct", run: "background" });
    const due = async () => unwrap(await rt.store.dueDeliveries(Number.MAX_SAFE_INTEGER, 10));
    for (const row of await due()) unwrap(await rt.store.settleDelivery(row, null));
    unwrap(await runPastTimeouts(rt, thread.turn(null, { options: { by_worker: true } })));
    expect(await due()).toEqual([]);
    end.resolve("sent after all");
    await soon();
    await soon();
    expect(await due()).toMatchObject([{ thread: thread.at.thread, id: "wake" }]);
  });

  test("adds no second receipt if it agrees with the person", async () => {
    const { tool, end } = aLateTool("unkeyed");
    const { rt, thread } = await on(tool, { store: createMemoryStore() });
    const { gate } = unwrap(await runPastTimeouts(rt, thread.turn())).outcome.thread;
    unwrap(await thread.turn({ type: "resolve", gate_id: gate?.id as never, outcome: "happened" }));
    end.resolve("sent");
    await soon();
    await soon();
    expect(await settledOf(rt, thread)).toHaveLength(1);
  });
});
