// Runs the same races on a DynamoDB-compatible server, with a separate client for every process. The test command plays
// fewer rounds, because each read and write is a request over loopback.
import { describe, test } from "vitest";
import { createDynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { createRaceTarget } from "../../src/testing/race-suite/store-target.ts";
import { raceSuite } from "../../src/testing/race-suite.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import { raceSizes } from "./race-sizes.ts";

const SIZES = raceSizes({ callers: 64, approvers: 32, rounds: 4, mutations: 80 });
const PROCESSES = 4;
/** The time limit for retries. Only the winner matters here, so a busy machine may be slow. */
const RETRY_TIMEOUT_MS = 60_000;

describe.runIf(hasDynamoServer())("races on the store: dynamodb", () => {
  const server = useDynamoServer();

  test.each(raceSuite.map((one) => [one.name, one] as const))("%s", { timeout: 600_000 }, async (_title, one) => {
    const table = await server().table();
    const open = async () =>
      createDynamoStore({ client: server().client(), table, patience_ms: RETRY_TIMEOUT_MS }).threads;
    await one.run(await createRaceTarget(open, PROCESSES), SIZES);
  });
});
