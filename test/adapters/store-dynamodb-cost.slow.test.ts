// Measures the cost of a turn on DynamoDB in requests and capacity units, counted on the connection while a thread
// grows.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { projectRoot } from "../../scripts/read-source.ts";
import { createDynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { runSlice } from "../../src/jobs/run-slice.ts";
import { NEVER_DUE, type ThreadStore } from "../../src/ports/thread-store.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { createRecords, delivery, threadAt } from "../../src/testing/thread-store/fixtures.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import { createFaultyClient, type RecordedRequest, type WireFault } from "../support/dynamodb-faulty-client.ts";
import { createTestRuntime, createTestThread, unwrap } from "../support/runtime.ts";

/** Returns two kilobytes that differ from turn to turn, like tool output with names, times and numbers. */
function observation(n: number): string {
  const lines = Array.from({ length: 40 }, (_, i) => {
    const k = (n * 7_919 + i * 104_729) % 100_003;
    return `- slot ${i + 1}: [${k}] task ${k.toString(36)}, ${k % 24}:${String(k % 60).padStart(2, "0")}, ${k % 7} free`;
  });
  return lines.join("\n").slice(0, 2048);
}

const look = defineTool(
  { name: "look", description: "Looks at a day.", input: z.object({ day: z.int() }), output: z.string() },
  ({ day }) => observation(day),
);

function* looking() {
  for (let day = 0; ; day += 1)
    yield { action: "continue", speak: `Looking at day ${day}.`, tool_call: { name: "look", arguments: { day } } };
}

type Cost = { readonly operations: string; readonly read: number; readonly written: number };
/** The cost of a turn whose last request writes the record. `stored` is the size of that item. */
type TurnCost = Cost & { readonly stored: number };

function costOf(requests: readonly RecordedRequest[]): Cost {
  const units = (operations: readonly string[]): number =>
    requests.filter((one) => operations.includes(one.operation)).reduce((sum, one) => sum + (one.units ?? 0), 0);
  return {
    operations: requests.map(({ operation }) => operation).join(" "),
    read: units(["Query", "GetItem", "BatchGetItem"]),
    written: units(["PutItem", "UpdateItem", "TransactWriteItems"]),
  };
}

type StoredItem = Readonly<Record<string, { S?: string; N?: string; B?: string }>>;

/** Counts bytes as DynamoDB does: names and values, with binary values before base64 encoding. */
const bytesOf = (item: StoredItem): number =>
  Object.entries(item).reduce((sum, [name, { S, N, B }]) => {
    const value = B === undefined ? Buffer.byteLength(S ?? N ?? "") : Buffer.from(B, "base64").length;
    return sum + Buffer.byteLength(name) + value;
  }, 0);

/** The options with which the Lambda host opens the store. */
const lambdaOptions = { settings_max_age_ms: 5_000 };

const page = readFileSync(join(projectRoot, "docs/reference/stores.md"), "utf8");

/** Expects the documentation to have a row with the same requests and write units. */
function expectDocumented(what: string, { operations, written }: Cost): void {
  expect(page).toContain(`| ${what} | ${operations.replaceAll(" ", ", ")} | ${written} |`);
}

/** Returns the units in the documented cost of a million pure turns. */
function unitsOnPage(part: "read" | "written"): number {
  const [, sum = ""] = /^a million pure turns(.*?)sum/ms.exec(page) ?? [];
  const found = (part === "read" ? /(\d+) units × 0\.125/ : /(\d+) units × 0\.625/).exec(sum);
  return Number(found?.[1]);
}

describe.runIf(hasDynamoServer())("the cost of a pure turn on DynamoDB", () => {
  const server = useDynamoServer();

  test("is one query, one get of the settings and one put, at turn 1000 as at turn 10", {
    timeout: 600_000,
  }, async () => {
    const { client, requests } = createFaultyClient(server());
    const { threads, settings } = createDynamoStore({ client, table: await server().table() });
    const budget = { turns: 10_000, tokens: null, usd: null, seconds: null };
    const rt = createTestRuntime(looking(), [look], {
      store: threads,
      settings,
      config: { ...DEFAULT_CONFIG, budget },
    });
    const thread = await createTestThread(rt, { goal: "Look at all days", mode: "direct" });
    const costs = new Map<number, TurnCost>();
    for (let turn = 1; turn <= 1000; turn += 1) {
      requests.length = 0;
      unwrap(await thread.turn());
      costs.set(turn, { ...costOf(requests), stored: bytesOf((requests.at(-1)?.body.Item ?? {}) as StoredItem) });
    }
    const rows = [1, 2, 10, 20, 100, 1000].map((turn) => ({ turn, ...costs.get(turn) }));
    console.table(rows);

    for (const turn of [2, 10, 100, 999, 1000]) expect(costs.get(turn)?.operations).toBe("Query GetItem PutItem");
    const stored = (from: number): number =>
      Array.from({ length: 20 }, (_, n) => costs.get(from + n)?.stored ?? Number.NaN).reduce((a, b) => a + b) / 20;
    expect(stored(981)).toBeLessThanOrEqual(1.03 * stored(101));
    // These figures must match the table and the sums in the documentation of the stores. Ids are random, so compressed
    // sizes differ slightly, and the 17 records of a load are close to a step of 4 KB. Therefore bytes are compared,
    // and units may differ by one.
    const unitsToLoad = (17 * stored(981)) / 4096;
    const unitsForSettings = 1;
    expect(Math.abs(unitsToLoad + unitsForSettings - unitsOnPage("read")), "units read").toBeLessThan(0.25);
    expect(Math.ceil(stored(981) / 1024), "units written").toBe(unitsOnPage("written"));
    for (const { turn, read = Number.NaN, written = Number.NaN } of rows.slice(1)) {
      const [, documentedReads, documentedWrites] =
        new RegExp(`^\\| ${turn} \\| Query, GetItem, PutItem \\| (\\d+) \\| (\\d+) \\|$`, "m").exec(page) ?? [];
      expect(Math.abs(read - Number(documentedReads)), `units read at turn ${turn}`).toBeLessThanOrEqual(1);
      expect(Math.abs(written - Number(documentedWrites)), `units written at turn ${turn}`).toBeLessThanOrEqual(1);
    }
    const kilobytes = stored(981) / 1000;
    console.log(`A record of turn 1000 has ${kilobytes.toFixed(2)} KB.`);
    expect(Math.abs(kilobytes - Number(/stored in total \| [\d.]+ KB \| ([\d.]+) KB/.exec(page)?.[1]))).toBeLessThan(
      0.1,
    );
  });

  test("in the background is at most four requests, and a slice has two more: to acquire and to requeue the run", async () => {
    const { client, requests } = createFaultyClient(server());
    const { threads, settings, claims } = createDynamoStore({
      ...lambdaOptions,
      client,
      table: await server().table(),
    });
    const rt = createTestRuntime(looking(), [look], { store: threads, settings, claims });
    await createTestThread(rt, { goal: "Look at all days", mode: "direct", run: "background" });
    const slice = async (slice_turns: number): Promise<readonly string[]> => {
      const [due] = unwrap(await threads.dueDeliveries(rt.clock.now(), 10));
      if (!due) throw new Error("nothing is due");
      requests.length = 0;
      const options = { owner: "worker", lease_ms: 90_000, attempts_max: 3, until: Number.POSITIVE_INFINITY };
      await runSlice(rt, due, { ...options, slice_turns, emit: () => undefined, stopping: () => false });
      return requests.map(({ operation }) => operation);
    };
    await slice(1);
    const [one, three] = [await slice(1), await slice(3)];
    // A turn reads the inbox, writes the claim and the record, and checks whether the run is still owned.
    const turn = ["Query", "PutItem", "PutItem", "Query"];
    expectDocumented("a background turn", { operations: turn.join(" "), read: 0, written: 3 });
    // One request acquires the run, one loads the thread and one requeues the run.
    expect(one).toEqual(["PutItem", "Query", ...turn, "PutItem"]);
    expect(three).toEqual(["PutItem", "Query", ...turn, ...turn, ...turn, "PutItem"]);
  });

  test("differs from a turn that changes more, which is written in one transaction", async () => {
    const { client, requests } = createFaultyClient(server());
    const { threads, settings } = createDynamoStore({ client, table: await server().table() });
    const script = [
      { action: "continue", speak: "Looking.", tool_call: { name: "look", arguments: { day: 1 } } },
      { action: "ask_user", speak: "Which day?" },
    ];
    const rt = createTestRuntime(script, [look], { store: threads, settings });
    requests.length = 0;
    const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
    expect(costOf(requests.splice(0)).operations).toBe("TransactWriteItems");
    unwrap(await thread.turn());
    // The first turn also stores message [0] of the prompt, once per thread, in the transaction of its record.
    const first = costOf(requests.splice(0));
    console.log(`A first turn: ${JSON.stringify(first)}`);
    expect(first.operations).toBe("Query GetItem TransactWriteItems");
    unwrap(await thread.turn());
    const moved = costOf(requests.splice(0));
    console.log(`A turn that opens a gate: ${JSON.stringify(moved)}`);
    expect(moved.operations).toBe("Query GetItem TransactWriteItems");
    // A record below a kilobyte writes the record and the meta row, twice each. This server counts the indexes as one
    // unit.
    expect(moved.written).toBe(1 * 2 + 1 * 2 + 1);
  });

  test("with claims takes one more write, and as a function is configured three requests in total", async () => {
    const { client, requests } = createFaultyClient(server());
    const table = await server().table();
    const turnWith = async (options: { readonly settings_max_age_ms?: number }): Promise<Cost> => {
      const { threads, settings, claims } = createDynamoStore({ ...options, client, table });
      const rt = createTestRuntime(looking(), [look], { store: threads, settings, claims });
      const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
      unwrap(await thread.turn());
      requests.length = 0;
      unwrap(await thread.turn());
      return costOf(requests);
    };
    const firstTurn = async (): Promise<Cost> => {
      const { threads, settings, claims } = createDynamoStore({ ...lambdaOptions, client, table });
      const rt = createTestRuntime(looking(), [look], { store: threads, settings, claims });
      const thread = await createTestThread(rt, { goal: "Look", mode: "direct" });
      unwrap(await settings.load(thread.at.tenant));
      requests.length = 0;
      unwrap(await thread.turn());
      return costOf(requests);
    };
    expect((await turnWith({})).operations).toBe("Query GetItem PutItem PutItem");
    const cost = await turnWith(lambdaOptions);
    expect(cost.operations).toBe("Query PutItem PutItem");
    expectDocumented("a pure turn", cost);
    const first = await firstTurn();
    expect(first.written).toBeLessThanOrEqual(10);
    expectDocumented("the first turn of a thread", first);
  });

  describe("a poll for due work", () => {
    const poll = async (threads: ThreadStore): Promise<number> =>
      unwrap(await threads.dueDeliveries(NEVER_DUE - 1, 500)).length;
    const operations = (requests: RecordedRequest[]) => [...new Set(requests.splice(0).map((one) => one.operation))];

    test("is one request if nothing waits", async () => {
      const { client, requests } = createFaultyClient(server());
      const { threads } = createDynamoStore({ client, table: await server().table() });
      expect(await poll(threads)).toBe(0);
      expect(costOf(requests).operations).toBe("Scan");
      expectDocumented("a poll for due work, if nothing waits", costOf(requests));
    });

    test("queries the shards if more waits than one scan reads, and finds all of it in order", async () => {
      const { client, requests } = createFaultyClient(server());
      const { threads } = createDynamoStore({ client, table: await server().table() });
      const at = threadAt();
      await createRecords(threads, at, 1);
      const add = (n: number) => threads.putDelivery({ ...delivery(n, at), due_at: 1_000 + n });
      for (let n = 0; n < 99; n += 1) succeeded(await add(n));
      requests.length = 0;
      expect(await poll(threads)).toBe(99);
      expect(operations(requests)).toEqual(["Scan", "BatchGetItem"]);
      for (let n = 99; n < 130; n += 1) succeeded(await add(n));
      const due = unwrap(await threads.dueDeliveries(1_119, 500)).map(({ due_at }) => due_at - 1_000);
      expect(due).toEqual(Array.from({ length: 120 }, (_, n) => n));
      requests.length = 0;
      expect(await poll(threads)).toBe(130);
      expect(operations(requests), "the index is known to be large").not.toContain("Scan");
    });

    test("queries the shards if the policy of the function does not allow a scan", async () => {
      const denied = ({ operation }: RecordedRequest): WireFault | null =>
        operation === "Scan" ? { exception: "AccessDeniedException" } : null;
      const { client, requests } = createFaultyClient(server(), denied);
      const { threads } = createDynamoStore({ client, table: await server().table() });
      await createRecords(threads, threadAt(), 1);
      succeeded(await threads.putDelivery(delivery(1, threadAt())));
      expect(await poll(threads)).toBe(1);
      requests.length = 0;
      expect(await poll(threads)).toBe(1);
      expect(operations(requests)).not.toContain("Scan");
    });
  });
});
