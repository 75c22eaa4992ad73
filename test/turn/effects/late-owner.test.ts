import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createMemoryStore } from "../../../src/adapters/store-memory.ts";
import type { ThreadStore } from "../../../src/ports/thread-store.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { fail, type Result } from "../../../src/schema/problem.ts";
import { defineTool, type Tool } from "../../../src/tools/define-tool.ts";
import { readRecords } from "../../../src/turn/load.ts";
import type { TurnMetrics } from "../../../src/turn/runtime.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { attachTestThread, createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";

const SEND = {
  name: "send",
  description: "Sends.",
  permission: "WRITE",
  requires_confirmation: false,
  timeout_ms: 600_000,
  input: z.object({ to: z.string() }),
  output: z.string(),
} as const;

/** Creates a tool whose runs end only when the test ends them, each by its number. */
function aSlowTool(effect: "keyed" | "unkeyed") {
  const ends: (() => void)[] = [];
  const tool: Tool = defineTool({ ...SEND, effect }, async ({ to }) => {
    await new Promise<void>((resolve) => {
      ends.push(resolve);
    });
    return `sent to ${to}`;
  });
  return { tool, finish: (run = 0): void => ends[run]?.() };
}

const send = { action: "continue", speak: "Sending.", tool_call: { name: "send", arguments: { to: "Ann" } } };
const KEY = { hash: "a".repeat(18), body: "b" };
const OTHER = { hash: "c".repeat(18), body: "d" };
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Starts a call in one process. By the clock of another process, its deadline passed long ago. */
async function startLateCall(tool: Tool, { background = false, place = "" } = {}) {
  const store = { ...createMemoryStore(), ...(place && { place }) };
  const reported: string[] = [];
  const metrics: TurnMetrics = {
    observe: ({ records }) => void reported.push(...records.map(({ entry }) => entry.commit_id)),
    text: () => "",
  };
  const rt = createTestRuntime([send], [tool], { store, metrics });
  const run = background ? "background" : undefined;
  const thread = await createTestThread(rt, { goal: "Send it", mode: "direct", ...(run ? { run } : {}) });
  const owner = thread.turn(null, { key: KEY, options: { by_worker: background } });
  await soon();
  const elsewhere = createTestRuntime([], [tool], { store, metrics });
  elsewhere.clock.advance(700_000);
  return { rt, thread, owner, other: attachTestThread(elsewhere, thread.at.thread), reported };
}

