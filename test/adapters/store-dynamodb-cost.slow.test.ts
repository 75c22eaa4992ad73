// What a turn costs on DynamoDB: requests and capacity units, counted on the wire while a thread grows old.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createDynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { DEFAULT_CONFIG } from "../../src/turn/runtime.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import { openWire, type WireRequest } from "../support/dynamodb-wire.ts";
import { aRuntime, aThreadOn, must } from "../support/runtime.ts";

/** Two kilobytes that differ from turn to turn, as tools answer: names, times, numbers. */
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

function costOf(requests: readonly WireRequest[]): Cost {
  const units = (operations: readonly string[]): number =>
    requests.filter((one) => operations.includes(one.operation)).reduce((sum, one) => sum + (one.units ?? 0), 0);
  return {
    operations: requests.map(({ operation }) => operation).join(" "),
    read: units(["Query", "GetItem", "BatchGetItem"]),
    written: units(["PutItem", "UpdateItem", "TransactWriteItems"]),
  };
}

describe.runIf(hasDynamoServer())("the cost of a pure turn on DynamoDB", () => {
  const server = useDynamoServer();

  test("is one query, one get of the settings and one put, at turn 1000 as at turn 10", {
    timeout: 600_000,
  }, async () => {
    const { client, requests } = openWire(server());
    const { threads, settings } = createDynamoStore({ client, table: await server().table() });
    const budget = { turns: 10_000, tokens: null, usd: null, seconds: null };
    const rt = aRuntime(looking(), [look], { store: threads, settings, config: { ...DEFAULT_CONFIG, budget } });
    const thread = await aThreadOn(rt, { goal: "Look at all days", mode: "direct" });
    const costs = new Map<number, Cost>();
    for (let turn = 1; turn <= 1000; turn += 1) {
      requests.length = 0;
      must(await thread.turn());
      costs.set(turn, costOf(requests));
    }
    const rows = [1, 2, 10, 20, 100, 1000].map((turn) => ({ turn, ...costs.get(turn) }));
    console.table(rows);

    for (const turn of [2, 10, 100, 999, 1000]) expect(costs.get(turn)?.operations).toBe("Query GetItem PutItem");
    const mean = (from: number, part: "read" | "written"): number =>
      Array.from({ length: 20 }, (_, n) => costs.get(from + n)?.[part] ?? Number.NaN).reduce((a, b) => a + b) / 20;
    for (const part of ["read", "written"] as const) {
      expect(mean(981, part)).toBeLessThanOrEqual(1.1 * mean(101, part));
    }
    // What the page about stores says; plain text would be about three times that.
    expect(mean(981, "written")).toBeLessThanOrEqual(4);
    expect(mean(981, "read")).toBeLessThanOrEqual(18);
  });

  test("is told apart from a turn that moves more: there one transaction writes all of it", async () => {
    const { client, requests } = openWire(server());
    const { threads, settings } = createDynamoStore({ client, table: await server().table() });
    const script = [
      { action: "continue", speak: "Looking.", tool_call: { name: "look", arguments: { day: 1 } } },
      { action: "ask_user", speak: "Which day?" },
    ];
    const rt = aRuntime(script, [look], { store: threads, settings });
    requests.length = 0;
    const thread = await aThreadOn(rt, { goal: "Look", mode: "direct" });
    expect(costOf(requests.splice(0)).operations).toBe("TransactWriteItems");
    must(await thread.turn());
    // The first turn also keeps message [0] of the prompt, once per thread.
    expect(costOf(requests.splice(0)).operations).toBe("Query GetItem PutItem TransactWriteItems");
    must(await thread.turn());
    const moved = costOf(requests.splice(0));
    console.log(`A turn that opens a gate: ${JSON.stringify(moved)}`);
    expect(moved.operations).toBe("Query GetItem TransactWriteItems");
    expect(moved.written).toBeLessThanOrEqual(14);
  });

  test("with claims has one request more before and one after", async () => {
    const { client, requests } = openWire(server());
    const { threads, settings, claims } = createDynamoStore({ client, table: await server().table() });
    const rt = aRuntime(looking(), [look], { store: threads, settings, claims });
    const thread = await aThreadOn(rt, { goal: "Look", mode: "direct" });
    must(await thread.turn());
    requests.length = 0;
    must(await thread.turn());
    expect(costOf(requests).operations).toBe("Query GetItem PutItem PutItem DeleteItem");
  });
});
