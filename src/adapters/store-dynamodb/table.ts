// Defines the schema of the table.
import type { CreateTableCommandInput } from "@aws-sdk/client-dynamodb";
import type { Clock } from "../../ports/clock.ts";
import type { Call } from "./calls/calls.ts";
import { type Item, type Key, keyItem } from "./keys.ts";
import type { RetryUnavailable } from "./retry.ts";

export type OpenTable = {
  readonly call: Call;
  readonly name: string;
  readonly clock: Clock;
  readonly retryUnavailable: RetryUnavailable;
};

/** Reads one item with strong consistency. */
export const getItem = async (table: OpenTable, key: Key): Promise<Item | undefined> =>
  (await table.call("GetItem", { TableName: table.name, Key: keyItem(key), ConsistentRead: true })).Item;

/** In epoch seconds: the time after which DynamoDB may delete an item. */
export const TTL_ATTRIBUTE = "expires";

/**
 * Sparse indexes, which contain only items with these attributes. They project only keys, so changing a meta row
 * touches an index only if the thread enters or leaves it. The rows are read from the table, with strong consistency.
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
