// Tests messages and workers on one thread at the same time, in many orders. Each message must be processed exactly
// once.
import { describe, expect, test } from "vitest";
import { sendMessage } from "../../../src/jobs/inbox/double-texting.ts";
import { loadInbox } from "../../../src/jobs/inbox/inbox.ts";
import { postMessage } from "../../../src/jobs/inbox/post-message.ts";
import { runSlice } from "../../../src/jobs/run-slice.ts";
import type { Model } from "../../../src/ports/model.ts";
import type { ThreadStore } from "../../../src/ports/thread-store.ts";
import type { ThreadRef } from "../../../src/schema/ids.ts";
import { fail } from "../../../src/schema/problem.ts";
import { setBackground } from "../../../src/threads/change-state.ts";
import { WAKE_ID, wakeUpAt } from "../../../src/turn/commit/wake-up.ts";
import { loadThread, readRecords } from "../../../src/turn/load.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { createRandom } from "../../sim/random.ts";
import { callTool, done } from "../../support/decisions.ts";
import { driveOptions, turnRequestOn } from "../../support/drive-options.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";
import { clarify, createWriteTool, look } from "../../support/tools.ts";

/** Returns a model that observes something new and finishes from time to time. */
function aBusyModel(random: () => number): Model {
  let n = 0;
  return {
    name: "busy",
    window: 64_000,
    max_output_tokens: 1_000,
    prices: null,
    async reply({ purpose }) {
      for (let waits = Math.floor(random() * 4); waits > 0; waits--) await Promise.resolve();
      n += 1;
      const decision = random() < 0.3 ? done : callTool("look", { at: String(n) });
      const text = purpose === "deliver" ? "Delivered." : JSON.stringify(decision);
      return { ok: true, value: { text, model: "busy", usage: null } };
    },
  };
}

async function work(rt: Runtime, owner: string): Promise<boolean> {
  const due = unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10));
  for (const one of due) await runSlice(rt, one, driveOptions({ owner, slice_turns: 3, attempts_max: 5 }));
  return due.length > 0;
}

const heard = async (rt: Runtime, at: ThreadRef): Promise<readonly string[]> =>
  unwrap(await readRecords(rt, at, 0, 2000)).flatMap(({ entry }) =>
    entry.input?.type === "message" ? [entry.input.text] : [],
  );

describe("messages that race with a worker", () => {
  test("are processed exactly once each, in 60 orders", async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = createRandom(seed, 1).next;
      const model = aBusyModel(random);
      const rt = createTestRuntime([], [look], { pickModel: () => model });
      const { at } = await createTestThread(rt, {
        goal: "Look",
        mode: "direct",
        run: "background",
        budget: { turns: 500 },
      });
      const texts = Array.from({ length: 12 }, (_, n) => `message ${n}`);
      const send = async (text: string): Promise<void> => {
        for (let waits = Math.floor(random() * 60); waits > 0; waits--) await Promise.resolve();
        const message = { type: "message" as const, text };
        const key = { hash: text.padEnd(18, "-").slice(0, 18), body: text };
        const call = turnRequestOn(rt, at, { input: message, key });
        // The message is sent twice, as by a client that lost the first response.
        for (let tries = 0; tries < 2; tries++) {
          const how = random();
          if (how < 0.4) await postMessage(rt, { ...call, input: null }, { message, untrusted: false });
          else await retryConflicts(() => sendMessage(rt, call, message, how < 0.8 ? "enqueue" : "interrupt"));
        }
      };
      let sending = true;
      const workers = ["a", "b"].map(async (owner) => {
        for (let n = 0; n < 5000 && sending; n++) {
          await work(rt, owner);
          // A client that finds the same request in progress waits briefly.
          rt.clock.advance(20);
          await Promise.resolve();
        }
      });
      await Promise.all(texts.map(send));
      sending = false;
      await Promise.all(workers);
      rt.clock.advance(2000);
      for (let n = 0; n < 200 && (await work(rt, "last")); n++);
      expect((await heard(rt, at)).toSorted(), `seed ${seed}`).toEqual(texts.toSorted());
      expect(unwrap(await loadInbox(rt, at)), `seed ${seed}`).toEqual([]);
    }
  });
});

