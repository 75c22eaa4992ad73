// One thread, two stores: started on SQLite, transferred as a file, finished on DynamoDB.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { exportThread } from "../../src/threads/export-thread.ts";
import { importThread } from "../../src/threads/import-thread.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import { attachTestThread, createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";
import { callTool, doneDecision } from "../support/story.ts";
import { createWriteTool, look } from "../support/tools.ts";

describe.runIf(hasDynamoServer())("a thread that moves to DynamoDB", () => {
  const server = useDynamoServer();

  test("waits for approval on SQLite, gets it on DynamoDB and is delivered there, with its large observation", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pawl-move-"));
    const ledger: string[] = [];
    const tools = [look, createWriteTool(ledger)];
    try {
      const sqlite = unwrap(await createSqliteStore({ path: join(folder, "pawl.db") }));
      const script = [callTool("look", { at: "x".repeat(40_000) }), callTool("write", { line: "a" }, "confirm")];
      const here = createTestRuntime(script, tools, { store: sqlite.threads, settings: sqlite.settings });
      const thread = await createTestThread(here, { goal: "Write a line", mode: "direct", metadata: { of: "move" } });
      unwrap(await thread.turn());
      unwrap(await thread.turn());
      const file = unwrap(await exportThread(here, thread.at));
      const rows = unwrap(await here.store.records(thread.at, { after: -1, limit: 100 }));
      await sqlite.close();

      const table = await server().table();
      const { threads, settings } = createDynamoStore({ client: server().client(), table });
      const there = createTestRuntime([doneDecision, "Written."], tools, { store: threads, settings });
      unwrap(await importThread(there, LOCAL_TENANT, file));
      expect(unwrap(await threads.records(thread.at, { after: -1, limit: 100 }))).toEqual(rows);
      const [waiting] = unwrap(await threads.list(LOCAL_TENANT, { gated: true, limit: 10 }));
      expect(waiting).toMatchObject({ thread: thread.at.thread, metadata: { of: "move" } });
      const gate = waiting?.gate;
      if (gate?.kind !== "confirmation") throw new Error("nothing waits for a yes");
      const moved = attachTestThread(there, thread.at.thread);
      unwrap(await moved.turn({ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" }));
      unwrap(await moved.turn());
      const done = unwrap(await moved.turn());
      expect(done.outcome).toMatchObject({ kind: "delivered", outcome: "completed", thread: { evidence: "proven" } });
      expect(ledger).toHaveLength(1);
      // The records that DynamoDB added can be exported again.
      const back = unwrap(await exportThread(there, thread.at));
      const home = createTestRuntime([], tools);
      expect(unwrap(await importThread(home, LOCAL_TENANT, back))).toMatchObject({ thread: { state: "rest" } });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
