// Runs the app on a real port with a memory store, a scripted model, the system clock, and optional API keys.
import { systemClock } from "../../src/adapters/clock-system.ts";
import { nodeHash } from "../../src/adapters/hash-node.ts";
import { createIds } from "../../src/adapters/ids-random.ts";
import { createScriptedModel, type ScriptEntry } from "../../src/adapters/model-scripted.ts";
import { type Client, createClient } from "../../src/client/client.ts";
import { createLog } from "../../src/hosts/node/log.ts";
import { upgradeNodeSocket } from "../../src/hosts/node/node-sockets.ts";
import { readProblemPage } from "../../src/hosts/node/problem-pages.ts";
import { serveNode } from "../../src/hosts/node/serve-node.ts";
import { createApp, type Route } from "../../src/http/app.ts";
import { ApiKeyRecord, createKeyAuthenticator, keysOf } from "../../src/http/edge/api-keys.ts";
import { type ApiScope, type Authenticate, SCOPES } from "../../src/http/edge/caller.ts";
import { createRateLimit } from "../../src/http/edge/rate-limit.ts";
import type { AppSettings } from "../../src/http/env.ts";
import { createHub } from "../../src/http/live/hub.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { ok } from "../../src/schema/problem.ts";
import type { Tool } from "../../src/tools/define-tool.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { createTestRuntime, unwrap } from "./runtime.ts";

const LOCAL = { tenant: LOCAL_TENANT, name: "tester", scopes: new Set(SCOPES) };

/** Returns a valid API key for a name. */
export const apiKeyFor = (name: string): string => `pawl_${name.padEnd(32, "0")}`;

export const aKeyRow = (
  name: string,
  tenant: string,
  scopes: readonly ApiScope[] = SCOPES,
  expires_at: string | null = null,
): ApiKeyRecord =>
  ApiKeyRecord.parse({ name, tenant, scopes: [...scopes], expires_at, sha256: nodeHash.sha256(apiKeyFor(name)) });

export type TestServerOptions = {
  readonly script?: Iterable<ScriptEntry>;
  readonly tools?: readonly Tool[];
  readonly runtime?: Partial<Runtime>;
  readonly settings?: Partial<AppSettings>;
  /** Additional routes of a host. */
  readonly routes?: readonly Route[];
  /** Called for every request. Without it, every caller is accepted. */
  readonly keys?: () => readonly ApiKeyRecord[];
};

/** Returns default settings for createApp. */
export function testSettings(rt: Runtime, facts: Pick<TestServerOptions, "settings" | "keys"> = {}): AppSettings {
  const { keys } = facts;
  const authenticate: Authenticate = keys
    ? createKeyAuthenticator({ rows: keys, now: () => rt.clock.now(), hash: rt.hash })
    : () => ok(LOCAL);
  return {
    rt,
    hub: createHub(),
    authenticate,
    local_only: !keys,
    keys: keys ? (tenant) => keysOf(keys(), tenant) : null,
    cors_origins: [],
    limits: { max_turns: 20 },
    rate_limit: createRateLimit(1_000_000),
    log: createLog("silent"),
    release: "test",
    problem_page: readProblemPage,
    ...facts.settings,
  };
}

export type TestServer = {
  readonly url: string;
  readonly port: number;
  readonly rt: Runtime;
  readonly logLines: readonly string[];
  readonly client: (key?: string) => Client;
  readonly stop: () => Promise<boolean>;
};

export async function startTestServer(facts: TestServerOptions = {}): Promise<TestServer> {
  const clock: Clock = systemClock;
  const model = createScriptedModel(facts.script ?? [], { clock });
  const rt: Runtime = {
    ...createTestRuntime([], facts.tools ?? []),
    clock,
    ids: createIds(clock),
    pickModel: () => model,
    ...facts.runtime,
  };
  const lines: string[] = [];
  const log = createLog("info", [], { write: (line) => void lines.push(line) });
  const stopping = new AbortController();
  const settings = testSettings(rt, facts);
  const appSettings = { ...settings, log, upgrade: upgradeNodeSocket, stopping: stopping.signal, ...facts.settings };
  const app = createApp(appSettings, facts.routes ?? []);
  const request_timeout_ms = settings.limits.request_timeout_ms ?? 15_000;
  const serving = unwrap(await serveNode(app, { host: "127.0.0.1", port: 0, request_timeout_ms, log, stopping }));
  const url = `http://127.0.0.1:${serving.port}`;
  return {
    url,
    port: serving.port,
    rt,
    logLines: lines,
    client: (key) => createClient(url, key ?? null),
    stop: () => serving.stop(20_000),
  };
}
