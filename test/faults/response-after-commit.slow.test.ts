// Tests that a client receives no final response before the turn is durable, with a store whose writes hang until they
// are released.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createMemoryStore } from "../../src/adapters/store-memory.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import type { ThreadStore } from "../../src/ports/thread-store.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { unwrap } from "../support/runtime.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-gate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STORES = {
  memory: async () => createMemoryStore(),
  sqlite: async () => unwrap(await createSqliteStore({ path: join(folder, "pawl.db") })).threads,
};

/** Wraps a store so that every append waits until the test releases it. */
function latched(store: ThreadStore) {
  const waiting: (() => void)[] = [];
  return {
    store: {
      ...store,
      append: async (at, record, also) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return store.append(at, record, also);
      },
    } satisfies ThreadStore,
    waiting,
  };
}

const look = defineTool({ name: "look", description: "Looks.", input: z.object({}), output: z.string() }, () => "seen");
const looking = { action: "continue", speak: "I look.", tool_call: { name: "look", arguments: {} } };

let server: TestServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

describe.each(Object.entries(STORES))("on %s", (_name, open) => {
  test.each([
    ["as JSON", "application/json"],
    ["as a stream", "text/event-stream"],
  ])("a response %s ends after the record is stored", async (_how, accept) => {
    const latch = latched(await open());
    server = await startTestServer({ script: [looking], tools: [look], runtime: { store: latch.store } });
    const { thread } = unwrap(await server.client().create({ goal: "Look", mode: "direct" }));
    let received = "";
    const answered = fetch(`${server.url}/v1/threads/${thread.id}/turns`, {
      method: "POST",
      headers: { "content-type": "application/json", accept },
      body: "{}",
    }).then(async (response) => {
      for await (const piece of response.body ?? []) received += new TextDecoder().decode(piece as Uint8Array);
    });
    await expect.poll(() => latch.waiting.length, { timeout: 10_000 }).toBe(1);
    // The model has replied and the tool has run, so a premature response would arrive within this time.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(received).not.toMatch(
      /^id:|"version":1|event: (response|turn\.committed|tool\.completed|speak\.completed)/m,
    );
    if (accept === "application/json") expect(received).toBe("");
    latch.waiting[0]?.();
    await answered;
    expect(received).toContain('"version":1');
  });
});
