// Decides whether commands run in a sandbox, and whether they may run without one.
import { homedir } from "node:os";
import { resolve } from "node:path";
import { createBubblewrap, type Sandbox } from "../../adapters/operations-local/sandbox/bubblewrap.ts";
import { findBubblewrap, probeSandbox } from "../../adapters/operations-local/sandbox/probe.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Environment, LoadedConfig } from "../shared/config.ts";
import { readableKeys } from "../shared/secret-variables.ts";

export type SandboxConfig = Pick<LoadedConfig, "bash" | "data" | "providers" | "data_sources" | "skills" | "closed"> &
  Partial<Pick<LoadedConfig, "calendar" | "mcp">> & {
    readonly workspace: string;
  };

/** Null if the sandbox is turned off, or if none is available and there is no key that a command could read. */
export function chooseSandbox(config: SandboxConfig, env: Environment): Result<Sandbox | null> {
  const { sandbox: chosen } = config.bash;
  if (chosen === "off") return ok(null);
  const sandbox = openSandbox(config);
  if (sandbox.ok || chosen === "bubblewrap") return sandbox;
  const keys = readableKeys(config, env);
  if (keys.length === 0) return ok(null);
  return fail(
    "sandbox_unavailable",
    `bash.enabled: a command could read ${keys.join(", ")} in the environment of the server. ${sandbox.problem.message}`,
    { readable: keys },
  );
}

export function openSandbox(config: SandboxConfig): Result<Sandbox> {
  const program = findBubblewrap();
  if (program === null) return fail("sandbox_unavailable", "bubblewrap is not installed.");
  const readable = [...config.bash.readable, ...(config.skills.folder ? [config.skills.folder] : [])];
  for (const path of [config.workspace, ...readable])
    if (resolve(path) === "/")
      return fail("sandbox_unavailable", "A sandbox that contains the whole file system protects nothing.");
  const sandbox = createBubblewrap({
    program,
    workspace: config.workspace,
    hidden: [config.data, ...config.closed],
    readable,
    home: homedir(),
  });
  const probed = probeSandbox(sandbox, config.workspace);
  return probed.ok ? ok(sandbox) : probed;
}
