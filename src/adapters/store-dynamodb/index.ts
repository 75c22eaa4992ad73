// Exports `pawl/dynamodb`, which is separate from `pawl` so that other users do not load the AWS SDK.
export { createDynamoClient, createDynamoStore, type DynamoOptions, type DynamoStore } from "./create-store.ts";
export { ensureTable } from "./ensure-table.ts";
export { tableDefinition } from "./table.ts";
