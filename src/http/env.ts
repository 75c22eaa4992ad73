// What every handler finds: who calls, how the request is named, and the runtime behind it.
import type { Context } from "hono";
import type { Runtime } from "../turn/runtime.ts";
import type { Authenticate, Caller } from "./caller.ts";
import type { Hub } from "./hub.ts";
import type { RateLimit } from "./rate-limit.ts";

export type LogLine = Record<string, unknown> & { readonly msg: string };
export type Log = {
  readonly info: (line: LogLine) => void;
  readonly warn: (line: LogLine) => void;
  readonly error: (line: LogLine) => void;
};

export type Limits = { readonly max_turns: number };

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
};

export type Env = { Variables: { caller: Caller; request_id: string; options: AppOptions } };
export type Ctx = Context<Env>;
