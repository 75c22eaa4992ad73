// Reads request bodies once, under limits: first size and time, then encoding, depth, duplicate keys and unsafe
// numbers. Hono's body limit is not used because it has no time limit and would buffer the body a second time.
import * as z from "zod";
import { startTimer } from "../../ports/clock.ts";
import { readStrictJson } from "../../schema/decision/strict-json.ts";
import { deepFreeze } from "../../schema/json/deep-freeze.ts";
import { issueMessage } from "../../schema/json/issue-message.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { AppOptions, Ctx } from "../env.ts";

export const BODY_BYTES_MAX = 1_048_576;
export const BODY_DEPTH_MAX = 64;

/** The body of routes that take no fields; any field is refused. */
export const EmptyBody = z.strictObject({});

/**
 * Parses the body with the schema, or returns a problem that names the field. A missing body counts as an empty object.
 */
export async function readBody<S extends z.ZodType>(
  c: Ctx,
  schema: S,
  max = BODY_BYTES_MAX,
): Promise<Result<z.infer<S>>> {
  const text = await readText(c, max);
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

/** Results for empty bodies, cached because most requests that advance a thread have no body. */
const emptyBodies = new WeakMap<z.ZodType, Result<unknown>>();

function validateEmpty<S extends z.ZodType>(schema: S): Result<z.infer<S>> {
  const known = emptyBodies.get(schema) ?? deepFreeze(validate(schema, {}));
  emptyBodies.set(schema, known);
  return known as Result<z.infer<S>>;
}

function validate<S extends z.ZodType>(schema: S, value: unknown): Result<z.infer<S>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  if (issue?.code === "unrecognized_keys") {
    const unknown = [...issue.path, issue.keys[0] ?? ""].join(".");
    return fail("request_invalid", `${unknown}: there is no such field.`, { field: unknown });
  }
  const field = issue?.path.join(".") || "body";
  return fail("request_invalid", `${field}: ${issueMessage(issue)}`, { field });
}

/**
 * Reads a body that is not JSON. The type is required because a page of another origin cannot send it without a
 * preflight.
 */
export async function readTextOfType(
  c: Ctx,
  expected: string,
  max = BODY_BYTES_MAX,
  decode: Decode = decodeUtf8,
): Promise<Result<string>> {
  const type = mediaType(c);
  if (type !== expected)
    return fail("content_type_unsupported", `The content type is ${type ?? "missing"}, but must be ${expected}.`);
  return readText(c, max, decode);
}

type Decode = (bytes: Uint8Array) => string | null;

const mediaType = (c: Ctx): string | undefined =>
  c.get("headers")["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();

export async function readText(c: Ctx, max = BODY_BYTES_MAX, decode: Decode = decodeUtf8): Promise<Result<string>> {
  const headers = c.get("headers");
  if (Number(headers["content-length"] ?? 0) > max) return tooLarge(max);
  const encoding = headers["content-encoding"];
  if (encoding && encoding !== "identity")
    return fail("content_type_unsupported", `The content encoding ${encoding} is not supported.`);
  const stream = hasNoBody(c) ? null : c.req.raw.body;
  if (!stream) return ok("");
  const bytes = await readStream(c.get("options"), stream, max);
  if (!bytes.ok) return bytes;
  const text = decode(bytes.value);
  return text === null ? fail("body_invalid", "The body is not UTF-8.") : ok(text);
}

/**
 * Reports whether a request has no body. Node's adapter creates a platform request when its body is read, so the
 * headers are checked first. In a request in the same process, the headers do not say whether there is a body.
 */
function hasNoBody(c: Ctx): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = c.get("headers");
  return c.env?.incoming !== undefined && length === "0" && encoding === undefined;
}

type Chunk = { readonly done: boolean; readonly value?: Uint8Array | undefined };
const TIMED_OUT = Symbol("timed out");
const READ_FAILED = Symbol("read failed");

async function readStream(
  { rt, limits }: AppOptions,
  stream: ReadableStream<Uint8Array>,
  max: number,
): Promise<Result<Uint8Array>> {
  const reader = stream.getReader();
  const timer = startTimer(rt.clock, limits.request_timeout_ms);
  const timeout = timer.cancelled.then(() => TIMED_OUT);
  const read = (): Promise<Chunk | typeof READ_FAILED> => reader.read().catch(() => READ_FAILED);
  const chunks: Uint8Array[] = [];
  try {
    for (let size = 0; ; ) {
      const result = await Promise.race([read(), timeout]);
      if (result === TIMED_OUT)
        return fail("request_timeout", `The body took longer than ${limits.request_timeout_ms} ms.`);
      if (result === READ_FAILED) return fail("body_invalid", "The body ended before it was complete.");
      const { done, value } = result as Chunk;
      if (done || !value) return ok(joined(chunks));
      size += value.byteLength;
      // The content-length header may be wrong, so the size is checked again.
      if (size > max) return tooLarge(max);
      chunks.push(value);
    }
  } finally {
    timer.cancel();
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
