// Request headers with a meaning of ours, checked where they come in.
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Ctx } from "../env.ts";

export const KEY_CHARS_MAX = 255;

/** null without one. A comma would hide that the header came twice. */
export function idempotencyKey(c: Ctx): Result<string | null> {
  const key = c.req.header("idempotency-key");
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
  const value = c.req.header("if-match");
  if (value === undefined) return ok(null);
  const [, quoted, plain] = /^(?:"(\d{1,15})"|(\d{1,15}))$/.exec(value.trim()) ?? [];
  const version = quoted ?? plain;
  return version ? ok(Number(version)) : fail("header_invalid", "If-Match: one version, as the ETag gave it.");
}

/** HEAD gets no stream: nobody would read it. */
export const acceptsEventStream = (c: Ctx): boolean =>
  c.req.method !== "HEAD" && (c.req.header("accept") ?? "").includes("text/event-stream");

/**
 * The sequence number after which events are wanted; -1: from the beginning. A browser that connects again repeats
 * the address it began with and tells in the header how far it came, so the header counts more.
 */
export function readEventsAfter(c: Ctx): Result<number> {
  const id = c.req.header("last-event-id");
  if (!id) return integerQuery(c, "after", -1, -1, Number.MAX_SAFE_INTEGER);
  return /^\d{1,15}$/.test(id) ? ok(Number(id)) : fail("header_invalid", "Last-Event-ID: the id of an event.");
}

/** A query parameter that is a whole number within bounds. */
export function integerQuery(c: Ctx, name: string, fallback: number, min: number, max: number): Result<number> {
  const text = c.req.query(name);
  if (text === undefined) return ok(fallback);
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isInteger(value) && value >= min && value <= max) return ok(value);
  return fail("request_invalid", `${name}: a whole number from ${min} to ${max}.`, { field: name });
}
