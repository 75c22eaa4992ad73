// Tests that a caller whose thread is removed while an approved call runs learns that the call ran.
import { expect, test } from "vitest";
import { z } from "zod";
import { createMemoryStore } from "../../../src/adapters/store-memory.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { fail, PROBLEMS } from "../../../src/schema/problem.ts";
import { createThread } from "../../../src/threads/create.ts";
import { removeThread } from "../../../src/threads/remove.ts";
import { defineTool, type ToolContext } from "../../../src/tools/define-tool.ts";
import { loadThread } from "../../../src/turn/load.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { attachTestThread, createTestRuntime, unwrap } from "../../support/runtime.ts";

const send = { action: "confirm", speak: "Sending.", tool_call: { name: "send", arguments: { to: "Ann" } } };

const KEY = { name: "order-1", hash: "a".repeat(18), body: "b" };

type Options = { readonly place?: string; readonly createsAgain?: boolean };

/** Approves a call and removes its thread as soon as the tool runs. `end` decides how the tool ends. */
async function removedWhileItRuns(end: (ctx: ToolContext) => unknown, { place, createsAgain }: Options = {}) {
  const running = Promise.withResolvers<void>();
  const removed = Promise.withResolvers<void>();
  const sent: string[] = [];
  const tool = defineTool(
    {
      name: "send",
      description: "Sends.",
      permission: "WRITE",
      effect: "unkeyed",
      requires_confirmation: true,
      input: z.object({ to: z.string() }),
      output: z.unknown(),
    },
    async ({ to }, ctx) => {
      sent.push(to);
      running.resolve();
      await removed.promise;
      return end(ctx);
    },
  );
  const store = { ...createMemoryStore(), ...(place && { place }) };
  const rt = createTestRuntime([send], [tool], { store });
  const create = (goal: string) =>
    createThread(rt, { tenant: LOCAL_TENANT, actor: "ada", input: { goal, mode: "direct" }, key: KEY });
  const thread = attachTestThread(rt, unwrap(await create("Send it")).outcome.thread.id);
  const { gate } = unwrap(await thread.turn()).outcome.thread;
  if (gate?.kind !== "confirmation") throw new Error("the call needs an approval");
  const { id: gate_id, digest } = gate;
  const approved = thread.turn({ type: "confirm", gate_id, digest, decision: "approve" });
  await running.promise;
  unwrap(await removeThread(rt, thread.at, "ada"));
  if (createsAgain) unwrap(await create("Something else"));
  removed.resolve();
  return { answer: await approved, sent, at: thread.at, rt };
}

test.each([
  ["succeeded", () => "sent"],
  ["failed", () => fail("tool_refused", "Ann has moved.")],
  ["unknown", () => fail("outcome_unknown", "The connection was lost.")],
])("an approved call that %s in a removed thread is reported with its outcome", async (outcome, end) => {
  const { answer, sent, at } = await removedWhileItRuns(end);
  expect(sent).toEqual(["Ann"]);
  expect(answer).toMatchObject({
    ok: false,
    problem: {
      code: "thread_removed",
      details: { call: { name: "send", outcome, effect_id: expect.stringMatching(/^eff_/) } },
    },
  });
  expect(answer.ok || answer.problem.message).toContain(`${at.thread} was removed while send ran`);
  expect(PROBLEMS.thread_removed).toMatchObject({ status: 410, retry: "never" });
});

test("a call whose documents would have been saved with its receipt changed nothing, and is not reported as run", async () => {
  const at = { tenant: LOCAL_TENANT, kind: "note", id: "one" };
  const end = ({ saveWithReceipt }: ToolContext) => {
    expect(
      saveWithReceipt?.({ ...createMemoryDocuments(), place: "here" }, { at, value: {}, expectedVersion: 0 }),
    ).toBe(true);
    return "saved";
  };
  const { answer } = await removedWhileItRuns(end, { place: "here" });
  expect(answer).toMatchObject({ ok: false, problem: { code: "thread_not_found" } });
});

test("an approved call of a removed thread is reported, and not stored, if another thread has its id now", async () => {
  const { answer, sent, at, rt } = await removedWhileItRuns(() => "sent", { createsAgain: true });
  expect(sent).toEqual(["Ann"]);
  expect(answer).toMatchObject({ ok: false, problem: { code: "thread_removed", details: { call: { name: "send" } } } });
  expect(unwrap(await loadThread(rt, at))).toMatchObject({ version: 0, state: { goal: "Something else" } });
});

test.each([0, 1])(
  "a late turn of a removed thread stores nothing in another thread with its id, %i turns old",
  async (turns) => {
    const running = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    let runs = 0;
    const tool = defineTool(
      { name: "look", description: "Looks.", input: z.object({ at: z.string() }), output: z.string() },
      async ({ at }) => {
        runs += 1;
        if (runs !== turns + 1) return at;
        running.resolve();
        await end.promise;
        return at;
      },
    );
    const look = (_: unknown, n: number) => ({
      action: "continue",
      speak: "Looking.",
      tool_call: { name: "look", arguments: { at: `${n}` } },
    });
    const rt = createTestRuntime(Array.from({ length: 2 * turns + 1 }, look), [tool]);
    const create = (goal: string) =>
      createThread(rt, { tenant: LOCAL_TENANT, actor: "ada", input: { goal, mode: "direct" }, key: KEY });
    const thread = attachTestThread(rt, unwrap(await create("Send it")).outcome.thread.id);
    for (let n = 0; n < turns; n += 1) unwrap(await thread.turn());
    const slow = thread.turn();
    await running.promise;
    unwrap(await removeThread(rt, thread.at, "ada"));
    unwrap(await create("Something else"));
    for (let n = 0; n < turns; n += 1) unwrap(await thread.turn());
    end.resolve();
    expect(await slow).toMatchObject({ ok: false, problem: { code: "thread_moved" } });
    expect(unwrap(await loadThread(rt, thread.at))).toMatchObject({
      version: turns,
      state: { goal: "Something else" },
    });
  },
);
