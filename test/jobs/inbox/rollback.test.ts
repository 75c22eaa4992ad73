// Tests a message with if_busy=rollback that is sent twice at the same time. The first attempt is paused at each store
// request, the run stops or starts in the meantime, the second attempt is sent, and the first one continues.
import { describe, expect, test } from "vitest";
import { sendMessage } from "../../../src/jobs/inbox/double-texting.ts";
import type { ThreadStore } from "../../../src/ports/thread-store.ts";
import { LOCAL_TENANT, type ThreadRef } from "../../../src/schema/ids.ts";
import { fail } from "../../../src/schema/problem.ts";
import { setBackground } from "../../../src/threads/change-state.ts";
import { readRecords } from "../../../src/turn/load.ts";
import type { Runtime } from "../../../src/turn/runtime.ts";
import { callTool } from "../../support/decisions.ts";
import { turnRequestOn } from "../../support/drive-options.ts";
import { createTestRuntime, createTestThread, type TestRuntime, unwrap } from "../../support/runtime.ts";
import { look } from "../../support/tools.ts";

const message = { type: "message" as const, text: "And this." };
const letter = { input: message, key: { hash: "k".repeat(18), body: "m" } };
const looks = Array.from({ length: 20 }, (_, n) => callTool("look", { at: String(n) }));

/** Creates a run. If `on` is true, it is in the background, although no worker runs in these tests. */
async function aRun(on: boolean): Promise<{ rt: TestRuntime; at: ThreadRef }> {
  const rt = createTestRuntime(looks, [look]);
  const { at } = await createTestThread(rt, { goal: "Look", mode: "direct", run: "background" });
  if (!on) await turn(rt, at, "paused");
  return { rt, at };
}

const turn = async (rt: Runtime, at: ThreadRef, status: "on" | "paused") =>
  unwrap(await setBackground(rt, turnRequestOn(rt, at), { status, reason: null }));

/** Wraps the store so that it pauses before or after its nth request. */
function stopping(store: ThreadStore, nth: number, stop: () => Promise<void>, after: boolean): ThreadStore {
  let calls = 0;
  const held = { ...store };
  for (const name of [
    "create",
    "createFromSnapshot",
    "fork",
    "load",
    "append",
    "records",
    "putBlob",
    "putDelivery",
    "deliveries",
  ] as const) {
    held[name] = async (...asked: never[]): Promise<never> => {
      const mine = calls++ === nth;
      if (mine && !after) await stop();
      const answer = await (store[name] as (...asked: never[]) => Promise<never>)(...asked);
      if (mine && after) await stop();
      return answer;
    };
  }
  return held;
}

async function heard(rt: Runtime): Promise<readonly string[]> {
  const metas = unwrap(await rt.store.list(LOCAL_TENANT, { limit: 10 }));
  const logs = await Promise.all(metas.map(({ thread }) => readRecords(rt, { tenant: LOCAL_TENANT, thread }, 0, 200)));
  return logs
    .flatMap((log) => unwrap(log))
    .flatMap(({ entry }) => (entry.input?.type === "message" ? [entry.input.text] : []));
}

const answerOf = (sent: Awaited<ReturnType<typeof sendMessage>>): string | null =>
  sent.ok && sent.value.kind !== "queued" ? JSON.stringify(sent.value.advanced.outcome) : null;

/** Returns both responses, the response of a third attempt at the end, and how often the message was processed. */
async function sentTwice(on: boolean, nth: number, after: boolean) {
  const { rt, at } = await aRun(on);
  let stopped = false;
  let second: string | null = null;
  const store = stopping(
    rt.store,
    nth,
    async () => {
      stopped = true;
      await turn(rt, at, on ? "paused" : "on");
      second = answerOf(await sendMessage(rt, turnRequestOn(rt, at, letter), message, "rollback"));
    },
    after,
  );
  // This is another process, which does not see which requests the first has in progress.
  const first = answerOf(
    await sendMessage({ ...rt, store, running: new Set() }, turnRequestOn(rt, at, letter), message, "rollback"),
  );
  const third = answerOf(await sendMessage(rt, turnRequestOn(rt, at, letter), message, "rollback"));
  const answers = [first, second, third].filter((answer) => answer !== null);
  return { stopped, answers: new Set(answers).size, answered: third !== null, heard: (await heard(rt)).length };
}

describe.each([true, false])("a background run (%s) that is switched while its message is sent twice", (on) => {
  test.each([false, true])(
    "at every store request (after it: %s) the message is processed once and has one response",
    async (after) => {
      let nth = 0;
      for (; ; nth++) {
        const seen = await sentTwice(on, nth, after);
        if (!seen.stopped) break;
        expect(seen, `call ${nth}`).toEqual({ stopped: true, answers: 1, answered: true, heard: 1 });
      }
      expect(nth).toBeGreaterThanOrEqual(3);
    },
  );
});

describe("a message that rolled back a run", () => {
  test("is repeated while the store fails intermittently: it is a problem, but never processed twice", async () => {
    const { rt, at } = await aRun(true);
    const first = answerOf(await sendMessage(rt, turnRequestOn(rt, at, letter), message, "rollback"));
    await turn(rt, at, "paused");
    for (let nth = 0; nth < 4; nth++) {
      let loads = 0;
      const load: ThreadStore["load"] = async (...asked) =>
        loads++ === nth ? fail("store_unavailable", "Not now.") : rt.store.load(...asked);
      const again = await sendMessage(
        { ...rt, store: { ...rt.store, load } },
        turnRequestOn(rt, at, letter),
        message,
        "rollback",
      );
      expect(again.ok ? answerOf(again) : again.problem.code).toBe(again.ok ? first : "store_unavailable");
    }
    expect(await heard(rt)).toEqual(["And this."]);
  });

  test("leaves a record that names the fork, without the text of the message", async () => {
    const { rt, at } = await aRun(true);
    const sent = unwrap(await sendMessage(rt, turnRequestOn(rt, at, letter), message, "rollback"));
    const copy = sent.kind === "forked" ? sent.at.thread : null;
    const last = unwrap(await readRecords(rt, at, 0, 200)).at(-1);
    expect(last?.entry).toMatchObject({ input: null, rolled_back: { to: copy, version: 0 } });
    expect(last?.state.taint).toBeNull();
  });

  test("completes a fork that was interrupted", async () => {
    const { rt, at } = await aRun(true);
    for (let nth = 0; nth < 6; nth++) await turn(rt, at, nth % 2 ? "on" : "paused");
    const fork = async () => fail("store_unavailable", "Not now.");
    const broken = await sendMessage(
      { ...rt, store: { ...rt.store, fork } },
      turnRequestOn(rt, at, letter),
      message,
      "rollback",
    );
    expect(broken.ok ? null : broken.problem.code).toBe("store_unavailable");
    const again = unwrap(await sendMessage(rt, turnRequestOn(rt, at, letter), message, "rollback"));
    expect(again.kind).toBe("forked");
    expect(await heard(rt)).toEqual(["And this."]);
  });

  test("does not change the thread if the caller saw another version", async () => {
    const { rt, at } = await aRun(true);
    const sent = await sendMessage(rt, turnRequestOn(rt, at, { ...letter, if_match: 7 }), message, "rollback");
    expect(sent.ok ? null : sent.problem.code).toBe("version_mismatch");
    expect(unwrap(await readRecords(rt, at, 0, 200))).toHaveLength(1);
  });
});