describe("workers that read the same row", () => {
  const message = { type: "message" as const, text: "And this." };
  const background = { goal: "Look", mode: "direct", run: "background" } as const;
  const looks = Array.from({ length: 20 }, (_, n) => callTool("look", { at: String(n) }));

  test("process a message without a key once, although the slower worker read its row before the faster one removed it", async () => {
    const rt = createTestRuntime(looks, [look]);
    const { at } = await createTestThread(rt, background);
    unwrap(await sendMessage(rt, turnRequestOn(rt, at, { input: message }), message, "enqueue"));
    let once = true;
    const deliveries: Runtime["store"]["deliveries"] = async (...asked) => {
      const seen = await rt.store.deliveries(...asked);
      if (asked[2] === "msg_" && once) {
        once = false;
        unwrap(await rt.store.putDelivery(wakeUpAt(at, rt.clock.now())));
        await work(rt, "faster");
      }
      return seen;
    };
    await work({ ...rt, store: { ...rt.store, deliveries } }, "slower");
    expect(await heard(rt, at)).toEqual(["And this."]);
    expect(unwrap(await loadInbox(rt, at))).toEqual([]);
  });
});

/** Repeats a request that got 409, as a client does. */
async function retryConflicts(send: () => ReturnType<typeof sendMessage>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const sent = await send();
    if (sent.ok) return;
    const { code } = sent.problem;
    if (!["turn_running", "thread_moved", "delivery_pending"].includes(code)) throw new Error(code);
    await Promise.resolve();
  }
  throw new Error("still refused");
}

