// The same races on a DynamoDB-compatible server. Fewer rounds: every read and write is a request over loopback.
import { describe, test } from "vitest";
import { createDynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { createRaceTarget } from "../../src/testing/race-suite/on-store.ts";
import { type RaceSizes, raceSuite } from "../../src/testing/race-suite.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";

const SIZES: RaceSizes = { callers: 32, approvers: 16, rounds: 12, mutations: 240 };

describe.runIf(hasDynamoServer())("races on the store: dynamodb", () => {
  const server = useDynamoServer();

  test.each(raceSuite.map((one) => [one.name, one] as const))("%s", { timeout: 600_000 }, async (_title, one) => {
    const table = await server().table();
    const open = async () => createDynamoStore({ client: server().client(), table }).threads;
    await one.run(await createRaceTarget(open, 4), SIZES);
  });
});
