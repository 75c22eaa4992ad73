// Connects a Node host to its MCP servers, either over HTTP or as programs that it starts in the workspace. The tools
// of all servers are listed at startup and every minute.
import { loadOptional } from "../../../http/optional-package.ts";
import type { Config } from "../../../schema/config.ts";
import { ok, type Result } from "../../../schema/problem.ts";
import type { McpServerConfig } from "../../../schema/toolkits/mcp-config.ts";
import type { McpToolkit } from "../../../toolkits/index.ts";
import type { Environment } from "../../shared/config.ts";
import {
  createMcpServers,
  loadMcpSdk,
  MCP_REFRESH_MS,
  type McpPlatform,
  mcpMistake,
} from "../../shared/mcp-servers.ts";
import type { Commands, StartedProgram } from "../workspace.ts";
import { grantFile } from "./grant-files.ts";

export type NodeMcpServers = {
  readonly toolkits: readonly McpToolkit[];
  /** Servers that do not respond yet, and definitions that nobody has reviewed. */
  readonly warnings: readonly string[];
  readonly close: () => Promise<void>;
};

const STDIO = "@modelcontextprotocol/client/stdio";
/** The `catch` tells bundlers that the package may be missing. */
const importStdio = () =>
  import("@modelcontextprotocol/client/stdio").catch((error: unknown) => {
    throw error;
  });

export type McpHost = {
  /** Null if the host cannot run programs. */
  readonly commands: Commands | null;
  /** The folder with the tokens of sign-ins, or null if nobody can sign in. */
  readonly data: string | null;
};

export async function openMcpServers(
  config: Pick<Config, "mcp">,
  env: Environment,
  { commands, data }: McpHost,
): Promise<Result<NodeMcpServers>> {
  if (Object.keys(config.mcp).length === 0) return ok({ toolkits: [], warnings: [], close: async () => undefined });
  const loaded = await loadMcpSdk();
  if (!loaded.ok) return loaded;
  const stdio = await loadOptional(STDIO, importStdio);
  if (!stdio.ok) return stdio;
  const { createGuardedFetcher } = await import("../../../adapters/fetch-guarded/guarded-fetcher.ts");
  const program: McpPlatform["program"] = (name, server) =>
    programTransport({ name, server, env, commands }, stdio.value.StdioClientTransport);
  const servers = createMcpServers(config, env, {
    sdk: async () => loaded.value,
    fetcher: (ports, allow) => createGuardedFetcher({ ports, allow }),
    program,
    ...(data !== null && { grants: (name) => grantFile(data, name) }),
  });
  if (!servers.ok) return servers;
  const { toolkits, refresh, close } = servers.value;
  const warnings = await refresh();
  const timer = setInterval(() => void refresh(), MCP_REFRESH_MS);
  timer.unref();
  return ok({
    toolkits,
    warnings,
    close: async () => {
      clearInterval(timer);
      await close();
    },
  });
}

type Program = {
  readonly name: string;
  readonly server: McpServerConfig;
  readonly env: Environment;
  readonly commands: Commands | null;
};
type Stdio = typeof import("@modelcontextprotocol/client/stdio")["StdioClientTransport"];
type StdioTransport = InstanceType<Stdio>;

function programTransport({ name, server, env, commands }: Program, Transport: Stdio) {
  if (commands === null) return mcpMistake(name, "command", "a program needs a workspace and bash.enabled");
  const [unset] = server.env.filter((variable) => !env[variable]?.trim());
  if (unset !== undefined) return mcpMistake(name, "env", `the variable ${unset} is not set`);
  // Each connection starts its own program, so that closing an old connection does not end the program of a new one.
  return ok(() => {
    const { program, arguments: args, env: variables, cwd, endRest } = commands.program(server.command ?? [], server);
    const options = { command: program, args: [...args], env: { ...variables }, cwd, stderr: "ignore" as const };
    return endingRestOnClose(new Transport(options), endRest);
  });
}

/** The transport's `close` ends only the program itself. This also ends the processes that the program has started. */
function endingRestOnClose(transport: StdioTransport, endRest: StartedProgram["endRest"]): StdioTransport {
  const start = transport.start.bind(transport);
  const close = transport.close.bind(transport);
  let leader: number | null = null;
  transport.start = async () => {
    await start();
    leader = transport.pid;
  };
  transport.close = async () => {
    const started = leader;
    leader = null;
    await close();
    if (started !== null) await endRest(started);
  };
  return transport;
}
