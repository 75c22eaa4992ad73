// The configured MCP servers as toolkits. A server that does not answer at the start does not stop it: its tools appear when it does.
import { nodeHash } from "../../../adapters/hash-node.ts";
import type { McpClientOptions } from "../../../adapters/mcp-client/mcp-client.ts";
import { loadOptional } from "../../../http/optional-package.ts";
import type { McpServer } from "../../../ports/data/mcp-server.ts";
import type { Config } from "../../../schema/config.ts";
import { type Failed, fail, ok, type Result } from "../../../schema/problem.ts";
import type { McpServerConfig } from "../../../schema/toolkits/mcp-config.ts";
import { type McpToolkit, mcpToolkit } from "../../../toolkits/index.ts";
import { VERSION } from "../../../version.ts";
import type { Environment } from "../../shared/config.ts";
import type { Commands } from "../workspace.ts";

export type McpServers = {
  readonly toolkits: readonly McpToolkit[];
  /** Servers that do not answer yet. */
  readonly warnings: readonly string[];
  readonly close: () => Promise<void>;
};

const PACKAGE = "@modelcontextprotocol/client";
/** How often definitions are asked for. Before an approved call runs, they are asked for anyway. */
const REFRESH_MS = 60_000;

export async function openMcpServers(
  { mcp }: Pick<Config, "mcp">,
  env: Environment,
  commands: Commands | null,
): Promise<Result<McpServers>> {
  const entries = Object.entries(mcp);
  if (entries.length === 0) return ok({ toolkits: [], warnings: [], close: async () => undefined });
  const loaded = await loadOptional(PACKAGE, () => import("../../../adapters/mcp-client/mcp-client.ts"));
  if (!loaded.ok) return loaded;
  const servers: McpServer[] = [];
  const toolkits: McpToolkit[] = [];
  for (const [name, config] of entries) {
    const options = await clientOptions(name, config, env, commands);
    if (!options.ok) return options;
    const server = loaded.value.createMcpServer(options.value);
    const { tools, read_only, timeout_ms } = config;
    servers.push(server);
    toolkits.push(mcpToolkit({ name, server, hash: nodeHash, tools, read_only, timeout_ms }));
  }
  const listed = await Promise.all(toolkits.map(({ refresh }) => refresh()));
  const timer = setInterval(() => {
    for (const { refresh } of toolkits) void refresh();
  }, REFRESH_MS);
  timer.unref();
  return ok({
    toolkits,
    warnings: listed.flatMap((result) => (result.ok ? [] : [result.problem.message])),
    close: async () => {
      clearInterval(timer);
      await Promise.all(servers.map((server) => server.close()));
    },
  });
}

async function clientOptions(
  name: string,
  config: McpServerConfig,
  env: Environment,
  commands: Commands | null,
): Promise<Result<McpClientOptions>> {
  const common = { name, version: VERSION, timeout_ms: config.timeout_ms };
  const { url, command = [] } = config;
  if (url === undefined) {
    if (commands === null) return mistake(name, "command", "a program needs a workspace and bash.enabled");
    const [unset] = config.env.filter((variable) => !env[variable]?.trim());
    if (unset !== undefined) return mistake(name, "env", `the variable ${unset} is not set`);
    return ok({ ...common, program: commands.program(command, config) });
  }
  const headers = readHeaders(name, config, env);
  if (!headers.ok) return headers;
  const { createGuardedFetcher } = await import("../../../adapters/fetch-guarded/guarded-fetcher.ts");
  const { hostname, port, protocol } = new URL(url);
  const number = Number(port || (protocol === "https:" ? 443 : 80));
  const allow = config.allow_private ? [`${hostname}:${number}`] : [];
  return ok({ ...common, url, headers: headers.value, fetcher: createGuardedFetcher({ ports: [number], allow }) });
}

function readHeaders(
  name: string,
  { headers_env }: McpServerConfig,
  env: Environment,
): Result<Readonly<Record<string, string>>> {
  const headers: Record<string, string> = {};
  for (const [header, variable] of Object.entries(headers_env)) {
    const value = env[variable]?.trim() ?? "";
    if (value === "") return mistake(name, `headers_env.${header}`, `the variable ${variable} is not set`);
    headers[header.toLowerCase()] = value;
  }
  return ok(headers);
}

const mistake = (name: string, field: string, why: string): Failed =>
  fail("config_invalid", `mcp.${name}.${field}: ${why}.`);
