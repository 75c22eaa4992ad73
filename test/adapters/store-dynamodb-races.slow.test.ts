// The races of whole turns, on DynamoDB: every process has a client of its own on one table.
import { describe, test } from "vitest";
import { createDynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { createRaceTarget } from "../../src/testing/race-suite/on-store.ts";
import { type RaceSizes, raceSuite } from "../../src/testing/race-suite.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";

/** A round is some two hundred requests over a socket: 200 rounds take a quarter of an hour, and PAWL_RACE_ROUNDS=200 asks for them. */
const rounds = Number(process.env.PAWL_RACE_ROUNDS ?? 16);
const SIZES: RaceSizes = { callers: 64, approvers: 32, rounds, mutations: 25 * rounds };
const PROCESSES = 4;

describe.runIf(hasDynamoServer())("races on DynamoDB", () => {
  const server = useDynamoServer();

  test.each(raceSuite.map((one) => [one.name, one] as const))("%s", { timeout: 600_000 }, async (_title, one) => {
    const table = await server().table();
    const open = async () => createDynamoStore({ client: server().client(), table, patience_ms: 60_000 }).threads;
    await one.run(await createRaceTarget(open, PROCESSES), SIZES);
  });
});