describe("a message and the state of the run", () => {
  const message = { type: "message" as const, text: "And this." };

  test("a running call is never interrupted", async () => {
    const ledger: string[] = [];
    const rt = createTestRuntime([callTool("write", { line: "a" })], [createWriteTool(ledger, { confirm: false })]);
    const { at } = await createTestThread(rt, { goal: "Write", mode: "direct", run: "background" });
    const stuck: Runtime = {
      ...rt,
      faults: { at: (point) => (point === "tool.after" ? new Promise(() => undefined) : undefined) },
    };
    void work(stuck, "stuck");
    while (unwrap(await loadThread(rt, at)).state.machine.at !== "acting") await new Promise((go) => setImmediate(go));
    for (const how of ["interrupt", "reject"] as const)
      expect(problemCode(await sendMessage(rt, turnRequestOn(rt, at, { input: message }), message, how))).toBe(
        "turn_running",
      );
    expect(ledger).toHaveLength(1);
  });

  test("waits while a confirmation is open, and is processed after the answer", async () => {
    const rt = createTestRuntime(
      [callTool("write", { line: "a" }), callTool("look", { at: "b" }), done, "Done."],
      [createWriteTool([]), look],
    );
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct", run: "background" });
    await work(rt, "a");
    unwrap(await postMessage(rt, turnRequestOn(rt, thread.at), { message, untrusted: false }));
    await work(rt, "a");
    expect(await heard(rt, thread.at)).toEqual([]);
    const { gate } = unwrap(await loadThread(rt, thread.at)).state;
    if (gate?.kind !== "confirmation") throw new Error("no gate");
    unwrap(await thread.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" }));
    await work(rt, "a");
    expect(await heard(rt, thread.at)).toEqual(["And this."]);
  });

  test("waits with if_busy=enqueue while a confirmation is open, and is refused otherwise", async () => {
    const rt = createTestRuntime(
      [callTool("write", { line: "a" }), callTool("look", { at: "b" }), done, "Done."],
      [createWriteTool([]), look],
    );
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct", run: "background" });
    await work(rt, "a");
    const send = (how: "enqueue" | "reject" | "interrupt") =>
      sendMessage(rt, turnRequestOn(rt, thread.at, { input: message }), message, how);
    for (const how of ["reject", "interrupt"] as const) expect(problemCode(await send(how))).toBe("gate_open");
    expect(unwrap(await send("enqueue"))).toEqual({ kind: "queued", position: 1 });
    await work(rt, "a");
    expect(await heard(rt, thread.at)).toEqual([]);
    const { gate } = unwrap(await loadThread(rt, thread.at)).state;
    if (gate?.kind !== "confirmation") throw new Error("no gate");
    unwrap(await thread.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" }));
    await work(rt, "a");
    expect(await heard(rt, thread.at)).toEqual(["And this."]);
  });

  test("waits while a confirmation is open, and starts the next run if the run is cancelled", async () => {
    const rt = createTestRuntime([callTool("write", { line: "a" }), done, "Done."], [createWriteTool([])]);
    const thread = await createTestThread(rt, { goal: "Write", mode: "direct", run: "background" });
    await work(rt, "a");
    unwrap(await postMessage(rt, turnRequestOn(rt, thread.at), { message, untrusted: false }));
    await work(rt, "a");
    unwrap(await thread.turn({ type: "cancel" }));
    await work(rt, "a");
    expect(unwrap(await loadThread(rt, thread.at)).state).toMatchObject({ run: 2, goal: "And this." });
  });

  /**
   * Ends the run after the caller has loaded it, right before the message is stored, and then lets writing the wake-up
   * fail.
   */
  async function queueAtTheEndOfTheRun(failures: number) {
    const rt = createTestRuntime([done, "Done.", done, "Done again."], [look]);
    const { at } = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    let left = failures;
    const store: ThreadStore = {
      ...rt.store,
      async putDelivery(row) {
        if (row.id === WAKE_ID && left-- > 0) return fail("store_unavailable", "The store is busy.");
        if (row.id !== WAKE_ID) await work(rt, "a");
        return rt.store.putDelivery(row);
      },
    };
    const request = turnRequestOn(rt, at, { input: message, key: { hash: "a".repeat(18), body: "b" } });
    const send = () => sendMessage({ ...rt, store }, request, message, "enqueue");
    return { rt, at, send };
  }

  test("wakes the run that ended meanwhile, although the first write of the wake-up fails", async () => {
    const { rt, at, send } = await queueAtTheEndOfTheRun(1);
    expect(unwrap(await send())).toEqual({ kind: "queued", position: 1 });
    await work(rt, "a");
    expect(await heard(rt, at)).toEqual(["And this."]);
  });

  test("is not acknowledged while no worker would read it, and is processed once after a repeated request", async () => {
    const { rt, at, send } = await queueAtTheEndOfTheRun(3);
    expect(problemCode(await send())).toBe("store_unavailable");
    unwrap(await send());
    await work(rt, "a");
    expect(await heard(rt, at)).toEqual(["And this."]);
  });

  test("waits while the run is paused", async () => {
    const rt = createTestRuntime([done, "Done."], [look]);
    const { at } = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
    unwrap(await setBackground(rt, turnRequestOn(rt, at), { status: "paused", reason: null }));
    unwrap(await postMessage(rt, turnRequestOn(rt, at), { message, untrusted: false }));
    await work(rt, "a");
    expect(await heard(rt, at)).toEqual([]);
    unwrap(await setBackground(rt, turnRequestOn(rt, at), { status: "on", reason: null }));
    await work(rt, "a");
    expect(await heard(rt, at)).toEqual(["And this."]);
  });

  test("is not the answer to a question that has expired", async () => {
    const asking = callTool("clarify", { question: "Which?", expires_in_s: 60 });
    const rt = createTestRuntime(
      [asking, callTool("look", { at: "a" }), callTool("look", { at: "b" }), done, "Done."],
      [clarify, look],
    );
    const { at } = await createTestThread(rt, { goal: "Ask", mode: "direct", run: "background" });
    await work(rt, "a");
    rt.clock.advance(61_000);
    unwrap(await postMessage(rt, turnRequestOn(rt, at), { message, untrusted: false }));
    await work(rt, "a");
    const records = unwrap(await readRecords(rt, at, 0, 20)).map(({ entry }) => entry);
    const expired = records.findIndex(({ closed_gate }) => closed_gate?.how === "expired");
    const came = records.findIndex(({ input }) => input?.type === "message");
    expect(expired).toBeGreaterThan(0);
    expect(came).toBeGreaterThan(expired);
  });
});

describe("budgets of a background run", () => {
  test("apply across its slices: it stops when they are used up, and says so", async () => {
    const model = aBusyModel(() => 0.9);
    const rt = createTestRuntime([], [look], { pickModel: () => model });
    const { at } = await createTestThread(rt, {
      goal: "Look",
      mode: "direct",
      run: "background",
      budget: { turns: 7 },
    });
    let slices = 0;
    while (await work(rt, "a")) slices += 1;
    const { state } = unwrap(await loadThread(rt, at));
    expect(state.machine).toMatchObject({ state: "rest", outcome: "exhausted" });
    expect(state.budget.used.turns).toBe(7);
    expect(slices).toBeGreaterThanOrEqual(3);
  });
});
