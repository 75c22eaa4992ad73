// Defines HTTP routes as data: method, path, scope, OpenAPI description and handler. A toolkit provides its routes in this form without knowing the
// HTTP framework; src/http authenticates, validates, adapts and documents them.
import type { z } from "zod";
import type { TenantId, ThreadRef } from "../schema/ids.ts";
import type { ProblemCode, Result } from "../schema/problem.ts";
import type { ThreadState } from "../schema/thread.ts";

/** The scopes of a key. A route names the one scope that it needs; a few inputs need a second one. */
export const SCOPES = ["read", "advance", "confirm", "admin"] as const;
export type ApiScope = (typeof SCOPES)[number];

export type RequestHeader = "Idempotency-Key" | "If-Match" | "Last-Event-ID";
export type ResponseHeader = "ETag" | "Location" | "Idempotency-Replayed";

/** `Named` are names that stand for schemas. */
export type ResponseDescription<Named extends string = never> = {
  readonly description: string;
  /** Null if there is no body. */
  readonly schema: z.ZodType | Named | null;
  readonly headers?: readonly ResponseHeader[];
  /** Schema of the server-sent events for requests that accept text/event-stream. */
  readonly stream?: z.ZodType | Named;
  /** Media type of the body. Default: application/json. */
  readonly type?: string;
  /** True if the same body is also available as text/plain. */
  readonly plain?: boolean;
};

export type QueryParameter = { readonly schema: z.ZodType; readonly description: string };

/** Part of the OpenAPI document, with the schemas that the route validates against. */
export type RouteDescription<Named extends string = never> = {
  /** The operationId. It is unique, and stable because generated clients use it as a method name. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly headers?: readonly RequestHeader[];
  readonly body?: z.ZodType;
  /** Media type of the body. Default: application/json. */
  readonly body_type?: string;
  /** A complete, valid example body. */
  readonly example?: unknown;
  readonly responses: Readonly<Record<number, ResponseDescription<Named>>>;
  /** The problems of this route, in addition to those that every route of its kind can return. */
  readonly problems?: readonly ProblemCode[];
  /** True if the route serves people: its problems are HTML pages, except those found before the handler runs. */
  readonly html_problems?: boolean;
  /** Schema of a problem, for a route that uses the form of another protocol. Default: problem+json. */
  readonly problem_body?: z.ZodType;
  /** True if a ticket in the query also authorizes a request. */
  readonly accepts_ticket?: boolean;
  readonly deprecated?: boolean;
};

export type HttpMethod = "get" | "post" | "put" | "patch" | "delete";

export type RouteInfo<Named extends string = never> = {
  readonly method: HttpMethod;
  /** Parameters are segments such as `:id`. A path below `/v1/threads/:id` belongs to that thread. */
  readonly path: string;
  /** Null if the route is open to everyone. */
  readonly scope: ApiScope | null;
  /** Null for a page or a file, which is not part of the documented interface. */
  readonly openapi: RouteDescription<Named> | null;
};

/** A request after authentication, the rate limit and validation. */
export type RouteRequest = {
  readonly caller: { readonly tenant: TenantId; readonly name: string; readonly scopes: ReadonlySet<ApiScope> };
  readonly params: Readonly<Record<string, string>>;
  /** The first value of each parameter. The handler checks them. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body as parsed by `openapi.body`, or undefined if the route takes no JSON. */
  readonly body: unknown;
  /** The body of a route with a `body_type` other than JSON; otherwise empty. */
  readonly text: string;
  /** Milliseconds since 1970, from the runtime's clock. */
  readonly now: number;
  /** The time zone of times in prompts. Default: UTC. */
  readonly time_zone?: string;
  /** The thread that the parameter `id` names, if it belongs to the caller's tenant. */
  readonly thread: () => Promise<Result<RouteThread>>;
};

export type RouteThread = {
  readonly at: ThreadRef;
  readonly version: number;
  readonly state: ThreadState;
  /** Returns the call of the open confirmation gate with its complete arguments, or null if none is open. */
  readonly proposedCall: () => Promise<Result<{ readonly name: string; readonly arguments: unknown } | null>>;
};

export type RouteResponse = {
  /** Default: 200, or 204 without a body. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. Name its type in the header `content-type`. */
  readonly text?: string;
};

/** A route of a toolkit. Expected failures are values; an exception is a bug and becomes a 500. */
export type ToolkitRoute = RouteInfo & {
  /** Largest accepted body in bytes. Default: 1 MB. */
  readonly body_bytes_max?: number;
  /** Decodes a body that is not JSON, or returns null if it cannot. Default: UTF-8. */
  readonly decode_body?: (bytes: Uint8Array) => string | null;
  readonly handler: (request: RouteRequest) => Result<RouteResponse> | Promise<Result<RouteResponse>>;
};

export const toolkitRoute = (
  [method, path, scope]: readonly [method: HttpMethod, path: string, scope: ApiScope | null],
  handler: ToolkitRoute["handler"],
  openapi: RouteDescription,
  body?: Pick<ToolkitRoute, "body_bytes_max" | "decode_body">,
): ToolkitRoute => ({ method, path, scope, ...body, openapi, handler });
