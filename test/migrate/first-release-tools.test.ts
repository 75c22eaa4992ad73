// Tests threads of the first release, which had no toolkits: they keep the tools they had, and their open gates can be
// approved.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { createScriptedModel } from "../../src/adapters/model-scripted.ts";
import { createMemorySettings } from "../../src/adapters/settings-memory.ts";
import { createMemoryData, createMemoryStore } from "../../src/adapters/store-memory.ts";
import { createHost } from "../../src/hosts/shared/create-host.ts";
import { virtualFiles } from "../../src/hosts/shared/virtual-files.ts";
import type { StoredRecord } from "../../src/ports/thread-store.ts";
import { LOCAL_TENANT, type ThreadRef } from "../../src/schema/ids.ts";
import { TOOLKITS } from "../../src/toolkits/index.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { defineToolkit } from "../../src/tools/toolkit.ts";
import { loadThread } from "../../src/turn/load.ts";
import { resolveThreadTools } from "../../src/turn/resolve-thread-tools.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { createMemoryDocuments } from "../support/documents-memory.ts";
import { attachTestThread, createTestThread, unwrap } from "../support/runtime.ts";
import { approval, callTool } from "../support/story.ts";

const FILE = join(import.meta.dirname, "../fixtures/threads/v1-simulated.json");
type Stored = { at: ThreadRef; rows: StoredRecord[]; blobs: Record<string, string> };
const { threads } = JSON.parse(readFileSync(FILE, "utf8")) as { threads: Stored[] };

const later = defineToolkit({
  name: "later",
  parts: [],
  offered: "on request",
  tools: () => [defineTool({ name: "new_tool", description: "New.", input: z.object({}) }, () => "new")],
});

/** Creates a current host on data of the first release. */
function aHost(data = createMemoryData(), script: readonly object[] = []) {
  const model = createScriptedModel(script as []);
  return unwrap(
    createHost({
      store: createMemoryStore(data),
      settings: createMemorySettings(),
      pickModel: () => model,
      config: DEFAULT_CONFIG,
      toolkits: [...TOOLKITS, later],
      parts: { files: virtualFiles, documents: createMemoryDocuments() },
    }),
  ).rt;
}

test("they see the toolkits of that release, and none that came later", async () => {
  expect(threads.length).toBeGreaterThan(0);
  for (const { at, rows, blobs } of threads) {
    const data = createMemoryData();
    data.records.set(`${at.tenant}/${at.thread}`, [...rows]);
    data.blobs.set(`${at.tenant}/${at.thread}`, new Map(Object.entries(blobs)));
    const rt = aHost(data);
    const { state } = unwrap(await loadThread(rt, at));
    expect(state.toolkits).toBeNull();
    const names = unwrap(await resolveThreadTools(rt, at.tenant, state)).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["read_file", "move", "todo"]));
    expect(names).not.toContain("new_tool");
  }
});

test("an open gate of theirs is approved, and the call runs", async () => {
  const data = createMemoryData();
  const move = callTool("move", { task_id: 13, new_day: 11, new_slot_start: 1 }, "confirm");
  const before = aHost(data, [move]);
  const { at, turn } = await createTestThread(before, { goal: "Move it", mode: "direct", toolkits: ["timetable"] });
  unwrap(await turn());
  // The first release stored the row without the field.
  const rows = data.records.get(`${at.tenant}/${at.thread}`) ?? [];
  const old = rows.map((row) => ({
    ...row,
    entry: row.entry.replace('"schema":2', '"schema":1'),
    state: row.state.replace('"toolkits":["timetable"],', "").replace('"schema":2', '"schema":1'),
  }));
  expect(old.at(-1)?.state).not.toContain("toolkits");
  data.records.set(`${at.tenant}/${at.thread}`, old);

  const rt = aHost(data, [callTool("list_tasks", {})]);
  const { state } = unwrap(await loadThread(rt, { ...at, tenant: LOCAL_TENANT }));
  const approved = unwrap(await attachTestThread(rt, at.thread).turn(approval(state.gate)));
  expect(approved.outcome.turn?.receipts.at(-1)).toMatchObject({ name: "move", success: true });
});
