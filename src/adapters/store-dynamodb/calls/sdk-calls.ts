// Calls DynamoDB through a client of the AWS SDK.
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { Call, Operation } from "./calls.ts";

const COMMANDS = {
  BatchGetItem: BatchGetItemCommand,
  BatchWriteItem: BatchWriteItemCommand,
  DeleteItem: DeleteItemCommand,
  GetItem: GetItemCommand,
  PutItem: PutItemCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  TransactWriteItems: TransactWriteItemsCommand,
  UpdateItem: UpdateItemCommand,
} satisfies Record<Operation, unknown>;
/** TypeScript cannot infer from the union of all commands which input belongs to which operation. */
type AnyCommand = new (input: unknown) => GetItemCommand;

export const createSdkCalls = (client: DynamoDBClient): Call => {
  const call = (operation: Operation, input: unknown): unknown =>
    client.send(new (COMMANDS[operation] as AnyCommand)(input));
  return call as Call;
};
