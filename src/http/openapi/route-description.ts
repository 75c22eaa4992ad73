// How a route is described: what it takes, what it answers, what can go wrong. Data only; document.ts makes OpenAPI of it.
import type { z } from "zod";
import type { ProblemCode } from "../../schema/problem.ts";

export type RequestHeader = "Idempotency-Key" | "If-Match" | "Last-Event-ID";
export type ResponseHeader = "ETag" | "Location" | "Idempotency-Replayed";

export type ResponseDescription = {
  readonly description: string;
  /** null: no body. */
  readonly schema: z.ZodType | null;
  readonly headers?: readonly ResponseHeader[];
  /** Server-sent events of this shape, where the request accepts text/event-stream. */
  readonly stream?: z.ZodType;
  /** Another type than JSON. */
  readonly type?: string;
  /** The same in plain text, where the request does not accept a page. */
  readonly plain?: boolean;
};

export type QueryParameter = { readonly schema: z.ZodType; readonly description: string };

export type RouteDescription = {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly headers?: readonly RequestHeader[];
  readonly body?: z.ZodType;
  /** Another type than JSON. */
  readonly body_type?: string;
  /** A body that works as printed. */
  readonly example?: unknown;
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Besides those that every route of its kind can answer. */
  readonly problems?: readonly ProblemCode[];
  /** For people: problems are told as pages, except those that come before the route. */
  readonly html_problems?: boolean;
  /** Opened by a ticket in the address, too. */
  readonly accepts_ticket?: boolean;
};

export const REQUEST_HEADERS: Readonly<Record<RequestHeader, string>> = {
  "Idempotency-Key":
    "1 to 255 visible ASCII characters without comma. The same key and body give the same answer, however often they are sent; kept for the last 64 keyed calls of a thread.",
  "If-Match": 'The version the caller looked at, as the ETag gave it, e.g. "7". Another one is 412 `version_mismatch`.',
  "Last-Event-ID": "The id of the last event that was seen; only later ones are sent. Counts more than `after`.",
};

export const RESPONSE_HEADERS: Readonly<Record<ResponseHeader, string>> = {
  ETag: "The version of the thread, or of the settings.",
  Location: "The path of what was made.",
  "Idempotency-Replayed": '"true" when this answer was given before.',
};
