// What every handler finds: who calls, how the request is named, and the runtime behind it.
import type { Context } from "hono";
import type { ProblemCode } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";
import type { Authenticate, Caller, Scope } from "./edge/caller.ts";
import type { RateLimit } from "./edge/rate-limit.ts";
import { createTickets, type Tickets } from "./edge/tickets.ts";
import type { Hub } from "./live/hub.ts";
import type { Upgrade } from "./live/live-socket.ts";

export type LogLine = Record<string, unknown> & { readonly msg: string };
export type Log = {
  readonly info: (line: LogLine) => void;
  readonly warn: (line: LogLine) => void;
  readonly error: (line: LogLine) => void;
};

export type Limits = {
  readonly max_turns: number;
  /** For a body to arrive. */
  readonly request_timeout_ms: number;
};

export type AppOptions = {
  readonly rt: Runtime;
  readonly hub: Hub;
  readonly authenticate: Authenticate;
  /** True where no keys are configured: then Host, Origin and content type are checked, since any web page could call. */
  readonly local_only: boolean;
  readonly cors_origins: readonly string[];
  readonly limits: Limits;
  readonly rate_limit: RateLimit;
  readonly log: Log;
  readonly release: string;
  readonly tickets: Tickets;
  /** How a request becomes a WebSocket; null where the host has none. */
  readonly upgrade: Upgrade | null;
  /** Aborted when the host was told to stop: streams end, turns are finished. */
  readonly stopping: AbortSignal;
  /** The page about a problem as Markdown, where the host has the pages at hand. */
  readonly problem_page: (code: ProblemCode) => Promise<string | null>;
  /** Every route there is, for the page that lists them. */
  readonly routes: readonly RouteInfo[];
};

/** A route as it is described: without what it does. */
export type RouteInfo = { readonly method: string; readonly path: string; readonly scope: Scope | null };

type DefaultedOption = "routes" | "limits" | "tickets" | "upgrade" | "stopping" | "problem_page";
/** What a host has to say; the rest has a harmless default. */
export type AppSettings = Omit<AppOptions, DefaultedOption> &
  Partial<Pick<AppOptions, Exclude<DefaultedOption, "limits" | "routes">>> & {
    readonly limits: { readonly max_turns: number; readonly request_timeout_ms?: number };
  };

export const REQUEST_TIMEOUT_MS = 15_000;

export const withDefaults = (settings: AppSettings, routes: readonly RouteInfo[]): AppOptions => ({
  tickets: createTickets(settings.rt),
  upgrade: null,
  stopping: new AbortController().signal,
  problem_page: async () => null,
  ...settings,
  routes,
  limits: { request_timeout_ms: REQUEST_TIMEOUT_MS, ...settings.limits },
});

export type Env = {
  Variables: { caller: Caller; request_id: string; options: AppOptions; problem_code: ProblemCode | undefined };
};
export type Ctx = Context<Env>;
