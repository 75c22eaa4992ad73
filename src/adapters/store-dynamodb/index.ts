// What users of `pawl/dynamodb` import. Apart from `pawl`, so that nobody else loads the SDK of AWS.
export { createDynamoClient, createDynamoStore, type DynamoOptions, type DynamoStore } from "./create-store.ts";
export { ensureTable, tableDefinition } from "./table.ts";
