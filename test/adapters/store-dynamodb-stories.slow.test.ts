// The stories as they are, on DynamoDB: the same files are loaded here, with another store below them.
import { afterAll, describe, expect, test } from "vitest";
import { createDynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { ensureTable } from "../../src/adapters/store-dynamodb/table.ts";
import { hasDynamoServer, startDynamoServer } from "../support/dynamodb.ts";
import { setStoryStore } from "../support/story-store.ts";

/** Those that need nothing of a machine but the app. */
const STORIES = [
  "approvals",
  "bad-replies",
  "cancel-while-acting",
  "dropped-stream",
  "fork-and-remove",
  "move-a-task",
  "newcomer",
  "question-across-instances",
  "refused-write",
  "same-prompt-again",
  "second-run",
  "streaming-call",
  "switch-a-tool",
  "talking-meanwhile",
  "ten-at-once",
  "unanswered-question",
  "used-up-budget",
];

describe.runIf(hasDynamoServer())("the stories on DynamoDB", async () => {
  if (!hasDynamoServer()) return;
  const server = await startDynamoServer();
  afterAll(() => server.stop());
  const tables = new Set<string>();
  setStoryStore(async (table) => {
    tables.add(table);
    await ensureTable(server.client(), table);
    const { threads, settings, calendars } = createDynamoStore({ client: server.client(), table });
    return { parts: { store: threads, settings }, calendars };
  });
  for (const story of STORIES) {
    await describe(story, async () => {
      await import(`../stories/${story}.slow.test.ts`);
    });
  }
  test("all of them were played on tables", () => {
    expect(tables.size).toBeGreaterThanOrEqual(STORIES.length);
  });
});
