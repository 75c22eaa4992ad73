// Tests data besides threads that all processes on a table share: the shared secret and single-use tokens.
import { describe, expect, test } from "vitest";
import { createDynamoStore, type DynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { singleUseKey } from "../../src/adapters/store-dynamodb/keys.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import { createFaultyClient, throttled, type WireFault } from "../support/dynamodb-faulty-client.ts";
import { createStepClock } from "../support/step-clock.ts";

describe.runIf(hasDynamoServer())("shared data of processes on a table", () => {
  const server = useDynamoServer();

  /** Opens a process whose first requests of an operation have these faults. */
  function open(table: string, faults: Record<string, WireFault[]> = {}, clock = createStepClock()): DynamoStore {
    const { client } = createFaultyClient(server(), ({ operation }) => faults[operation]?.shift() ?? null);
    return createDynamoStore({ client, table, clock });
  }

  test("the secret is created once, even if many processes request it concurrently", async () => {
    const table = await server().table();
    const asked = await Promise.all(Array.from({ length: 16 }, () => open(table).secret()));
    const secrets = new Set(asked.map(succeeded));
    expect(secrets.size).toBe(1);
    expect([...secrets][0]).toMatch(/^[0-9a-f]{64}$/);
    expect(succeeded(await open(table).secret())).toBe([...secrets][0]);
  });

  test("a secret whose reply is lost is the stored one", async () => {
    const table = await server().table();
    const made = succeeded(await open(table, { PutItem: ["lost_reply"] }).secret());
    expect(succeeded(await open(table, { GetItem: [throttled] }).secret())).toBe(made);
  });

  test("two tables have two secrets", async () => {
    const [one, other] = [await server().table(), await server().table()];
    expect(succeeded(await open(one).secret())).not.toBe(succeeded(await open(other).secret()));
  });

  test("a value is taken once, by the first process that asks", async () => {
    const table = await server().table();
    const clock = createStepClock();
    succeeded(await open(table, {}, clock).once.put("ticket/1", "ann", clock.now() + 60_000));
    const taken = await Promise.all(Array.from({ length: 8 }, () => open(table, {}, clock).once.take("ticket/1")));
    expect(taken.map(succeeded).filter((text) => text !== null)).toEqual(["ann"]);
  });

  test("an expired text is not returned, whether or not the table has deleted it", async () => {
    const table = await server().table();
    const clock = createStepClock();
    const { once } = open(table, {}, clock);
    succeeded(await once.put("ticket/1", "ann", clock.now() + 60_000));
    clock.advance(60_000);
    expect(succeeded(await once.take("ticket/1"))).toBeNull();
    expect(succeeded(await once.take("ticket/2"))).toBeNull();
  });

  test("a value whose reply is lost is deleted: it is never returned twice", async () => {
    const table = await server().table();
    const clock = createStepClock();
    const { once } = open(table, { DeleteItem: ["lost_reply"] }, clock);
    succeeded(await once.put("ticket/1", "ann", clock.now() + 60_000));
    expect(succeeded(await once.take("ticket/1"))).toBeNull();
  });

  test("names are not interpreted", () => {
    expect(singleUseKey("a#b").pk).not.toBe(`${singleUseKey("a").pk}#b`);
    expect(singleUseKey("secret").pk).not.toBe("x#secret");
  });
});
