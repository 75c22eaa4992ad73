// Implements npm run test:stores: runs the contract on every store and prints a table of cases and stores. Fails if any
// case fails.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestHarness } from "wrangler";
import { createDynamoStore } from "../src/adapters/store-dynamodb/create-store.ts";
import { createMemoryData, createMemoryStore } from "../src/adapters/store-memory.ts";
import { createSqliteStore } from "../src/adapters/store-sqlite/create-store.ts";
import type { ThreadStore } from "../src/ports/thread-store.ts";
import { succeeded } from "../src/testing/expect.ts";
import { type ContractCase, threadStoreContract } from "../src/testing/thread-store.contract.ts";
import { hasDynamoServer, startDynamoServer } from "../test/support/dynamodb.ts";

/** Null if the case passed; otherwise the reason why it failed. */
type Verdict = string | null;
type Store = {
  readonly name: string;
  readonly run: (one: ContractCase, k: number) => Promise<Verdict>;
  readonly close: () => Promise<unknown>;
};

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";

/** Defines a store in this process, with separate data for every case. */
const local = (
  name: string,
  createLocation: () => Promise<{ open: () => Promise<ThreadStore>; clear: () => void }>,
  close = async () => {},
): Store => ({
  name,
  close,
  run: async (one) => {
    const { open, clear } = await createLocation();
    const opened: ThreadStore[] = [];
    try {
      await one.run(async () => {
        const store = await open();
        opened.push(store);
        return store;
      });
      return null;
    } catch (error) {
      return firstLine(error);
    } finally {
      for (const store of opened) await store.close();
      clear();
    }
  },
});

const memory = local("memory", async () => {
  const data = createMemoryData();
  return { open: async () => createMemoryStore(data), clear: () => undefined };
});
const sqlite = local("SQLite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-stores-"));
  return {
    open: async () => succeeded(await createSqliteStore({ path: join(folder, "pawl.db") })).threads,
    clear: () => rmSync(folder, { recursive: true }),
  };
});

async function dynamoDb(): Promise<Store> {
  const server = await startDynamoServer();
  const createLocation = async () => {
    const table = await server.table();
    return { open: async () => createDynamoStore({ client: server.client(), table }).threads, clear: () => undefined };
  };
  return local("DynamoDB", createLocation, async () => void (await server.stop()));
}

/** Its cases run inside the real Workers runtime, where they are requested by number. */
async function durableObject(): Promise<Store> {
  const configPath = join(import.meta.dirname, "../test/hosts/cloudflare/wrangler.toml");
  const harness = createTestHarness({ workers: [{ configPath }] });
  await harness.listen();
  const run = async (_one: ContractCase, k: number): Promise<Verdict> => {
    const text = await (await harness.fetch(`/store/${k}`)).text();
    return text === "passed" ? null : firstLine(new Error(text));
  };
  return { name: "Durable Object", run, close: () => harness.close() };
}

process.env.WRANGLER_SEND_METRICS = "false";
const stores: Store[] = [memory, sqlite];
if (hasDynamoServer()) stores.push(await dynamoDb());
else
  console.error(
    "No DynamoDB server is available for this platform (package @dynoxide/linux-x64), so its column is missing.",
  );
stores.push(await durableObject());

const failures: string[] = [];
console.log(`${"case".padEnd(92)}${stores.map((store) => store.name.padStart(16)).join("")}`);
for (const [k, one] of threadStoreContract.entries()) {
  const cells: string[] = [];
  for (const store of stores) {
    const verdict = await store.run(one, k);
    cells.push((verdict === null ? "ok" : "FAILED").padStart(16));
    if (verdict !== null) failures.push(`${store.name}: ${one.name}: ${verdict}`);
  }
  console.log(`${one.name.slice(0, 90).padEnd(92)}${cells.join("")}`);
}
for (const store of stores) await store.close();
for (const failure of failures) console.error(failure);
console.log(`${threadStoreContract.length * stores.length - failures.length} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