describe("the owner of a call that settles late", () => {
  test("settles on top of a cancel request, and delivers the cancellation", async () => {
    const slow = aSlowTool("unkeyed");
    const rt = createTestRuntime([send], [slow.tool]);
    const thread = await createTestThread(rt, { goal: "Send it", mode: "direct" });
    const owner = thread.turn(null, { key: KEY });
    await soon();
    expect(unwrap(await thread.turn({ type: "cancel" })).outcome.kind).toBe("running");
    slow.finish();
    const settled = unwrap(await owner);
    expect(settled.outcome).toMatchObject({ kind: "delivered", outcome: "cancelled" });
    expect(settled.outcome.turn?.receipts.map(({ kind, success }) => [kind, success])).toEqual([
      ["intended", null],
      ["settled", true],
    ]);
  });

  test("wakes a background run with the record that closes the doubt, even if this worker stops right after it", async () => {
    const slow = aSlowTool("unkeyed");
    const { rt, thread, owner, other } = await startLateCall(slow.tool, { background: true });
    unwrap(await other.turn(null, { options: { by_worker: true } }));
    for (const wakeUp of unwrap(await rt.store.deliveries(thread.at, 10)))
      unwrap(await rt.store.settleDelivery(wakeUp, null));
    slow.finish();
    expect(unwrap(await owner).outcome.thread).toMatchObject({ state: "execute", at: "deciding", gate: null });
    expect(unwrap(await rt.store.deliveries(thread.at, 10)).map(({ id }) => id)).toEqual(["wake"]);
  });

  test("closes a doubt that another process opened, and returns its own records", async () => {
    const slow = aSlowTool("unkeyed");
    const { thread, owner, other } = await startLateCall(slow.tool);
    const doubt = unwrap(await other.turn(null, { key: OTHER })).outcome.thread.gate;
    expect(doubt?.kind).toBe("doubt");
    slow.finish();
    const first = unwrap(await owner);
    expect(first.records.map(({ version }) => version)).toEqual([1, 3]);
    expect(first.outcome.thread).toMatchObject({ state: "execute", at: "deciding", gate: null });
    const again = unwrap(await thread.turn(null, { key: KEY }));
    expect(again.replayed).toBe(true);
    expect(JSON.stringify(again.outcome)).toBe(JSON.stringify(first.outcome));
  });

  test.each(["unkeyed", "keyed"] as const)(
    "returns the same response as a duplicate of the request, %s",
    async (effect) => {
      const slow = aSlowTool(effect);
      const { thread, owner, other, rt, reported } = await startLateCall(slow.tool);
      const twin = other.turn(null, { key: KEY });
      await soon();
      slow.finish(0);
      await soon();
      slow.finish(1);
      const answers = [unwrap(await owner), unwrap(await twin), unwrap(await thread.turn(null, { key: KEY }))];
      expect(new Set(answers.map(({ outcome }) => JSON.stringify(outcome))).size).toBe(1);
      const records = unwrap(await readRecords(rt, thread.at, 0, 100));
      const ends = records.flatMap(({ entry }) => entry.receipts.filter((receipt) => receipt.kind === "settled"));
      expect(ends).toHaveLength(1);
      // Metrics receive each record from the attempt that stored it.
      expect(reported.toSorted()).toEqual(
        records
          .slice(1)
          .map(({ entry }) => entry.commit_id)
          .toSorted(),
      );
    },
  );

  test("reports what the model used also if the turn fails after its call was recorded", async () => {
    const slow = aSlowTool("unkeyed");
    const { rt, thread, owner, reported } = await startLateCall(slow.tool);
    const [, intended] = unwrap(await readRecords(rt, thread.at, 0, 1));
    expect(intended?.entry.usage).not.toBeNull();
    unwrap(await rt.store.remove(thread.at));
    slow.finish();
    expect(await owner).toMatchObject({ ok: false, problem: { code: "thread_removed" } });
    expect(reported).toEqual([intended?.entry.commit_id]);
  });
});

describe("an attempt that fails late, after another process resent its call", () => {
  /** Starts two attempts. On request, the first one refuses and the second one ends. */
  async function startTwoAttempts() {
    const ends = [Promise.withResolvers<Result<string>>(), Promise.withResolvers<Result<string>>()] as const;
    let runs = 0;
    const tool = defineTool(
      {
        name: "send",
        description: "Sends.",
        permission: "WRITE",
        effect: "keyed",
        requires_confirmation: false,
        timeout_ms: 600_000,
        input: z.object({ to: z.string() }),
        output: z.string(),
      },
      () => ends[runs++ === 0 ? 0 : 1].promise as never,
    );
    const { rt, thread, owner, other } = await startLateCall(tool);
    const second = other.turn(null, { key: OTHER });
    await soon();
    const settled = async () =>
      unwrap(await readRecords(rt, thread.at, 0, 100)).flatMap(({ entry }) =>
        entry.receipts.filter((receipt) => receipt.kind === "settled"),
      );
    return { first: ends[0], last: ends[1], owner, second, settled };
  }
  const refusal = fail("tool_refused", "No such address.");

  test("does not settle the call while the newer attempt is running", async () => {
    const { first, last, owner, second, settled } = await startTwoAttempts();
    first.resolve(refusal);
    unwrap(await owner);
    expect(await settled()).toEqual([]);
    last.resolve("sent" as never);
    unwrap(await second);
    expect(await settled()).toMatchObject([{ success: true }]);
  });

  test("does not contradict the success of the newer attempt", async () => {
    const { first, last, owner, second, settled } = await startTwoAttempts();
    last.resolve("sent" as never);
    unwrap(await second);
    first.resolve(refusal);
    unwrap(await owner);
    expect(await settled()).toMatchObject([{ success: true }]);
  });
});

