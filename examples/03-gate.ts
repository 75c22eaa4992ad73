// A gate is a stored row, not a waiting process. A question and a confirmation can be answered at any time.
import { z } from "zod";
import { clarify, createClient, createFetch, createRuntime, createScriptedModel, defineTool } from "../src/index.ts";

const book = defineTool(
  {
    name: "book_room",
    description: "Books a meeting room.",
    permission: "WRITE",
    effect: "keyed",
    input: z.object({ room: z.string(), hour: z.number().int().min(0).max(23) }),
    output: z.string(),
  },
  ({ room, hour }) => `${room} is booked at ${hour}:00`,
);

const model = createScriptedModel([
  {
    action: "continue",
    tool_call: { name: "clarify", arguments: { question: "Which room?", choices: ["Red", "Blue"] } },
  },
  {
    action: "confirm",
    speak: "I would book Blue at 9.",
    tool_call: { name: "book_room", arguments: { room: "Blue", hour: 9 } },
  },
  { action: "done", goal_check: "The receipt shows the booking." },
  "Blue is booked.",
]);
const pawl = createClient(
  "http://embedded",
  null,
  createFetch(createRuntime({ model, tools: [clarify, book] }), { name: "ada" }),
);

const created = await pawl.create({ goal: "Book a room", mode: "direct" });
if (!created.ok) throw new Error(created.problem.message);
const id = created.value.thread.id;
await pawl.advanceUntilPause(id);

// A user opens the inbox later, perhaps on another machine.
const inbox = async () => {
  const listed = await pawl.gates();
  const [open] = listed.ok ? listed.value.gates : [];
  if (!open) throw new Error("the inbox is empty");
  console.log(`${open.gate.kind}: ${open.gate.text}`);
  return open.gate;
};
const question = await inbox();
await pawl.advanceUntilPause(id, { type: "answer", gate_id: question.id, choice: "Blue" });

const confirmation = await inbox();
if (confirmation.kind !== "confirmation") throw new Error("expected a confirmation");
const approval = {
  type: "confirm",
  gate_id: confirmation.id,
  digest: confirmation.digest,
  decision: "approve",
} as const;
// The digest binds the approval to this exact call. Edited arguments replace the proposed ones.
const booked = await pawl.advance(id, { ...approval, edited_arguments: { room: "Blue", hour: 10 } });
console.log(booked.ok ? booked.value.turn?.receipts.at(-1)?.summary : booked.problem.code);
const again = await pawl.advance(id, approval);
console.log(again.ok ? "approved twice?" : `${again.problem.code}: an approval can be used only once`);
