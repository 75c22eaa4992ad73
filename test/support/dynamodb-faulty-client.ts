// A client whose connection a test can observe and interrupt: faults are real HTTP responses or lost packets below the
// SDK.
import { Readable } from "node:stream";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { DynamoServer } from "./dynamodb.ts";

export type WireFault =
  /** The request never arrives. */
  | "lost_request"
  /** The request is executed; its response never arrives. */
  | "lost_reply"
  /** Only the first half of a batch is executed, and the response lists the other half. */
  | "half_done"
  /** Rejected with this DynamoDB exception. */
  | { readonly exception: string; readonly status?: number; readonly reasons?: readonly (string | null)[] };

export type RecordedRequest = {
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Capacity units as the server counts them; null if it failed. */
  units: number | null;
};

export type FaultyClient = { readonly client: DynamoDBClient; readonly requests: RecordedRequest[] };

export const throttled: WireFault = { exception: "ProvisionedThroughputExceededException" };
/** Emulators never raise it: two transactions, or a transaction and a put, on one item at the same time. */
export const transactionConflict = (...reasons: readonly (string | null)[]): WireFault => ({
  exception: "TransactionCanceledException",
  reasons,
});

type HttpRequest = { headers: Record<string, string>; body?: unknown };
type HttpResponse = { response: { statusCode: number; headers: Record<string, string>; body: Readable } };
type Handler = { handle: (request: HttpRequest, options: unknown) => Promise<HttpResponse> };

/** `fault` is called for every request, in order; null lets it pass. */
export function createFaultyClient(
  server: DynamoServer,
  fault: (request: RecordedRequest) => WireFault | null = () => null,
): FaultyClient {
  const requests: RecordedRequest[] = [];
  const inner = server.client().config.requestHandler as unknown as Handler;
  const handle = async (request: HttpRequest, options: unknown): Promise<HttpResponse> => {
    const [, operation = ""] = (request.headers["x-amz-target"] ?? "").split(".");
    const body = JSON.parse(bodyText(request)) as Record<string, unknown>;
    const recorded: RecordedRequest = { operation, body, units: null };
    requests.push(recorded);
    const injected = fault(recorded);
    if (injected === "lost_request") throw connectionReset();
    if (typeof injected === "object" && injected !== null) return exceptionResponse(injected);
    const { done, left } = injected === "half_done" ? splitBatch(body) : { done: body, left: {} };
    const answer = await inner.handle(withConsumedCapacity(request, done), options);
    const reply = JSON.parse(await textOf(answer.response.body)) as Record<string, unknown>;
    const text = JSON.stringify({ ...reply, ...left });
    recorded.units = unitsIn(text);
    if (injected === "lost_reply") throw connectionReset();
    return { response: { ...answer.response, body: Readable.from([Buffer.from(text)]) } };
  };
  const requestHandler = { handle, destroy: () => undefined, metadata: { handlerProtocol: "http/1.1" } };
  return { client: server.client({ requestHandler: requestHandler as never }), requests };
}

const bodyText = ({ body }: HttpRequest): string =>
  typeof body === "string" ? body : new TextDecoder().decode(body as Uint8Array);

type Batch = readonly unknown[] | { readonly Keys: readonly unknown[] };

/** Both kinds of batch: a list of writes, or a list of keys to read. */
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

/** The server reports units only on request, which the store does not make. */
function withConsumedCapacity(request: HttpRequest, body: Record<string, unknown>): HttpRequest {
  const text = JSON.stringify({ ...body, ReturnConsumedCapacity: "INDEXES" });
  const headers = { ...request.headers, "content-length": String(Buffer.byteLength(text)) };
  return Object.assign(Object.create(Object.getPrototypeOf(request)), request, { body: text, headers });
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

function exceptionResponse(fault: Exclude<WireFault, string>): HttpResponse {
  const { exception, reasons, status = 400 } = fault;
  const CancellationReasons = reasons?.map((Code) => ({ Code: Code ?? "None" }));
  const __type = `com.amazonaws.dynamodb.v20120810#${exception}`;
  const text = JSON.stringify({ __type, message: `injected ${exception}`, Message: `injected`, CancellationReasons });
  const headers = { "content-type": "application/x-amz-json-1.0", "x-amzn-requestid": "injected" };
  return { response: { statusCode: status, headers, body: Readable.from([Buffer.from(text)]) } };
}
