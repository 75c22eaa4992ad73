// Validates request headers and query parameters.
import { fail, ok, type Result } from "../../schema/problem.ts";
import { bodyHash, keyHash } from "../../turn/commit/idempotency-keys.ts";
import type { TurnRequest } from "../../turn/runtime.ts";
import type { Ctx, RequestHeaders } from "../env.ts";

export const KEY_CHARS_MAX = 255;

/** On Node the headers already are an object; elsewhere, one conversion is faster than reading each header by name. */
export const requestHeaders = (c: Ctx): RequestHeaders =>
  c.env?.incoming?.headers ?? Object.fromEntries(c.req.raw.headers);

/** Null if the header is missing. A comma is refused because it may be the result of joining repeated headers. */
export function idempotencyKey(c: Ctx): Result<string | null> {
  const key = c.get("headers")["idempotency-key"];
  if (key === undefined) return ok(null);
  if (key.length === 0 || key.length > KEY_CHARS_MAX || !/^[\x21-\x2b\x2d-\x7e]+$/.test(key)) {
    return fail(
      "header_invalid",
      `Idempotency-Key: 1 to ${KEY_CHARS_MAX} visible ASCII characters without comma or space, once.`,
    );
  }
  return ok(key);
}

/** Records store only these hashes of the Idempotency-Key and of the content. Null if there is no key. */
export function requestKey(c: Ctx, content: () => Parameters<typeof bodyHash>[1]): TurnRequest["key"] {
  const key = c.get("key");
  const { hash } = c.get("options").rt;
  return key === null ? null : { hash: keyHash(hash, key), body: bodyHash(hash, content()) };
}

/** The version is written as `3` or `"3"`. Null if the header is missing. */
export function ifMatch(c: Ctx): Result<number | null> {
  const value = c.get("headers")["if-match"];
  if (value === undefined) return ok(null);
  const [, quoted, plain] = /^(?:"(\d{1,15})"|(\d{1,15}))$/.exec(value.trim()) ?? [];
  const version = quoted ?? plain;
  return version ? ok(Number(version)) : fail("header_invalid", "If-Match: must be one version, as in the ETag.");
}

/** HEAD gets no event stream, because its response has no body. */
export const acceptsEventStream = (c: Ctx): boolean =>
  c.req.method !== "HEAD" && (c.get("headers").accept ?? "").includes("text/event-stream");

/** -1 means all events. The Last-Event-ID header overrides the query, because a browser that reconnects repeats its first URL. */
export function readEventsAfter(c: Ctx): Result<number> {
  const id = c.get("headers")["last-event-id"];
  if (!id) return integerQuery(c, "after", -1, -1, Number.MAX_SAFE_INTEGER);
  return /^\d{1,15}$/.test(id) ? ok(Number(id)) : fail("header_invalid", "Last-Event-ID: must be the id of an event.");
}

export function integerQuery(c: Ctx, name: string, fallback: number, min: number, max: number): Result<number> {
  const text = c.req.query(name);
  if (text === undefined) return ok(fallback);
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isInteger(value) && value >= min && value <= max) return ok(value);
  return fail("request_invalid", `${name}: must be a whole number from ${min} to ${max}.`, { field: name });
}
