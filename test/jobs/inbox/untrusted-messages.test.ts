// Tests that a message from outside taints the thread that processes it, whichever way it arrives.
import { describe, expect, test } from "vitest";
import { type IfBusy, sendMessage } from "../../../src/jobs/inbox/double-texting.ts";
import { postMessage } from "../../../src/jobs/inbox/post-message.ts";
import { runSlice } from "../../../src/jobs/run-slice.ts";
import { receiveEvent } from "../../../src/jobs/webhooks/receive-event.ts";
import { createSigningSecret } from "../../../src/jobs/webhooks/secrets.ts";
import { signedHeaders } from "../../../src/jobs/webhooks/sign.ts";
import { LOCAL_TENANT, type ThreadRef } from "../../../src/schema/ids.ts";
import type { InboundWebhook, InboundWebhookAction } from "../../../src/schema/jobs/webhook.ts";
import { setBackground } from "../../../src/threads/change-state.ts";
import { loadThread } from "../../../src/turn/load.ts";
import { callTool } from "../../support/decisions.ts";
import { driveOptions, turnRequestOn } from "../../support/drive-options.ts";
import { createTestRuntime, createTestThread, type TestRuntime, unwrap } from "../../support/runtime.ts";
import { clarify, createWriteTool, look } from "../../support/tools.ts";

const message = { type: "message" as const, text: "Send me the files." };
const looks = Array.from({ length: 8 }, (_, n) => callTool("look", { at: String(n) }));
const taintOf = async (rt: TestRuntime, at: ThreadRef) => unwrap(await loadThread(rt, at)).state.taint;
const TAINTED = expect.stringMatching(/^rcp_/);

async function aRun(script: Parameters<typeof createTestRuntime>[0], background = true) {
  const rt = createTestRuntime(script, [look, clarify, createWriteTool([])]);
  const run = background ? { run: "background" as const } : {};
  return { rt, thread: await createTestThread(rt, { goal: "Look", mode: "direct", ...run }) };
}

async function work(rt: TestRuntime, slice_turns = 1): Promise<void> {
  for (const due of unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10)))
    await runSlice(rt, due, driveOptions({ slice_turns }));
}

const post = async (rt: TestRuntime, at: ThreadRef, untrusted: boolean) =>
  unwrap(await postMessage(rt, turnRequestOn(rt, at), { message, untrusted }));

describe.each([
  [true, TAINTED],
  [false, null],
])("a queued message with untrusted=%s", (untrusted, taint) => {
  test("is processed by a run in progress", async () => {
    const { rt, thread } = await aRun(looks);
    await work(rt);
    await post(rt, thread.at, untrusted);
    expect(await taintOf(rt, thread.at)).toBeNull();
    await work(rt);
    expect(await taintOf(rt, thread.at)).toEqual(taint);
  });

  test("starts the next run of a thread at rest", async () => {
    const { rt, thread } = await aRun([callTool("look", { at: "x" })], false);
    unwrap(await thread.turn({ type: "cancel" }));
    await post(rt, thread.at, untrusted);
    await work(rt);
    expect(unwrap(await loadThread(rt, thread.at)).state).toMatchObject({ run: 2, taint });
  });

  test("answers an open question", async () => {
    const { rt, thread } = await aRun([callTool("clarify", { question: "Which?" }), ...looks]);
    await work(rt);
    await post(rt, thread.at, untrusted);
    await work(rt);
    expect(await taintOf(rt, thread.at)).toEqual(taint);
  });

  test("waits for a confirmation and is processed afterwards", async () => {
    const { rt, thread } = await aRun([callTool("write", { line: "a" }), ...looks]);
    await work(rt);
    await post(rt, thread.at, untrusted);
    const { gate } = unwrap(await loadThread(rt, thread.at)).state;
    if (gate?.kind !== "confirmation") throw new Error("no gate");
    unwrap(await thread.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "reject" }));
    expect(await taintOf(rt, thread.at)).toBeNull();
    await work(rt);
    expect(await taintOf(rt, thread.at)).toEqual(taint);
  });

  test("is the second of two, and the first is trusted", async () => {
    const { rt, thread } = await aRun(looks);
    await work(rt);
    await post(rt, thread.at, false);
    await post(rt, thread.at, untrusted);
    await work(rt);
    expect(await taintOf(rt, thread.at)).toBeNull();
    await work(rt);
    expect(await taintOf(rt, thread.at)).toEqual(taint);
  });

  test("waits while the run is paused", async () => {
    const { rt, thread } = await aRun(looks);
    const request = turnRequestOn(rt, thread.at);
    unwrap(await setBackground(rt, request, { status: "paused", reason: null }));
    await post(rt, thread.at, untrusted);
    unwrap(await setBackground(rt, request, { status: "on", reason: null }));
    await work(rt);
    expect(await taintOf(rt, thread.at)).toEqual(taint);
  });
});

test.each<[IfBusy, boolean]>([
  ["enqueue", true],
  ["interrupt", true],
  ["rollback", true],
  ["reject", false],
  ["enqueue", false],
])("an untrusted message with if_busy=%s taints its thread (run in progress: %s)", async (if_busy, busy) => {
  const { rt, thread } = await aRun(looks, busy);
  const request = turnRequestOn(rt, thread.at, { input: message, options: { untrusted: true } });
  const sent = unwrap(await sendMessage(rt, request, message, if_busy));
  if (sent.kind === "queued") await work(rt);
  const at = sent.kind === "forked" ? sent.at : thread.at;
  expect(await taintOf(rt, at)).toEqual(TAINTED);
  // The thread that a rollback leaves behind did not get the message.
  if (sent.kind === "forked") expect(await taintOf(rt, thread.at)).toBeNull();
});

describe("an event of an inbound webhook", () => {
  async function receive(rt: TestRuntime, what: InboundWebhookAction): Promise<ThreadRef> {
    const hook: InboundWebhook = {
      id: rt.ids.make("hok") as InboundWebhook["id"],
      name: "door",
      what,
      enabled: true,
      created_at: "2026-03-02T08:00:00.000Z",
      created_by: "tester",
      token_sha256: "",
      secrets: [createSigningSecret(rt)],
    };
    const signed = signedHeaders(hook.secrets, "evt1", rt.clock.now(), "{}");
    const headers = {
      id: signed["webhook-id"],
      timestamp: signed["webhook-timestamp"],
      signature: signed["webhook-signature"],
    };
    const turnRequest = (at: ThreadRef) => turnRequestOn(rt, at);
    const received = unwrap(await receiveEvent(rt, { tenant: LOCAL_TENANT, hook, headers, body: "{}", turnRequest }));
    return { tenant: LOCAL_TENANT, thread: received.thread };
  }

  test("taints the thread it creates from its first record", async () => {
    const rt = createTestRuntime(looks, [look]);
    const at = await receive(rt, { kind: "thread", create: { goal: "Read it" } });
    expect(await taintOf(rt, at)).toEqual(TAINTED);
  });

  test("taints the thread it is sent to", async () => {
    const { rt, thread } = await aRun(looks);
    await receive(rt, { kind: "message", thread: thread.at.thread, text: "An event" });
    await work(rt);
    expect(await taintOf(rt, thread.at)).toEqual(TAINTED);
  });
});
