// Runs the shared stories unchanged on DynamoDB by loading the same files with another store.
import { afterAll, describe, expect, test } from "vitest";
import { createDynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { ensureTable } from "../../src/adapters/store-dynamodb/ensure-table.ts";
import { hasDynamoServer, startDynamoServer } from "../support/dynamodb.ts";
import { setStoryStore } from "../support/story-store.ts";

/** The stories that need only the app. */
const STORIES = [
  "approvals",
  "bad-replies",
  "cancel-during-tool-call",
  "delegation",
  "dropped-stream",
  "fork-and-remove",
  "move-a-task",
  "demo-model-run",
  "question-across-instances",
  "rejected-write",
  "prompt-reproduction",
  "second-run",
  "streaming-call",
  "disable-a-tool",
  "message-during-run",
  "concurrent-advance",
  "expired-question",
  "exhausted-budget",
];

describe.runIf(hasDynamoServer())("the stories on DynamoDB", async () => {
  if (!hasDynamoServer()) return;
  const server = await startDynamoServer();
  afterAll(() => server.stop());
  const tables = new Set<string>();
  setStoryStore(async (table) => {
    tables.add(table);
    await ensureTable(server.client(), table);
    const { threads, settings, documents } = createDynamoStore({ client: server.client(), table });
    return { parts: { store: threads, settings }, documents };
  });
  for (const story of STORIES) {
    await describe(story, async () => {
      await import(`../stories/${story}.slow.test.ts`);
    });
  }
  test("every story used its own table", () => {
    expect(tables.size).toBeGreaterThanOrEqual(STORIES.length);
  });
});
