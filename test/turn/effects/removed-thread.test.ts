// Tests that a caller whose thread is removed while an approved call runs learns that the call ran.
import { expect, test } from "vitest";
import { z } from "zod";
import { createMemoryDocuments } from "../../../src/adapters/documents-memory.ts";
import { createMemoryStore } from "../../../src/adapters/store-memory.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { fail, PROBLEMS } from "../../../src/schema/problem.ts";
import { removeThread } from "../../../src/threads/remove.ts";
import { defineTool, type ToolContext } from "../../../src/tools/define-tool.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";

const send = { action: "confirm", speak: "Sending.", tool_call: { name: "send", arguments: { to: "Ann" } } };

/** Approves a call and removes its thread as soon as the tool runs. `end` decides how the tool ends. */
async function removedWhileItRuns(end: (ctx: ToolContext) => unknown, place?: string) {
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
  const thread = await createTestThread(rt, { goal: "Send it", mode: "direct" });
  const { gate } = unwrap(await thread.turn()).outcome.thread;
  if (gate?.kind !== "confirmation") throw new Error("the call needs an approval");
  const { id: gate_id, digest } = gate;
  const approved = thread.turn({ type: "confirm", gate_id, digest, decision: "approve" });
  await running.promise;
  unwrap(await removeThread(rt, thread.at, "ada"));
  removed.resolve();
  return { answer: await approved, sent, at: thread.at };
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
  const { answer } = await removedWhileItRuns(end, "here");
  expect(answer).toMatchObject({ ok: false, problem: { code: "thread_not_found" } });
});
