// Runs the contracts of all stores on AWS's own DynamoDB Local, to check assumptions about DynamoDB. Runs only in `npm
// test -- --full`; the same contracts run on dynoxide in every test run.
import { describe, test } from "vitest";
import { createDynamoStore, type DynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { documentStoreContract } from "../../src/testing/document-store.contract.ts";
import { settingsStoreContract } from "../../src/testing/settings-store.contract.ts";
import { threadStoreContract } from "../../src/testing/thread-store.contract.ts";
import { useDynamoServer } from "../support/dynamodb.ts";
import { dynamoLocal, hasDynamoLocal } from "../support/dynamodb-local.ts";

type Case<T> = { readonly name: string; readonly run: (open: () => Promise<T>) => Promise<void> };

/**
 * Contract cases that this old version cannot pass: empty strings, and returning the item that did not meet a
 * condition.
 */
const UNSUPPORTED = [
  "empty strings are accepted",
  "repeating the same rescheduling succeeds",
  "a save over an outdated version fails with settings_moved, reports the current version and changes nothing",
  "a save over a future version fails with settings_moved",
  "a save over another version than the newest returns the newest and changes nothing",
];

describe.runIf(hasDynamoLocal())("on DynamoDB Local", () => {
  const server = useDynamoServer(dynamoLocal);

  function runAll<T>(cases: readonly Case<T>[], pick: (store: DynamoStore) => T): void {
    for (const one of cases) {
      const check = UNSUPPORTED.includes(one.name) ? test.fails : test;
      check(one.name, async () => {
        const table = await server().table();
        await one.run(async () => pick(createDynamoStore({ client: server().client(), table })));
      });
    }
  }

  describe("ThreadStore contract", () => runAll(threadStoreContract, (store) => store.threads));
  describe("SettingsStore contract", () => runAll(settingsStoreContract, (store) => store.settings));
  describe("DocumentStore contract", () => runAll(documentStoreContract, (store) => store.documents));
});
