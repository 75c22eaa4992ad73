// Defines what every handler can access: the caller, the request id, the runtime and the settings of the app.
import type { Context } from "hono";
import type { TenantId } from "../schema/ids.ts";
import type { Problem, ProblemCode } from "../schema/problem.ts";
import type { RouteInfo } from "../tools/route.ts";
import type { Runtime } from "../turn/runtime.ts";
import type { ApiKeyRecord } from "./edge/api-keys.ts";
import type { Authenticate, Caller } from "./edge/caller.ts";
import type { RateLimit } from "./edge/rate-limit.ts";
import { createTickets, type Tickets } from "./edge/tickets.ts";
import type { Hub } from "./live/hub.ts";
import type { LiveSession } from "./live/live-socket.ts";

export type LogLine = Record<string, unknown> & { readonly msg: string };
export type Log = {
  readonly info: (line: LogLine) => void;
  readonly warn: (line: LogLine) => void;
  readonly error: (line: LogLine) => void;
};

export type Limits = {
  readonly max_turns: number;
  /** The time within which a request body must arrive. */
  readonly request_timeout_ms: number;
};

/** The format of problems below a path of another protocol, including those that occur before a handler runs. */
export type ProblemForm = {
  readonly prefix: string;
  /** Responds with a problem. `headers` are added to those of the problem. */
  readonly respond: (c: Ctx, problem: Problem, headers?: Readonly<Record<string, string>>) => Response;
};

export type Upgrade = (c: Ctx, session: LiveSession) => Response | Promise<Response>;

export type AppOptions = {
  readonly rt: Runtime;
  readonly hub: Hub;
  readonly authenticate: Authenticate;
  /** True if no keys are configured. Any page in the user's browser could send requests, so Host and Origin are checked. */
  readonly local_only: boolean;
  readonly cors_origins: readonly string[];
  /** The URL under which clients reach this server. If null, links use the origin of the request. */
  readonly public_url: string | null;
  readonly limits: Limits;
  readonly rate_limit: RateLimit;
  readonly log: Log;
  readonly release: string;
  readonly tickets: Tickets;
  /** Null if the host has no WebSockets. */
  readonly upgrade: Upgrade | null;
  /** Aborted when the host shuts down: streams end, and running turns are finished. */
  readonly stopping: AbortSignal;
  /** Returns the keys of a tenant; null if the host does not manage keys. */
  readonly keys: ((tenant: TenantId) => readonly ApiKeyRecord[]) | null;
  /** Returns the documentation page of a problem as Markdown, or null if the host does not include the pages. */
  readonly problem_page: (code: ProblemCode) => Promise<string | null>;
  readonly problem_forms: readonly ProblemForm[];
  /** All routes of the app, from which the OpenAPI document is generated. */
  readonly routes: readonly RouteInfo<string>[];
};

type DefaultedOption =
  | "routes"
  | "public_url"
  | "problem_forms"
  | "keys"
  | "limits"
  | "tickets"
  | "upgrade"
  | "stopping"
  | "problem_page";
/** What a host must provide. All other options have defaults. */
export type AppSettings = Omit<AppOptions, DefaultedOption> &
  Partial<Pick<AppOptions, Exclude<DefaultedOption, "limits" | "routes" | "problem_forms">>> & {
    readonly limits: { readonly max_turns: number; readonly request_timeout_ms?: number };
  };

export const REQUEST_TIMEOUT_MS = 15_000;

export const withDefaults = (
  settings: AppSettings,
  routes: readonly RouteInfo<string>[],
  problem_forms: readonly ProblemForm[] = [],
): AppOptions => ({
  tickets: createTickets(settings.rt),
  upgrade: null,
  public_url: null,
  stopping: new AbortController().signal,
  keys: null,
  problem_page: async () => null,
  ...settings,
  routes,
  problem_forms,
  limits: { request_timeout_ms: REQUEST_TIMEOUT_MS, ...settings.limits },
});

export type Env = {
  /** Node's adapter sets `incoming`. An in-process request has no bindings. */
  Bindings: { incoming?: { readonly headers: RequestHeaders } };
  Variables: {
    caller: Caller;
    request_id: string;
    /** The request headers by lower-case name. */
    headers: RequestHeaders;
    /** The validated Idempotency-Key. */
    key: string | null;
    options: AppOptions;
    problem_code: ProblemCode | undefined;
    /** True if the response already has the common headers, or must not have them. */
    is_complete: boolean | undefined;
  };
};
export type RequestHeaders = Readonly<Record<string, string | undefined>>;
export type Ctx = Context<Env>;
