// Provides connections that a test can observe and interrupt. Faults are real HTTP responses or lost packets below the
// SDK or below signed requests.
import { Readable } from "node:stream";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Call } from "../../src/adapters/store-dynamodb/calls/calls.ts";
import { createSdkCalls } from "../../src/adapters/store-dynamodb/calls/sdk-calls.ts";
import {
  createSignedCalls,
  type Post,
  postOverHttp,
  type Reply,
} from "../../src/adapters/store-dynamodb/calls/signed-calls.ts";
import type { DynamoServer } from "./dynamodb.ts";

export type WireFault =
  /** The request never arrives. */
  | "lost_request"
  /** The request is executed, but its response never arrives. */
  | "lost_reply"
  /** Only the first half of a batch is executed, and the response lists the other half. */
  | "half_done"
  /** The request is rejected with this DynamoDB exception. */
  | { readonly exception: string; readonly status?: number; readonly reasons?: readonly (string | null)[] };

export type RecordedRequest = {
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The capacity units as the server counts them, or null if the request failed. */
  units: number | null;
};

type Faulty = { readonly call: Call; readonly requests: RecordedRequest[] };
export type FaultyClient = Faulty & { readonly client: DynamoDBClient };

export const throttled: WireFault = { exception: "ProvisionedThroughputExceededException" };
/**
 * Returns the exception for two transactions, or a transaction and a put, on one item at the same time. Emulators never
 * raise it.
 */
export const transactionConflict = (...reasons: readonly (string | null)[]): WireFault => ({
  exception: "TransactionCanceledException",
  reasons,
});

type HttpRequest = { headers: Record<string, string>; body?: unknown };
type HttpResponse = { response: { statusCode: number; headers: Record<string, string>; body: Readable } };
type Handler = { handle: (request: HttpRequest, options: unknown) => Promise<HttpResponse> };

type Fault = (request: RecordedRequest) => WireFault | null;

/** Creates a client. `fault` is called for every request, in order; null lets the request pass. */
export function createFaultyClient(server: DynamoServer, fault: Fault = () => null): FaultyClient {
  const requests: RecordedRequest[] = [];
  const inner = server.client().config.requestHandler as unknown as Handler;
  const handle = async (request: HttpRequest, options: unknown): Promise<HttpResponse> => {
    let response: object = {};
    const { status, text } = await exchange(request.headers, bodyText(request), { requests, fault }, async (body) => {
      const answer = await inner.handle(withBody(request, body), options);
      response = answer.response;
      return { status: answer.response.statusCode, text: await textOf(answer.response.body) };
    });
    const headers = { "content-type": "application/x-amz-json-1.0", "x-amzn-requestid": "injected" };
    return { response: { headers, ...response, statusCode: status, body: Readable.from([Buffer.from(text)]) } };
  };
  const requestHandler = { handle, destroy: () => undefined, metadata: { handlerProtocol: "http/1.1" } };
  const client = server.client({ requestHandler: requestHandler as never });
  return { client, call: createSdkCalls(client), requests };
}

/** Does the same for signed requests without the SDK. */
export function createFaultyCalls(server: DynamoServer, fault: Fault = () => null): Faulty {
  const requests: RecordedRequest[] = [];
  const post: Post = (url, headers, sent) =>
    exchange(headers, sent, { requests, fault }, (body) =>
      postOverHttp(url, { ...headers, "content-length": String(Buffer.byteLength(body)) }, body),
    );
  return { call: createSignedCalls(server.env, post), requests };
}

type Wire = { readonly requests: RecordedRequest[]; readonly fault: Fault };

async function exchange(
  headers: Readonly<Record<string, string>>,
  sent: string,
  { requests, fault }: Wire,
  pass: (body: string) => Promise<Reply>,
): Promise<Reply> {
  const [, operation = ""] = (headers["x-amz-target"] ?? "").split(".");
  const body = JSON.parse(sent) as Record<string, unknown>;
  const recorded: RecordedRequest = { operation, body, units: null };
  requests.push(recorded);
  const injected = fault(recorded);
  if (injected === "lost_request") throw connectionReset();
  if (typeof injected === "object" && injected !== null) return exceptionReply(injected);
  const { done, left } = injected === "half_done" ? splitBatch(body) : { done: body, left: {} };
  // The server reports units only on request, and the store does not request them.
  const answer = await pass(JSON.stringify({ ...done, ReturnConsumedCapacity: "INDEXES" }));
  const text = JSON.stringify({ ...(JSON.parse(answer.text) as object), ...left });
  recorded.units = unitsIn(text);
  if (injected === "lost_reply") throw connectionReset();
  return { status: answer.status, text };
}

const bodyText = ({ body }: HttpRequest): string =>
  typeof body === "string" ? body : new TextDecoder().decode(body as Uint8Array);

type Batch = readonly unknown[] | { readonly Keys: readonly unknown[] };

/** Splits a batch of either kind: a list of writes, or a list of keys to read. */
function splitBatch(body: Record<string, unknown>): { done: Record<string, unknown>; left: Record<string, unknown> } {
  const [[table, batch] = ["", []]] = Object.entries(body.RequestItems as Record<string, Batch>);
  const half = <T>(all: readonly T[]): [T[], T[]] => [
    all.slice(0, Math.ceil(all.length / 2)),
    all.slice(Math.ceil(all.length / 2)),
  ];
  if ("Keys" in batch) {
    const [now, later] = half(batch.Keys).map((Keys) => ({ [table]: { ...batch, Keys } }));
    return { done: { ...body, RequestItems: now }, left: { UnprocessedKeys: later } };
  }
  const [now, later] = half(batch);
  return { done: { ...body, RequestItems: { [table]: now } }, left: { UnprocessedItems: { [table]: later } } };
}

const connectionReset = (): Error => Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });

function withBody(request: HttpRequest, body: string): HttpRequest {
  const headers = { ...request.headers, "content-length": String(Buffer.byteLength(body)) };
  return Object.assign(Object.create(Object.getPrototypeOf(request)), request, { body, headers });
}

async function textOf(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}

type Capacity = { readonly CapacityUnits?: number };

function unitsIn(text: string): number | null {
  const found = (JSON.parse(text) as { ConsumedCapacity?: Capacity | readonly Capacity[] }).ConsumedCapacity;
  if (found === undefined) return null;
  return [found].flat().reduce((sum, one) => sum + ((one as Capacity).CapacityUnits ?? 0), 0);
}

function exceptionReply({ exception, reasons, status = 400 }: Exclude<WireFault, string>): Reply {
  const CancellationReasons = reasons?.map((Code) => ({ Code: Code ?? "None" }));
  const __type = `com.amazonaws.dynamodb.v20120810#${exception}`;
  const text = JSON.stringify({ __type, message: `injected ${exception}`, Message: `injected`, CancellationReasons });
  return { status, text };
}
