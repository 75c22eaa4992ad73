// The table's schema, and how tests and developers create it. In production the infrastructure creates it.

import { setTimeout as sleep } from "node:timers/promises";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import type { Clock } from "../../ports/clock.ts";
import type { RetryUnavailable } from "./retry.ts";

export type OpenTable = {
  readonly client: DynamoDBClient;
  readonly name: string;
  readonly clock: Clock;
  readonly retryUnavailable: RetryUnavailable;
};

/** Epoch seconds after which DynamoDB may delete an item. */
export const TTL_ATTRIBUTE = "expires";

/**
 * Sparse indexes: they contain only items with these attributes. They project keys only, so that changing a meta row
 * touches an index only if the thread enters or leaves it; the rows themselves are read from the table, strongly
 * consistent.
 */
export const INDEXES = {
  by_age: { hash: "in_tenant", range: "listed" },
  by_state: { hash: "in_state", range: "listed" },
  by_gate: { hash: "in_gated", range: "listed" },
  by_due: { hash: "in_outbox", range: "due" },
} as const;
export type IndexName = keyof typeof INDEXES;

const keySchema = (hash: string, range: string): CreateTableCommandInput["KeySchema"] => [
  { AttributeName: hash, KeyType: "HASH" },
  { AttributeName: range, KeyType: "RANGE" },
];

export function tableDefinition(name: string) {
  const indexes = Object.entries(INDEXES);
  const attributes = new Set(["pk", "sk", ...indexes.flatMap(([, { hash, range }]) => [hash, range])]);
  return {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [...attributes].map((AttributeName) => ({ AttributeName, AttributeType: "S" as const })),
    KeySchema: keySchema("pk", "sk"),
    GlobalSecondaryIndexes: indexes.map(([IndexName, { hash, range }]) => ({
      IndexName,
      KeySchema: keySchema(hash, range),
      Projection: { ProjectionType: "KEYS_ONLY" as const },
    })),
  } satisfies CreateTableCommandInput;
}

const WAIT_MS = 200;
const WAIT_ATTEMPTS_MAX = 300;

/** Creates the table if it does not exist and waits until it is active. For tests and development. */
export async function ensureTable(client: DynamoDBClient, name: string): Promise<void> {
  try {
    await client.send(new CreateTableCommand(tableDefinition(name)));
  } catch (thrown) {
    if (!(thrown instanceof ResourceInUseException)) throw thrown;
    return waitUntilActive(client, name);
  }
  await waitUntilActive(client, name);
  const TimeToLiveSpecification = { Enabled: true, AttributeName: TTL_ATTRIBUTE };
  await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }));
}

async function waitUntilActive(client: DynamoDBClient, name: string): Promise<void> {
  for (let tries = 0; tries < WAIT_ATTEMPTS_MAX; tries += 1) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    if (Table?.TableStatus === "ACTIVE") return;
    await sleep(WAIT_MS);
  }
  throw new Error(`table ${name} did not become active`);
}
