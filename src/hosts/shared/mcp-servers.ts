// Provides each configured MCP server as a toolkit, on every host. The host starts even if a server does not respond;
// the tools of that server become available once it responds.
import type { AuthProvider, Transport } from "@modelcontextprotocol/client";
import { nodeHash } from "../../adapters/hash-node.ts";
import { createMcpServer, type McpClientOptions } from "../../adapters/mcp-client/mcp-client.ts";
import type { McpGrantStore } from "../../adapters/mcp-client/oauth/grant.ts";
import type { RegisteredClient } from "../../adapters/mcp-client/oauth/sign-in.ts";
import { credentialsAuth, storedAuth } from "../../adapters/mcp-client/oauth/stored-auth.ts";
import type { McpClientSdk } from "../../adapters/mcp-client/sdk.ts";
import { loadOptional } from "../../http/optional-package.ts";
import type { Fetcher } from "../../ports/fetcher.ts";
import type { Config } from "../../schema/config.ts";
import { hasPassed } from "../../schema/jobs/time-limit.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import type { McpServerConfig } from "../../schema/toolkits/mcp-config.ts";
import { type McpToolkit, mcpToolkit } from "../../toolkits/index.ts";
import { VERSION } from "../../version.ts";
import type { Environment } from "./config.ts";

