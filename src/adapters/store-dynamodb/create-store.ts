// Creates the DynamoDB store on a client of the AWS SDK.
import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { createSdkCalls } from "./calls/sdk-calls.ts";
import { type DynamoStore, openDynamoStore, type TableOptions } from "./open-store.ts";

export type { DynamoStore } from "./open-store.ts";

export type DynamoOptions = TableOptions & { readonly client: DynamoDBClient };

/** Connects on the first request. The caller owns the client; closing the store leaves it open. */
export const createDynamoStore = ({ client, ...options }: DynamoOptions): DynamoStore =>
  openDynamoStore({ ...options, call: createSdkCalls(client) });

/**
 * The SDK does not retry, because only the store can recognize its own record after a lost reply. A hanging request
 * times out, to leave time for another attempt.
 */
export const createDynamoClient = (config: DynamoDBClientConfig = {}): DynamoDBClient =>
  new DynamoDBClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
    ...config,
  });
