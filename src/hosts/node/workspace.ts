// Opens what file tools and commands work on: the configured folder or, without one, virtual files of the thread.
import { randomUUID } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { commandEnvironment } from "../../adapters/operations-local/command-environment.ts";
import type { RunningCommands } from "../../adapters/operations-local/command-peers.ts";
import { withKeeper } from "../../adapters/operations-local/keeper.ts";
import { createLocalOperations } from "../../adapters/operations-local/local-operations.ts";
import { MARKER_VARIABLE, watchProcessTree } from "../../adapters/operations-local/process-tree.ts";
import type { ProcessOptions } from "../../adapters/operations-local/run-command.ts";
import type { Sandbox } from "../../adapters/operations-local/sandbox/bubblewrap.ts";
import type { CommandPlaces } from "../../ports/operations.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { OperationsFor, PartName } from "../../tools/toolkit.ts";
import type { Environment, LoadedConfig } from "../shared/config.ts";
import { lazySearch as search } from "../shared/lazy-adapters.ts";
import { virtualFiles } from "../shared/virtual-files.ts";
import { bashRefusal } from "./bash-start.ts";
import { chooseSandbox } from "./command-sandbox.ts";
import { realPath, replaceableLink, replaceableProgram } from "./data-folder.ts";

export type Workspace = {
  readonly files: OperationsFor;
  /** Absent if commands cannot run. */
  readonly process?: OperationsFor;
  /** Absent if PowerShell is not installed. */
  readonly powershell?: OperationsFor;
  readonly commands: Commands | null;
  /** Why configured capabilities are not available. */
  readonly warnings: readonly string[];
};
export type Commands = {
  readonly sandboxed: boolean;
  /** The commands that are running or have left processes behind. */
  readonly running: RunningCommands;
  /** Starts a long-running program of the operator in the same sandbox and with the same few variables as a command. */
  readonly program: (words: readonly string[], options: ProgramOptions) => StartedProgram;
};
export type ProgramOptions = { readonly env: readonly string[]; readonly network: boolean };
export type StartedProgram = {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Ends the processes that a program has left behind. `leader` is the process id of the program. */
  readonly endRest: (leader: number) => Promise<void>;
};

/** Lists the parts for a report, without opening any of them. */
export const nodePartNames = ({
  workspace,
  bash,
  data_sources,
  channels,
  images,
}: Pick<LoadedConfig, "workspace" | "bash" | "data_sources" | "channels" | "images">): readonly PartName[] => [
  "files",
  ...(workspace !== null && bash.enabled ? (["process"] as const) : []),
  ...(workspace !== null && bash.enabled && hasProgram("pwsh") ? (["powershell"] as const) : []),
  "fetch",
  "documents",
  ...(Object.keys(data_sources).length > 0 ? (["data"] as const) : []),
  ...(Object.keys(channels).length > 0 ? (["channels"] as const) : []),
  ...(images ? (["images"] as const) : []),
  "schedules",
  "triggers",
  "crew",
];

type WorkspaceConfig = Pick<
  LoadedConfig,
  "workspace" | "bash" | "data" | "data_sources" | "skills" | "providers" | "closed"
> &
  Partial<Pick<LoadedConfig, "mcp">>;

/** File tools cannot enter the data folder, which contains all threads and the server's secret. */
export function openWorkspace(config: WorkspaceConfig, env: Environment): Result<Workspace> {
  const { workspace: root, bash, data, closed } = config;
  if (root === null) {
    return ok({ files: virtualFiles, commands: null, warnings: [] });
  }
  const blockedFolder = [data, ...closed];
  // Files are opened first, so that a missing workspace is reported as such and not as a broken sandbox.
  const files = createLocalOperations({ root, search, blockedFolder });
  if (!files.ok) return files;
  const filesOnly = { files: () => files.value, commands: null };
  if (!bash.enabled) return ok({ ...filesOnly, warnings: [] });
  const sandbox = chooseSandbox({ ...config, workspace: root }, env);
  if (!sandbox.ok) return sandbox;
  const sandboxed = sandbox.value !== null;
  const paths = { workspace: realPath(root), data: realPath(data), link: replaceableLink(root, blockedFolder) };
  const refusal = bashRefusal({ ...paths, program: replaceableProgram(root), enabled: true, sandboxed });
  if (refusal !== null) return ok({ ...filesOnly, warnings: [refusal] });
  const running = new Map<number, string | null>();
  const options: ProcessOptions = {
    env: commandEnvironment(process.env, bash.env),
    sandbox: sandbox.value,
    running,
  };
  const local = createLocalOperations({ root, search, process: options, blockedFolder });
  if (!local.ok) return local;
  const commands = { sandboxed, running, program: programStarter(root, sandbox.value) };
  const places = commandPlaces(config, root, sandboxed);
  const withCommands: OperationsFor = Object.assign(() => local.value, { places });
  const powershell = hasProgram("pwsh") ? { powershell: withCommands } : {};
  return ok({ files: () => local.value, process: withCommands, ...powershell, commands, warnings: [] });
}

/** Looks in the PATH that commands get. */
function hasProgram(name: string): boolean {
  const { PATH: path = "" } = commandEnvironment(process.env);
  const isRunnable = (file: string): boolean => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return path.split(delimiter).some((folder) => folder !== "" && isRunnable(join(folder, name)));
}

const PROGRAM_GRACE_MS = 1_000;

const programStarter =
  (root: string, sandbox: Sandbox | null): Commands["program"] =>
  (words, { env: names, network }) => {
    const cwd = realPath(root);
    // With a marker like a command's, processes that detach from the program are found and cannot call the server.
    const marker = `program-${randomUUID()}`;
    const env = { ...commandEnvironment(process.env, names), [MARKER_VARIABLE]: marker };
    const endRest = async (leader: number): Promise<void> => {
      await watchProcessTree({ leader, marker, lifeline: null }).end(PROGRAM_GRACE_MS);
    };
    const [first = "", ...rest] = withKeeper(words);
    if (!sandbox) return { program: first, arguments: rest, env, cwd, endRest };
    // Mounts empty folders over forbidden files. They are never unmounted, because the program keeps running.
    sandbox.enter();
    return {
      program: sandbox.program,
      // In the server's session, the program could read from the terminal and type into it.
      arguments: ["--new-session", ...sandbox.argumentsFor({ cwd, network }), ...words],
      env,
      cwd,
      endRest,
    };
  };

/** A closed path is listed as configured and also with its links resolved, because a command may use either form. */
function commandPlaces({ data, closed }: WorkspaceConfig, root: string, sandboxed: boolean): CommandPlaces {
  const named = [data, ...closed];
  return { workspace: realPath(root), closed: [...new Set([...named, ...named.map(realPath)])], sandboxed };
}
