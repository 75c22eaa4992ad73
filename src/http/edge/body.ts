// Reads request bodies once and enforces limits: first size and time, then encoding, depth, duplicate keys and unsafe
// numbers. Hono's body limit is not used because it has no time limit and would buffer the body a second time.
import * as z from "zod";
import { startTimer } from "../../ports/clock.ts";
import { readStrictJson } from "../../schema/decision/strict-json.ts";
import { deepFreeze } from "../../schema/json/deep-freeze.ts";
import { issueMessage } from "../../schema/json/issue-message.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import type { RouteDescription, ToolkitRoute } from "../../tools/route.ts";
import type { AppOptions, Ctx } from "../env.ts";

export const BODY_BYTES_MAX = 1_048_576;
export const BODY_DEPTH_MAX = 64;

/** The body of routes that take no fields; any field is refused. */
export const EmptyBody = z.strictObject({});

/** A result that is available immediately if the request has no body. Most requests that advance a thread have none. */
type Reading<T> = Result<T> | Promise<Result<T>>;

/** A missing body counts as an empty object. */
export function readBody<S extends z.ZodType>(c: Ctx, schema: S, max = BODY_BYTES_MAX): Reading<z.infer<S>> {
  const text = readText(c, max);
  return "then" in text ? text.then((read) => parseBody(c, schema, read)) : parseBody(c, schema, text);
}

function parseBody<S extends z.ZodType>(c: Ctx, schema: S, text: Result<string>): Result<z.infer<S>> {
  if (!text.ok) return text;
  if (text.value.trim() === "") return validateEmpty(schema);
  const type = mediaType(c);
  if (type !== "application/json")
    return fail("content_type_unsupported", `The content type is ${type ?? "missing"}, but must be application/json.`);
  const read = readStrictJson(text.value, BODY_DEPTH_MAX);
  if (!read.ok) {
    const { found, excerpt } = read.issue;
    const field = read.issue.field || "body";
    return fail("body_invalid", `${field}: found ${found}, near ${excerpt}`, { field });
  }
  return validate(schema, read.value);
}

/** Caches the result of an empty body for each schema, because most requests that advance a thread have no body. */
const emptyBodies = new WeakMap<z.ZodType, Result<unknown>>();

function validateEmpty<S extends z.ZodType>(schema: S): Result<z.infer<S>> {
  const known = emptyBodies.get(schema);
  if (known) return known as Result<z.infer<S>>;
  const result = deepFreeze(validate(schema, {}));
  emptyBodies.set(schema, result);
  return result;
}

/** `within` is the path of the value in the request; the body has none. */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  within: readonly string[] = [],
): Result<z.infer<S>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  const path = [...within, ...(issue?.path ?? [])];
  if (issue?.code === "unrecognized_keys") {
    const unknown = [...path, issue.keys[0] ?? ""].join(".");
    return fail("request_invalid", `${unknown}: there is no such field.`, { field: unknown });
  }
  const field = path.join(".") || "body";
  return fail("request_invalid", `${field}: ${issueMessage(issue)}`, { field });
}

/** A page of another origin cannot send the content type `expected` without a preflight. */
export async function readTextOfType(
  c: Ctx,
  expected: string,
  max = BODY_BYTES_MAX,
  decode: Decode = decodeUtf8,
  too_large?: Failed,
): Promise<Result<string>> {
  const type = mediaType(c);
  if (type !== expected)
    return fail("content_type_unsupported", `The content type is ${type ?? "missing"}, but must be ${expected}.`);
  const text = await readText(c, max, decode);
  return !text.ok && text.problem.code === "body_too_large" && too_large ? too_large : text;
}

type Decode = (bytes: Uint8Array) => string | null;
export type BodyRules = Pick<ToolkitRoute, "body_bytes_max" | "decode_body"> & {
  /** The problem for a body above `body_bytes_max`, if it differs from the default. */
  readonly too_large?: Failed;
};

/** Undefined if the route describes no body. */
export function readRouteBody(
  c: Ctx,
  openapi: Pick<RouteDescription, "body" | "body_type"> | null,
  { body_bytes_max, decode_body, too_large }: BodyRules = {},
): Reading<unknown> {
  if (!openapi?.body) return NOT_DESCRIBED;
  if (!openapi.body_type) return readBody(c, openapi.body, body_bytes_max);
  return readTextOfType(c, openapi.body_type, body_bytes_max, decode_body, too_large);
}
const NOT_DESCRIBED = ok(undefined);

const mediaType = (c: Ctx): string | undefined =>
  c.get("headers")["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();

export function readText(c: Ctx, max = BODY_BYTES_MAX, decode: Decode = decodeUtf8): Reading<string> {
  const headers = c.get("headers");
  if (Number(headers["content-length"] ?? 0) > max) return tooLarge(max);
  const encoding = headers["content-encoding"];
  if (encoding && encoding !== "identity")
    return fail(
      "content_type_unsupported",
      `The content encoding ${encoding} is not supported; send the body without one.`,
    );
  const read = startReading(c, max);
  if (!read) return ok("");
  return withinTime(c.get("options"), read).then((bytes) => {
    if (!bytes.ok) return bytes;
    const text = decode(bytes.value);
    return text === null ? fail("body_invalid", "The body is not UTF-8.") : ok(text);
  });
}

type Bytes = Promise<Result<Uint8Array>>;

/**
 * Returns null if there is no body. Node's adapter creates a platform request and a stream as soon as `body` is read.
 * On Node the headers are therefore checked first, and a body of known length is read at once. The headers of an
 * in-process request do not say whether it has a body.
 */
function startReading(c: Ctx, max: number): Bytes | null {
  const { raw } = c.req;
  const { "content-length": length, "transfer-encoding": encoding } = c.get("headers");
  if (c.env?.incoming === undefined || encoding !== undefined) return raw.body && readStream(raw.body, max);
  return Number(length ?? 0) === 0 ? null : raw.arrayBuffer().then((bytes) => ok(new Uint8Array(bytes)));
}

async function withinTime({ rt, limits: { request_timeout_ms } }: AppOptions, read: Bytes): Bytes {
  const timer = startTimer(rt.clock, request_timeout_ms);
  const timeout = timer.cancelled.then(() =>
    fail("request_timeout", `The body took longer than ${request_timeout_ms} ms.`),
  );
  const failed = () => fail("body_invalid", "The body ended before it was complete.");
  const result = await Promise.race([read.catch(failed), timeout]);
  timer.cancel();
  return result;
}

async function readStream(stream: ReadableStream<Uint8Array>, max: number): Bytes {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return ok(joined(chunks));
    size += value.byteLength;
    // The body may be longer than its content-length header says, so the size is checked again.
    if (size > max) return tooLarge(max);
    chunks.push(value);
  }
}

const tooLarge = (max: number) => fail("body_too_large", `The body is larger than ${max} bytes.`);

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    // A byte order mark stays in the text, where the JSON parser refuses it.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