describe("an owner that settles after a person has settled its call", () => {
  test.each([
    ["not_happened", false, true],
    ["happened", true, false],
  ] as const)("in another process, as %s, stores its own result next to that", async (outcome, said, found) => {
    const end = Promise.withResolvers<string>();
    const tool = defineTool({ ...SEND, effect: "unkeyed" }, async () =>
      found ? end.promise : end.promise.then(() => fail("tool_refused", "No such address.")),
    );
    const { rt, thread, owner, other } = await startLateCall(tool);
    const { gate } = unwrap(await other.turn()).outcome.thread;
    const settled = unwrap(await other.turn({ type: "resolve", gate_id: gate?.id as never, outcome }));
    expect(settled.outcome.thread.proofs).toHaveLength(said ? 1 : 0);
    end.resolve("sent");
    unwrap(await owner);
    const records = unwrap(await readRecords(rt, thread.at, 0, 100));
    const ends = records.flatMap(({ entry }) => entry.receipts.filter((receipt) => receipt.kind === "settled"));
    expect(ends).toMatchObject([{ success: said }, { success: found, contradicts: ends[0]?.id }]);
    const state = records.at(-1)?.state;
    expect(state?.contradictions).toMatchObject([{ said, found }]);
    // The result that the tool reports proves the step, and the run continues from its current state.
    expect(state?.proofs.map(({ receipt_id }) => receipt_id)).toEqual(found ? [ends[1]?.id] : []);
    expect(state?.machine).toMatchObject({ state: "execute", at: "deciding" });
  });

  test("stores no result next to it if the documents of the call were to be saved with its receipt", async () => {
    const end = Promise.withResolvers<void>();
    const at = { tenant: LOCAL_TENANT, kind: "note", id: "one" };
    const documents = { ...createMemoryDocuments(), place: "here" };
    const tool = defineTool({ ...SEND, effect: "unkeyed" }, async ({ to }, { saveWithReceipt }) => {
      await end.promise;
      return saveWithReceipt?.(documents, { at, value: to, expectedVersion: 0 }) ? "saved" : "not saved";
    });
    const { rt, thread, owner, other } = await startLateCall(tool, { place: "here" });
    const { gate } = unwrap(await other.turn()).outcome.thread;
    unwrap(await other.turn({ type: "resolve", gate_id: gate?.id as never, outcome: "not_happened" }));
    end.resolve();
    unwrap(await owner);
    const records = unwrap(await readRecords(rt, thread.at, 0, 100));
    const ends = records.flatMap(({ entry }) => entry.receipts.filter((receipt) => receipt.kind === "settled"));
    expect(ends).toMatchObject([{ success: false }]);
    expect(records.at(-1)?.state.contradictions ?? []).toEqual([]);
    expect(unwrap(await documents.load(at))).toBeNull();
  });
});

describe("a clock that was set back", () => {
  test("does not make callers wait until it catches up", async () => {
    const slow = aSlowTool("unkeyed");
    const rt = createTestRuntime([send], [slow.tool]);
    const thread = await createTestThread(rt, { goal: "Send it", mode: "direct" });
    void thread.turn();
    await soon();
    rt.clock.advance(-10 * 365 * 86_400_000);
    expect(unwrap(await thread.turn()).outcome.thread.gate?.kind).toBe("doubt");
  });

  test("refunds no time to a budget", async () => {
    const rt = createTestRuntime([
      () => {
        rt.clock.advance(-3_600_000);
        return { action: "continue", reason: "hm" };
      },
    ]);
    const thread = await createTestThread(rt, { goal: "Think", mode: "direct" });
    expect(unwrap(await thread.turn()).outcome.thread.budget.used.seconds).toBe(0);
  });
});

describe("a store that loses replies", () => {
  /** Executes every second write without acknowledging it. */
  function loseReplies(inner: ThreadStore): ThreadStore {
    let n = 0;
    const lose = async <T>(writing: Promise<Result<T>>): Promise<Result<T>> => {
      const done = await writing;
      return n++ % 2 === 0 ? fail("store_unavailable", "No reply.") : done;
    };
    return {
      ...inner,
      create: (at, record, meta) => lose(inner.create(at, record, meta)),
      append: (at, record, also) => lose(inner.append(at, record, also)),
    };
  }

  test("loses no turn and duplicates none", async () => {
    const slow = aSlowTool("unkeyed");
    const rt = createTestRuntime([send], [slow.tool], { store: loseReplies(createMemoryStore()) });
    const thread = await createTestThread(rt, { goal: "Send it", mode: "direct" });
    const owner = thread.turn();
    await soon();
    slow.finish();
    expect(unwrap(await owner).records.map(({ version }) => version)).toEqual([1, 2]);
    expect(unwrap(await readRecords(rt, thread.at, 0, 100))).toHaveLength(3);
  });
});
