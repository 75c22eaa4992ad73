// Request headers and query parameters, validated.
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Ctx, RequestHeaders } from "../env.ts";

export const KEY_CHARS_MAX = 255;

/** Node has them as an object already. Asking the platform's class once for all is faster than once for each. */
export const requestHeaders = (c: Ctx): RequestHeaders =>
  c.env?.incoming?.headers ?? Object.fromEntries(c.req.raw.headers);

/** null without the header. A comma is refused, because repeated headers arrive joined by one. */
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

/** A version as `3` or `"3"`; null without the header. */
export function ifMatch(c: Ctx): Result<number | null> {
  const value = c.get("headers")["if-match"];
  if (value === undefined) return ok(null);
  const [, quoted, plain] = /^(?:"(\d{1,15})"|(\d{1,15}))$/.exec(value.trim()) ?? [];
  const version = quoted ?? plain;
  return version ? ok(Number(version)) : fail("header_invalid", "If-Match: must be one version, as in the ETag.");
}

/** HEAD gets no stream, because its response has no body. */
export const acceptsEventStream = (c: Ctx): boolean =>
  c.req.method !== "HEAD" && (c.get("headers").accept ?? "").includes("text/event-stream");

/**
 * Events with a higher sequence number are sent; -1: all. A browser that reconnects repeats its first URL and sends its
 * progress in the header, so the header overrides the query.
 */
export function readEventsAfter(c: Ctx): Result<number> {
  const id = c.get("headers")["last-event-id"];
  if (!id) return integerQuery(c, "after", -1, -1, Number.MAX_SAFE_INTEGER);
  return /^\d{1,15}$/.test(id) ? ok(Number(id)) : fail("header_invalid", "Last-Event-ID: must be the id of an event.");
}

/** A query parameter that is a whole number within limits. */
export function integerQuery(c: Ctx, name: string, fallback: number, min: number, max: number): Result<number> {
  const text = c.req.query(name);
  if (text === undefined) return ok(fallback);
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isInteger(value) && value >= min && value <= max) return ok(value);
  return fail("request_invalid", `${name}: must be a whole number from ${min} to ${max}.`, { field: name });
}
