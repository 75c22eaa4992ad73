// Examines commands for `pawl doctor`: whether the sandbox works and, if not, what a command could read.
import type { Environment, LoadedConfig } from "../shared/config.ts";
import { readableKeys } from "../shared/secret-variables.ts";
import { chooseSandbox, openSandbox } from "./command-sandbox.ts";

export type CheckResult = { about: string; is: "good" | "note" | "bad"; found: string; todo: string | null };

export const good = (about: string, found: string): CheckResult => ({ about, is: "good", found, todo: null });
export const bad = (about: string, found: string, todo: string): CheckResult => ({ about, is: "bad", found, todo });
export const note = (about: string, found: string, todo: string): CheckResult => ({ about, is: "note", found, todo });

/** The keys that Pawl itself uses are found separately. */
const SECRET_NAME = /(_|^)(KEY|KEYS|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS)$/;

export function examineCommands(config: LoadedConfig, env: Environment): readonly CheckResult[] {
  const { workspace, bash } = config;
  if (!bash.enabled || workspace === null) return [];
  const works = openSandbox({ ...config, workspace });
  const chosen = chooseSandbox({ ...config, workspace }, env);
  const readable = readableVariables(config, env);
  const reach = readable.length > 0 ? `A command can read ${readable.join(", ")}.` : "No variable looks like a key.";
  if (!chosen.ok) return [bad("sandbox", chosen.problem.message, chosen.problem.hint)];
  if (chosen.value) return [good("sandbox", "bubblewrap works: commands run in it")];
  if (works.ok) {
    const todo = 'bubblewrap works here: set bash.sandbox to "auto" to use it.';
    return [note("sandbox", `off, as the configuration says. ${reach}`, todo)];
  }
  const todo = "Install bubblewrap (apt-get install bubblewrap): without it a command can do what this user can.";
  return [note("sandbox", `none. ${works.problem.message} ${reach}`, todo)];
}

function readableVariables(config: LoadedConfig, env: Environment): readonly string[] {
  const others = Object.keys(env).filter((name) => SECRET_NAME.test(name) && name !== "PAWL_API_KEYS" && env[name]);
  return [...new Set([...readableKeys(config, env), ...others])];
}
