// Runs the contracts of all stores on a real DynamoDB-compatible server.
import { describe, test } from "vitest";
import { createSignedCalls } from "../../src/adapters/store-dynamodb/calls/signed-calls.ts";
import { createDynamoStore, type DynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { openDynamoStore } from "../../src/adapters/store-dynamodb/open-store.ts";
import { documentStoreContract } from "../../src/testing/document-store.contract.ts";
import { settingsStoreContract } from "../../src/testing/settings-store.contract.ts";
import { threadStoreContract } from "../../src/testing/thread-store.contract.ts";
import { type DynamoServer, hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";

type Case<T> = { readonly name: string; readonly run: (open: () => Promise<T>) => Promise<void> };

type Open = (server: DynamoServer, table: string) => DynamoStore;
/** Opens handles that each have their own client, like separate processes. */
const CONNECTIONS: Record<string, Open> = {
  "the AWS SDK": (server, table) => createDynamoStore({ client: server.client(), table }),
  "signed requests": ({ env }, table) => openDynamoStore({ call: createSignedCalls(env), table }),
};

describe.runIf(hasDynamoServer()).each(Object.entries(CONNECTIONS))("on DynamoDB by %s", (_name, open) => {
  const server = useDynamoServer();

  async function runOn<T>(one: Case<T>, pick: (store: DynamoStore) => T): Promise<void> {
    const table = await server().table();
    await one.run(async () => pick(open(server(), table)));
  }
  const named = <T>(cases: readonly Case<T>[]) => cases.map((one) => [one.name, one] as const);

  describe("ThreadStore contract: dynamodb", () => {
    test.each(named(threadStoreContract))("%s", (_name, one) => runOn(one, (store) => store.threads));
  });

  describe("SettingsStore contract: dynamodb", () => {
    test.each(named(settingsStoreContract))("%s", (_name, one) => runOn(one, (store) => store.settings));
  });

  describe("CalendarStore contract: dynamodb", () => {
    test.each(named(documentStoreContract))("%s", (_name, one) => runOn(one, (store) => store.documents));
  });
});
