// Detects whether bubblewrap is installed, and tries it, because some containers and systems forbid its namespaces.
import { spawnSync } from "node:child_process";
import { existsSync, readlinkSync } from "node:fs";
import { fail, ok, type Result } from "../../../schema/problem.ts";
import type { Sandbox } from "./bubblewrap.ts";

/** Fixed, because commands may be able to write to a folder in PATH. */
const CANDIDATE_PATHS = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap", "/run/current-system/sw/bin/bwrap"];
const PROBE_MS = 10_000;

export const findBubblewrap = (candidates: readonly string[] = CANDIDATE_PATHS): string | null =>
  candidates.find((path) => existsSync(path)) ?? null;

const NAMESPACES = ["pid", "net"].map((name) => `/proc/self/ns/${name}`);

export function probeSandbox(sandbox: Sandbox, workspace: string): Result<void> {
  const options = { cwd: "/", env: { PATH: "/usr/bin:/bin" }, timeout: PROBE_MS, encoding: "utf8" } as const;
  const args = [
    ...sandbox.argumentsFor({ cwd: workspace, network: false }),
    "/bin/sh",
    "-c",
    `readlink ${NAMESPACES.join(" ")}`,
  ];
  const leave = sandbox.enter();
  const { status, stdout, stderr, error } = spawnSync(sandbox.program, args, options);
  leave();
  if (error) return fail("sandbox_unavailable", `bubblewrap cannot be started: ${error.message}.`);
  if (status !== 0) return fail("sandbox_unavailable", `bubblewrap does not work here: ${firstLine(stderr)}.`);
  const [pid, net] = stdout.trim().split("\n");
  const [ownPid, ownNet] = NAMESPACES.map((path) => readlinkSync(path));
  if (!pid || !net || pid === ownPid || net === ownNet)
    return fail("sandbox_unavailable", "bubblewrap does not separate processes and network here.");
  return ok(undefined);
}

const firstLine = (text: string): string => text.trim().split("\n", 1)[0] || "it printed no error";
