// One instance asks a question with three choices and another receives the answer: nothing waits in memory.
import { afterAll, expect, test } from "vitest";
import { unwrap } from "../support/runtime.ts";
import { callTool, doneDecision, startStory } from "../support/story.ts";

const choices = ["Monday", "Tuesday", "Wednesday"];
const first = await startStory({ script: [callTool("clarify", { question: "Which day?", choices })] });
const second = await startStory({ script: [doneDecision, "Tuesday it is."], folder: first.folder });
afterAll(async () => {
  await second.stop();
  await first.end();
});

test("an instance that never saw the question continues the run with the answer as proof", async () => {
  const { thread } = unwrap(await first.client.create({ goal: "Plan the review", mode: "direct" }));
  const asked = unwrap(await first.client.advance(thread.id));
  expect(asked).toMatchObject({ next: "answer", thread: { gate: { kind: "question", choices, expires_at: null } } });

  const [open] = unwrap(await second.client.gates()).gates;
  expect(open).toMatchObject({ thread: thread.id, gate: { id: asked.thread.gate?.id } });
  if (!open) throw new Error("the inbox is empty");
  const wrong = await second.client.advance(thread.id, { type: "answer", gate_id: open.gate.id, choice: "Sunday" });
  expect(wrong).toMatchObject({ ok: false, problem: { code: "request_invalid" } });

  const answered = unwrap(
    await second.client.advance(thread.id, { type: "answer", gate_id: open.gate.id, choice: "Tuesday" }),
  );
  expect(answered.turn?.receipts).toMatchObject([{ source: "user_reply", summary: "Tuesday", actor: "tester" }]);
  expect(answered.thread.proofs).toMatchObject([{ kind: "reply" }]);
  const delivered = unwrap(await second.client.advance(thread.id));
  expect(delivered.thread).toMatchObject({ outcome: "completed", evidence: "proven" });
  expect(unwrap(await first.client.get(thread.id)).thread.version).toBe(delivered.thread.version);
});
