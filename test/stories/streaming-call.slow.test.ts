// A streaming call is sent live, summarized in the record, logged line by line, and replayed in the same order.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { LiveEvent } from "../../src/schema/event.ts";
import type { ProgressLine } from "../../src/schema/progress-line.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { unwrap } from "../support/runtime.ts";
import { callTool, type Story, startStory } from "../support/story.ts";

const survey = defineTool(
  { name: "survey", description: "Looks at a building.", streaming: true, input: z.object({}) },
  async function* () {
    for (const stage of ["frames", "detection", "review"]) {
      yield { stage, text: `${stage} begins` };
      yield `${stage}: done\n`;
    }
  },
);

let story: Story;
beforeAll(async () => {
  story = await startStory({ tools: [survey], script: [callTool("survey", {})] });
});
afterAll(() => story.end());

test("live events, the record and the log agree, and the log is removed with the thread", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Survey", mode: "direct" }));
  const events: LiveEvent[] = [];
  for await (const event of client.stream(thread.id))
    if (event.type.startsWith("tool.")) events.push(event.data as LiveEvent);
  const live = events.filter((event) => event.type === "tool.progress");
  expect(events.map((event) => event.type)).toEqual([
    "tool.started",
    ...live.map(() => "tool.progress"),
    "tool.completed",
  ]);
  expect(live.map(({ kind, n, stage }) => [kind, n, stage])).toEqual([
    ["stage", 0, "frames"],
    ["chunk", 1, null],
    ["stage", 2, "detection"],
    ["chunk", 3, null],
    ["stage", 4, "review"],
    ["chunk", 5, null],
    ["done", 6, null],
  ]);
  const [id] = new Set(events.map((event) => ("operation_id" in event ? event.operation_id : null)));
  expect(id).toMatch(/^opr_/);

  const { records } = unwrap(
    await client.call<{ records: { operation: unknown; observation: unknown }[] }>(
      "GET",
      `/v1/threads/${thread.id}/turns`,
    ),
  );
  expect(records[1]).toMatchObject({
    operation: { id, chunks: 3, stages: [{ stage: "frames" }, { stage: "detection" }, { stage: "review" }] },
    observation: { text: "frames: done\ndetection: done\nreview: done\n" },
  });

  const path = `/v1/threads/${thread.id}/operations/${id}`;
  const page = unwrap(await client.call<{ lines: ProgressLine[]; after: number | null }>("GET", path));
  expect(page.lines).toEqual(live.map(({ n, at, kind, stage, text }) => ({ n, at, kind, stage, text })));
  const rest = unwrap(
    await client.call<{ lines: ProgressLine[]; after: number | null }>("GET", `${path}?after=3&limit=2`),
  );
  expect(rest.lines.map((line) => line.n)).toEqual([4, 5]);
  expect(rest.after).toBe(5);

  const file = join(story.folder, ".pawl", "operations", "local", thread.id, `${id}.jsonl`);
  expect(existsSync(file)).toBe(true);
  const other = unwrap(await client.create({ goal: "Other", mode: "direct" }));
  for (const wrong of [
    `/v1/threads/${other.thread.id}/operations/${id}`,
    `/v1/threads/${thread.id}/operations/opr_${"0".repeat(26)}`,
    `/v1/threads/${thread.id}/operations/..%2f..`,
  ]) {
    expect(await client.call("GET", wrong)).toMatchObject({
      ok: false,
      problem: { code: "operation_not_found", status: 404 },
    });
  }
  unwrap(await client.remove(thread.id));
  expect(existsSync(file)).toBe(false);
});
