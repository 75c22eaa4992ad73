// Stops a worker's turn at each fault point, one after another, and sends a message in each of the four if_busy modes.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { IF_BUSY, type IfBusy, sendMessage } from "../../../src/jobs/inbox/double-texting.ts";
import { loadInbox } from "../../../src/jobs/inbox/inbox.ts";
import { runSlice } from "../../../src/jobs/run-slice.ts";
import type { FaultPoint } from "../../../src/ports/faults.ts";
import type { Model } from "../../../src/ports/model.ts";
import { LOCAL_TENANT, type ThreadRef } from "../../../src/schema/ids.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { needsWorker } from "../../../src/turn/commit/wake-up.ts";
import { loadThread, readRecords } from "../../../src/turn/load.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { callTool, done } from "../../support/decisions.ts";
import { driveOptions, turnRequestOn } from "../../support/drive-options.ts";
import { createTestRuntime, createTestThread, problemCode, type TestRuntime, unwrap } from "../../support/runtime.ts";

const message = { type: "message" as const, text: "And this, please." };
const key = { hash: "k".repeat(18), body: "m" };

/** A model that writes once and then finishes. It derives its position from the prompt. */
const model: Model = {
  name: "writing",
  window: 64_000,
  max_output_tokens: 1_000,
  prices: null,
  async reply({ purpose, messages }) {
    const wrote = messages.some(({ content }) => content.includes("the line is written"));
    const text = purpose === "deliver" ? "Written." : JSON.stringify(wrote ? done : callTool("write", { line: "a" }));
    return { ok: true, value: { text, model: "writing", usage: null } };
  },
};

/** Creates a tool that records its writes, which must not happen twice, with the thread that made them. */
function aBench() {
  const ledger: string[] = [];
  const write = defineTool(
    {
      name: "write",
      description: "Writes a line.",
      permission: "WRITE",
      effect: "unkeyed",
      requires_confirmation: false,
      input: z.object({ line: z.string() }),
      output: z.string(),
    },
    (_input, { thread }) => {
      ledger.push(thread);
      return "the line is written";
    },
  );
  return { rt: createTestRuntime([], [write], { pickModel: () => model }), ledger };
}

async function work(rt: Runtime): Promise<boolean> {
  const due = unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10));
  for (const one of due) await runSlice(rt, one, driveOptions({ attempts_max: 5 }));
  return due.length > 0;
}

/** Runs until no work is left, including work that is due later. */
async function runUntilIdle(rt: TestRuntime): Promise<void> {
  for (let idle = 0; idle < 3; rt.clock.advance(120_000)) idle = (await work(rt)) ? 0 : idle + 1;
}

const start = async (rt: TestRuntime) =>
  (await createTestThread(rt, { goal: "Write", mode: "direct", run: "background" })).at;

/** Returns the fault points of an undisturbed run, in order. */
async function allPoints(): Promise<readonly FaultPoint[]> {
  const { rt } = aBench();
  const points: FaultPoint[] = [];
  await start(rt);
  await runUntilIdle({ ...rt, faults: { at: (point) => void points.push(point) } });
  return points;
}

/** Runs until the worker reaches its nth point. `release` lets it continue to the end of its slice. */
async function stoppedAt(rt: TestRuntime, nth: number): Promise<{ readonly release: () => Promise<unknown> }> {
  const reached = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  let passed = 0;
  const at = (): Promise<void> | undefined => {
    if (passed++ !== nth) return undefined;
    reached.resolve();
    return going.promise;
  };
  const working = work({ ...rt, faults: { at } });
  await reached.promise;
  return {
    release: () => {
      going.resolve();
      return working;
    },
  };
}

const countProcessed = async (rt: Runtime, at: ThreadRef): Promise<number> =>
  unwrap(await readRecords(rt, at, 0, 500)).filter(({ entry }) => entry.input?.type === "message").length;

async function meet(nth: number, if_busy: IfBusy) {
  const { rt, ledger } = aBench();
  const at = await start(rt);
  const { release } = await stoppedAt(rt, nth);
  const { state } = unwrap(await loadThread(rt, at));
  const before = JSON.stringify(unwrap(await readRecords(rt, at, 0, 500)));
  const sent = await sendMessage(rt, turnRequestOn(rt, at, { input: message, key }), message, if_busy);
  await release();
  await runUntilIdle(rt);
  // A client that lost the response sends the request again.
  const again = sent.ok
    ? await sendMessage(rt, turnRequestOn(rt, at, { input: message, key }), message, if_busy)
    : null;
  await runUntilIdle(rt);
  const threads = unwrap(await rt.store.list(LOCAL_TENANT, { limit: 10 })).map(({ thread }) => thread);
  const processed = await Promise.all(threads.map((thread) => countProcessed(rt, { tenant: LOCAL_TENANT, thread })));
  const after = unwrap(await readRecords(rt, at, 0, 500));
  return {
    acting: state.machine.at === "acting",
    busy: needsWorker(state) || state.machine.at === "acting",
    code: problemCode(sent),
    kind: sent.ok ? sent.value.kind : null,
    again: again ? problemCode(again) : null,
    processed: processed.reduce((sum, n) => sum + n, 0),
    processed_here: processed[threads.indexOf(at.thread)] ?? 0,
    threads: threads.length,
    kept: JSON.stringify(after).startsWith(before.slice(0, -1)),
    ends: await Promise.all(
      threads.map(async (thread) => unwrap(await loadThread(rt, { tenant: LOCAL_TENANT, thread })).state.machine),
    ),
    wrote: threads.map((thread) => ledger.filter((one) => one === thread).length),
    inbox: unwrap(await loadInbox(rt, at)).length,
  };
}

const points = await allPoints();

test("a run passes the important points", () => {
  for (const point of ["load.after", "model.after", "intend.before", "tool.before", "settle.before", "commit.after"])
    expect(points).toContain(point);
});

describe.each(IF_BUSY)("a message with if_busy=%s", (if_busy) => {
  test.each(points.map((point, nth) => [nth, point] as const))("at point %i, %s", async (nth) => {
    const met = await meet(nth, if_busy);
    // In every case, nothing committed is lost, every thread comes to rest, and no thread writes twice.
    expect(met.kept).toBe(true);
    for (const end of met.ends) expect(end).toMatchObject({ state: "rest", outcome: "completed" });
    for (const count of met.wrote) expect(count).toBe(1);
    expect(met.inbox).toBe(0);
    // An accepted message is processed once, however often it is sent. A refused one is not processed.
    expect(met.processed).toBe(met.code === "ok" ? 1 : 0);
    expect(met.again).toBe(met.code === "ok" ? "ok" : null);
    expect(["ok", "turn_running", "delivery_pending"]).toContain(met.code);
    if (!met.busy) return;
    switch (if_busy) {
      case "reject":
        return expect(met.code).toBe("turn_running");
      case "enqueue":
        return expect(met).toMatchObject({ code: "ok", kind: "queued", threads: 1 });
      case "interrupt":
        return met.acting ? expect(met.code).toBe("turn_running") : expect(met.threads).toBe(1);
      case "rollback":
        return expect(met).toMatchObject({ code: "ok", kind: "forked", threads: 2, processed_here: 0 });
    }
  });
});
