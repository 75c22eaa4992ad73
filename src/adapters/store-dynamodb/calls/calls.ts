// The DynamoDB operations that the store uses, with the inputs and outputs that the AWS SDK declares.
import type {
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  BatchWriteItemCommandInput,
  BatchWriteItemCommandOutput,
  DeleteItemCommandInput,
  DeleteItemCommandOutput,
  GetItemCommandInput,
  GetItemCommandOutput,
  PutItemCommandInput,
  PutItemCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
  TransactWriteItemsCommandInput,
  TransactWriteItemsCommandOutput,
  UpdateItemCommandInput,
  UpdateItemCommandOutput,
} from "@aws-sdk/client-dynamodb";

type Operations = {
  readonly BatchGetItem: readonly [BatchGetItemCommandInput, BatchGetItemCommandOutput];
  readonly BatchWriteItem: readonly [BatchWriteItemCommandInput, BatchWriteItemCommandOutput];
  readonly DeleteItem: readonly [DeleteItemCommandInput, DeleteItemCommandOutput];
  readonly GetItem: readonly [GetItemCommandInput, GetItemCommandOutput];
  readonly PutItem: readonly [PutItemCommandInput, PutItemCommandOutput];
  readonly Query: readonly [QueryCommandInput, QueryCommandOutput];
  readonly Scan: readonly [ScanCommandInput, ScanCommandOutput];
  readonly TransactWriteItems: readonly [TransactWriteItemsCommandInput, TransactWriteItemsCommandOutput];
  readonly UpdateItem: readonly [UpdateItemCommandInput, UpdateItemCommandOutput];
};
export type Operation = keyof Operations;
export type InputOf<O extends Operation> = Operations[O][0];
export type OutputOf<O extends Operation> = Omit<Operations[O][1], "$metadata">;

/** Sends one request, without retries. Throws errors with the names and fields of the SDK's errors. */
export type Call = <O extends Operation>(operation: O, input: InputOf<O>) => Promise<OutputOf<O>>;
