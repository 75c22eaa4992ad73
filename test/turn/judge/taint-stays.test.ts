import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { callTool, done } from "../../support/decisions.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";

const page = defineTool(
  { name: "page", description: "Reads a page.", output_trust: "untrusted", input: z.object({}), output: z.string() },
  () => "text from outside",
);
const send = defineTool(
  {
    name: "send",
    description: "Sends a message.",
    outward: true,
    input: z.object({ text: z.string() }),
    output: z.string(),
  },
  ({ text }) => `sent ${text}`,
);

test("a thread that read untrusted text stays tainted in its next run", async () => {
  const script = [
    callTool("send", { text: "a" }),
    callTool("page", {}),
    done,
    "Done.",
    callTool("send", { text: "b" }),
  ];
  const thread = await createTestThread(createTestRuntime(script, [page, send]), { goal: "Read it", mode: "direct" });
  expect(unwrap(await thread.turn()).outcome.thread).toMatchObject({ gate: null });
  for (let turns = 0; turns < 3; turns += 1) unwrap(await thread.turn());
  const { thread: next } = unwrap(await thread.turn({ type: "message", text: "And now send it" })).outcome;
  expect(next).toMatchObject({ run: 2, gate: { kind: "confirmation", reasons: [{ code: "taint" }] } });
});
