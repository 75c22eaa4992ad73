// Tests one thread on two stores: started on SQLite, transferred as a file, and finished on DynamoDB.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "vitest";
import { createDynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { exportThread } from "../../src/threads/export-thread.ts";
import { importThread } from "../../src/threads/import-thread.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import { attachTestThread, createTestRuntime, createTestThread, problemCode, unwrap } from "../support/runtime.ts";
import { callTool, doneDecision } from "../support/story.ts";
import { createWriteTool, look } from "../support/tools.ts";

/** Simulates a process that ends before its n-th request, or before the reply to it arrives. */
function endingAt(client: DynamoDBClient, last: number, when: "before" | "after"): DynamoDBClient {
  let sent = 0;
  const send = async (...request: Parameters<DynamoDBClient["send"]>): Promise<unknown> => {
    sent++;
    if (sent > last || (sent === last && when === "before")) throw new Error("the process has ended");
    const reply = await client.send(...request);
    if (sent >= last) throw new Error("the process has ended");
    return reply;
  };
  return new Proxy(client, { get: (target, name) => (name === "send" ? send : Reflect.get(target, name)) });
}

describe.runIf(hasDynamoServer())("a thread that moves to DynamoDB", () => {
  const server = useDynamoServer();

  test("exists completely or not at all after an interrupted import, and can be imported again", async () => {
    const tools = [look, createWriteTool([])];
    const script = [
      callTool("look", { at: "x".repeat(40_000) }),
      callTool("write", { line: "a" }, "confirm"),
      callTool("write", { line: "b" }, "confirm"),
    ];
    const here = createTestRuntime(script, tools);
    const thread = await createTestThread(here, { goal: "Write two lines", mode: "direct" });
    unwrap(await thread.turn());
    unwrap(await thread.turn());
    const [spent] = unwrap(await here.store.list(LOCAL_TENANT, { gated: true, limit: 1 }));
    if (spent?.gate?.kind !== "confirmation") throw new Error("nothing waits for a yes");
    const { id: gate_id, digest } = spent.gate;
    const yes = { type: "confirm", gate_id, digest, decision: "approve" } as const;
    unwrap(await thread.turn(yes));
    const file = unwrap(await exportThread(here, thread.at));
    const rows = unwrap(await here.store.records(thread.at, { after: -1, limit: 100 }));
    const seen: string[] = [];
    for (const when of ["before", "after"] as const) {
      for (let last = 1, interrupted = true; interrupted; last++) {
        const table = await server().table();
        const open = (client: DynamoDBClient) =>
          createTestRuntime([], tools, { store: createDynamoStore({ client, table }).threads });
        const dying = importThread(open(endingAt(server().client(), last, when)), LOCAL_TENANT, file);
        interrupted = await dying.then(
          ({ ok }) => !ok,
          () => true,
        );
        const other = open(server().client());
        // An approval that was spent before the export must not be open at any moment.
        const answered = problemCode(await attachTestThread(other, thread.at.thread).turn(yes));
        const listed = unwrap(await other.store.list(LOCAL_TENANT, { limit: 10 })).length;
        const again = problemCode(await importThread(other, LOCAL_TENANT, file));
        seen.push([answered, listed, again].join(" "));
        expect(unwrap(await other.store.records(thread.at, { after: -1, limit: 100 }))).toEqual(rows);
      }
    }
    expect([...new Set(seen)].sort()).toEqual(["gate_closed 1 thread_moved", "thread_not_found 0 ok"]);
  });

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
