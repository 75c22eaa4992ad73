// HTTP routes as data: method, path, scope, OpenAPI description, handler. A toolkit brings its routes in this form and
// knows nothing of the HTTP framework; src/http authenticates, validates, adapts and documents them.
import type { z } from "zod";
import type { TenantId, ThreadRef } from "../schema/ids.ts";
import type { ProblemCode, Result } from "../schema/problem.ts";
import type { ThreadState } from "../schema/thread.ts";

/** What a key allows. A route names the one scope it needs; a few inputs need a second one. */
export const SCOPES = ["read", "advance", "confirm", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export type RequestHeader = "Idempotency-Key" | "If-Match" | "Last-Event-ID";
export type ResponseHeader = "ETag" | "Location" | "Idempotency-Replayed";

export type ResponseDescription = {
  readonly description: string;
  /** null: no body. */
  readonly schema: z.ZodType | null;
  readonly headers?: readonly ResponseHeader[];
  /** Schema of the server-sent events, for requests that accept text/event-stream. */
  readonly stream?: z.ZodType;
  /** Media type of the body; application/json by default. */
  readonly type?: string;
  /** True if the same body is also available as text/plain. */
  readonly plain?: boolean;
};

export type QueryParameter = { readonly schema: z.ZodType; readonly description: string };

/** What the OpenAPI document says about a route, with the schemas that the route validates with. */
export type RouteDescription = {
  /** The operationId: unique, and stable because generated clients use it as a method name. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly headers?: readonly RequestHeader[];
  readonly body?: z.ZodType;
  /** Media type of the body; application/json by default. */
  readonly body_type?: string;
  /** An example body that is valid as it is. */
  readonly example?: unknown;
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** The problems of this route, besides those that every route of its kind can return. */
  readonly problems?: readonly ProblemCode[];
  /** The route serves people: its problems are HTML pages, except those found before the handler runs. */
  readonly html_problems?: boolean;
  /** The body of a problem where the route answers in the form of another protocol; problem+json by default. */
  readonly problem_body?: z.ZodType;
  /** A ticket in the query authorizes a request, too. */
  readonly accepts_ticket?: boolean;
  readonly deprecated?: boolean;
};

export type HttpMethod = "get" | "post" | "put" | "patch" | "delete";

/** A route without its handler. */
export type RouteInfo = {
  readonly method: HttpMethod;
  /** Parameters are segments such as `:id`. A path below `/v1/threads/:id` belongs to that thread. */
  readonly path: string;
  /** null: the route is open to everyone. */
  readonly scope: Scope | null;
  /** null: a page or a file, which is not part of the documented interface. */
  readonly openapi: RouteDescription | null;
};

/** A request after authentication, rate limit and validation. */
export type RouteRequest = {
  readonly caller: { readonly tenant: TenantId; readonly name: string; readonly scopes: ReadonlySet<Scope> };
  readonly params: Readonly<Record<string, string>>;
  /** The first value of each parameter. The handler checks them. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body as `openapi.body` parsed it; undefined where the route takes no JSON. */
  readonly body: unknown;
  /** The body of a route with a `body_type` other than JSON; empty otherwise. */
  readonly text: string;
  /** Milliseconds since 1970, from the runtime's clock. */
  readonly now: number;
  /** The time zone of times in prompts; by default UTC. */
  readonly time_zone?: string;
  /** The thread that the parameter `id` names, if it belongs to the caller's tenant. */
  readonly thread: () => Promise<Result<RouteThread>>;
};

/** What a route may know about its thread. */
export type RouteThread = {
  readonly at: ThreadRef;
  readonly version: number;
  readonly state: ThreadState;
  /** The call of the open confirmation gate with its complete arguments; null where none is open. */
  readonly proposedCall: () => Promise<Result<{ readonly name: string; readonly arguments: unknown } | null>>;
};

export type RouteResponse = {
  /** 200 by default, 204 without a body. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`; name its type in the header `content-type`. */
  readonly text?: string;
};

/** A route of a toolkit. Expected failures are values; an exception is a bug and becomes a 500. */
export type ToolkitRoute = RouteInfo & {
  /** Largest accepted body in bytes; 1 MB by default. */
  readonly body_bytes_max?: number;
  /** Reads a body that is not JSON; null: the bytes cannot be read. UTF-8 by default. */
  readonly decode_body?: (bytes: Uint8Array) => string | null;
  readonly handler: (request: RouteRequest) => Result<RouteResponse> | Promise<Result<RouteResponse>>;
};

/** The shorthand for a route of a toolkit, with the arguments in reading order. */
export const toolkitRoute = (
  [method, path, scope]: readonly [method: HttpMethod, path: string, scope: Scope | null],
  handler: ToolkitRoute["handler"],
  openapi: RouteDescription,
  body?: Pick<ToolkitRoute, "body_bytes_max" | "decode_body">,
): ToolkitRoute => ({ method, path, scope, ...body, openapi, handler });
