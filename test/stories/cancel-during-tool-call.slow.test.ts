// A run is cancelled while a tool is running: the tool is not interrupted. Its result is recorded, then the run ends.
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/tools/define-tool.ts";
import { unwrap } from "../support/runtime.ts";
import { approval, callTool, startStory } from "../support/story.ts";

const begun = Promise.withResolvers<void>();
const released = Promise.withResolvers<void>();
const ledger: string[] = [];
const publish = defineTool(
  {
    name: "publish",
    description: "Publishes a note.",
    permission: "WRITE",
    effect: "keyed",
    input: z.object({ note: z.string() }),
    output: z.string(),
  },
  async ({ note }) => {
    begun.resolve();
    await released.promise;
    ledger.push(note);
    return `published ${note}`;
  },
);

const story = await startStory({ script: [callTool("publish", { note: "hello" }, "confirm")], tools: [publish] });
afterAll(() => story.end());

test("the owner of the call settles it and completes the cancellation in the same record", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Publish hello", mode: "direct" }));
  const gated = unwrap(await client.advance(thread.id));
  const approving = client.advance(thread.id, approval(gated.thread.gate));
  await begun.promise;

  expect(await client.advance(thread.id)).toMatchObject({ problem: { code: "turn_running", status: 409 } });
  const asked = await fetch(`${story.url}/v1/threads/${thread.id}/turns`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ input: { type: "cancel" } }),
  });
  expect(asked.status).toBe(202);
  expect(await asked.json()).toMatchObject({ thread: { state: "confirm", at: "acting", cancel_requested: true } });
  expect(await client.advance(thread.id, { type: "cancel" })).toMatchObject({ problem: { code: "turn_running" } });

  released.resolve();
  const ended = unwrap(await approving);
  expect(ended).toMatchObject({ next: "none", thread: { state: "rest", outcome: "cancelled", evidence: "none" } });
  expect(ended.turn?.receipts.at(-1)).toMatchObject({ kind: "settled", success: true, summary: "published hello" });
  expect(ended.turn?.speak).toContain("cancelled");
  expect(ledger).toEqual(["hello"]);
  expect(await client.advance(thread.id, { type: "cancel" })).toMatchObject({ problem: { code: "nothing_to_do" } });
});
