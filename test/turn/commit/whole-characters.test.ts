import { expect, test } from "vitest";
import { z } from "zod";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { showPrompt } from "../../../src/threads/show-prompt.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { readRecords } from "../../../src/turn/load.ts";
import { createTestRuntime, createTestThread, unwrap } from "../../support/runtime.ts";

/** Returns the paths of strings in a value that contain a lone surrogate. */
function halves(value: unknown, path = ""): string[] {
  if (typeof value === "string") return value.isWellFormed() ? [] : [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => halves(inner, `${path}.${key}`));
}

const echo = (text: string) =>
  defineTool(
    { name: "look", description: "Look", permission: "READ", effect: "pure", input: z.object({}), output: z.string() },
    async () => text,
  );

test.each([
  ["pairs at even places", "😀".repeat(400)],
  ["pairs at odd places", `a${"😀".repeat(400)}`],
  ["half a character of its own", "a\ud800b"],
])("no stored or shown text is cut inside a character: %s", async (_, text) => {
  const words = text.toWellFormed();
  const call = { action: "continue", speak: words, reason: words, tool_call: { name: "look", arguments: {} } };
  const rt = createTestRuntime([`no decision ${words}`, call, { action: "ask_user", speak: words }], [echo(text)]);
  const thread = await createTestThread(rt, { goal: words, mode: "direct" });
  expect(halves(unwrap(await thread.turn()).outcome)).toEqual([]);
  expect(halves(unwrap(await thread.turn()).outcome)).toEqual([]);
  expect(halves(unwrap(await readRecords(rt, thread.at, 0, 2)))).toEqual([]);
  expect(halves(unwrap(await rt.store.list(LOCAL_TENANT, { limit: 1 })))).toEqual([]);
  expect(halves(unwrap(await showPrompt(rt, thread.at, 2)))).toEqual([]);
});
