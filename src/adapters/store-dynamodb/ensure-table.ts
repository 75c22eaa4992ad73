// Creates the table for tests and development. In production the infrastructure creates it.
import { setTimeout as sleep } from "node:timers/promises";
import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { TTL_ATTRIBUTE, tableDefinition } from "./table.ts";

const WAIT_MS = 200;
const WAIT_ATTEMPTS_MAX = 300;

/** Also waits until the table is active. */
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