export type McpServers = {
  readonly toolkits: readonly McpToolkit[];
  /** Lists the tools of all servers again. Returns a message for each that does not respond or is not reviewed. */
  readonly refresh: () => Promise<readonly string[]>;
  /** Calls `refresh` if this was last done at least a minute ago. For hosts that cannot run timers between requests. */
  readonly refreshIfOld: (now: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The parts that differ between hosts. */
export type McpPlatform = {
  readonly sdk: () => Promise<McpClientSdk>;
  readonly fetcher: (ports: readonly number[], allow: readonly string[]) => Fetcher;
  /** Stores the tokens of a person's sign-in. Absent if nobody can sign in on the host. */
  readonly grants?: (name: string) => McpGrantStore;
  /** Absent if the host cannot run programs. */
  readonly program?: (name: string, config: McpServerConfig) => Result<() => Transport>;
};

/** A server's tools are also listed before each approved call to it. */
export const MCP_REFRESH_MS = 60_000;

/** The `catch` tells bundlers that the package may be missing. */
const importSdk = () =>
  import("@modelcontextprotocol/client").catch((error: unknown) => {
    throw error;
  });

export const loadMcpSdk = (): Promise<Result<McpClientSdk>> => loadOptional("@modelcontextprotocol/client", importSdk);

/** For hosts that cannot wait at their start. If the package is missing, every server is unavailable. */
export async function lazyMcpSdk(): Promise<McpClientSdk> {
  const loaded = await loadMcpSdk();
  if (!loaded.ok) throw new Error(loaded.problem.message);
  return loaded.value;
}

export function createMcpServers(
  { mcp }: Pick<Config, "mcp">,
  env: Environment,
  platform: McpPlatform,
): Result<McpServers> {
  const opened: OpenedServer[] = [];
  for (const [name, config] of Object.entries(mcp)) {
    const options = clientOptions(name, config, env, platform);
    if (!options.ok) return options;
    const server = createMcpServer(options.value);
    const { tools, read_only, reviewed, timeout_ms } = config;
    const toolkit = mcpToolkit({ name, server, hash: nodeHash, tools, read_only, reviewed, timeout_ms });
    opened.push({ name, reviewed, toolkit, close: () => server.close() });
  }
  const refresh = async (): Promise<readonly string[]> => {
    const listed = await Promise.all(opened.map(({ toolkit }) => toolkit.refresh()));
    return [
      ...listed.flatMap((result) => (result.ok ? [] : [result.problem.message])),
      ...opened.flatMap(unreviewedNote),
    ];
  };
  let refreshed = Number.NEGATIVE_INFINITY;
  return ok({
    toolkits: opened.map(({ toolkit }) => toolkit),
    refresh,
    async refreshIfOld(now) {
      if (opened.length === 0 || !hasPassed(refreshed, MCP_REFRESH_MS, now)) return;
      refreshed = now;
      await refresh();
    },
    close: async () => void (await Promise.all(opened.map(({ close }) => close()))),
  });
}

type OpenedServer = {
  readonly name: string;
  readonly reviewed: string | undefined;
  readonly toolkit: McpToolkit;
  readonly close: () => Promise<void>;
};

function unreviewedNote({ name, reviewed, toolkit }: OpenedServer): readonly string[] {
  const digest = toolkit.unreviewed();
  if (digest === null) return [];
  const why = reviewed === undefined ? "Nobody has reviewed" : "The server has changed";
  return [
    `${why} the definitions of the MCP server ${name}, so they taint the threads that show them. To trust them: "reviewed": "${digest}"`,
  ];
}

function clientOptions(
  name: string,
  config: McpServerConfig,
  env: Environment,
  { sdk, fetcher, program, grants }: McpPlatform,
): Result<McpClientOptions> {
  const common = { sdk, name, version: VERSION, timeout_ms: config.timeout_ms };
  if (config.url === undefined) {
    if (!program) return mcpMistake(name, "command", "this host runs no programs; use a url");
    const transport = program(name, config);
    return transport.ok ? ok({ ...common, transport: transport.value }) : transport;
  }
  const headers = readHeaders(name, config, env);
  if (!headers.ok) return headers;
  const auth = authOf(name, config, env, grants);
  if (!auth.ok) return auth;
  return ok({
    ...common,
    url: config.url,
    headers: headers.value,
    fetcher: fetcherFor(config, config.url, fetcher),
    ...(auth.value && { auth: auth.value }),
  });
}

/** Creates a fetcher that reaches the server and, if it requires OAuth, its authorization server. */
export function fetcherFor(
  { allow_private, oauth }: McpServerConfig,
  url: string,
  fetcher: McpPlatform["fetcher"],
): Fetcher {
  const { hostname, port, protocol } = new URL(url);
  const number = Number(port || (protocol === "https:" ? 443 : 80));
  const hosts = oauth?.private_hosts ?? [];
  const ports = oauth ? [number, 443, ...hosts.map((host) => Number(host.split(":").at(-1)))] : [number];
  return fetcher([...new Set(ports)], [...(allow_private ? [`${hostname}:${number}`] : []), ...hosts]);
}

type CreateAuth = (sdk: McpClientSdk) => AuthProvider;

function authOf(
  name: string,
  { oauth }: McpServerConfig,
  env: Environment,
  grants: McpPlatform["grants"],
): Result<CreateAuth | null> {
  if (!oauth) return ok(null);
  const client = readClient(name, oauth, env);
  if (!client.ok) return client;
  if (oauth.grant === "client_credentials") {
    const { client_id = "", client_secret = "", issuer = "" } = client.value ?? {};
    return ok(once((sdk) => credentialsAuth(sdk, { client_id, client_secret, issuer, scope: oauth.scope })));
  }
  if (!grants) return mcpMistake(name, "oauth", "nobody can sign in on this host; use the grant client_credentials");
  const store = grants(name);
  return ok(once((sdk) => storedAuth({ sdk, store, how: `sign in with \`pawl mcp login ${name}\`` })));
}

/** Reads the registered client of an authorization server, or null if there is none. */
export function readClient(
  name: string,
  { client_id, client_secret_env, issuer }: NonNullable<McpServerConfig["oauth"]>,
  env: Environment,
): Result<RegisteredClient | null> {
  if (client_id === undefined) return ok(null);
  const registered = { client_id, ...(issuer !== undefined && { issuer }) };
  if (client_secret_env === undefined) return ok(registered);
  const client_secret = env[client_secret_env]?.trim() ?? "";
  if (client_secret !== "") return ok({ ...registered, client_secret });
  return mcpMistake(name, "oauth.client_secret_env", `the variable ${client_secret_env} is not set`);
}

/** Tokens belong to the server, not to one of its connections, so `create` is called only once. */
function once(create: CreateAuth): CreateAuth {
  let created: AuthProvider | null = null;
  return (sdk) => {
    created ??= create(sdk);
    return created;
  };
}

export function readHeaders(
  name: string,
  { headers_env }: McpServerConfig,
  env: Environment,
): Result<Readonly<Record<string, string>>> {
  const headers: Record<string, string> = {};
  for (const [header, variable] of Object.entries(headers_env)) {
    const value = env[variable]?.trim() ?? "";
    if (value === "") return mcpMistake(name, `headers_env.${header}`, `the variable ${variable} is not set`);
    headers[header.toLowerCase()] = value;
  }
  return ok(headers);
}

export const mcpMistake = (name: string, field: string, why: string): Failed =>
  fail("config_invalid", `mcp.${name}.${field}: ${why}.`);
