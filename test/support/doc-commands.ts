// Runs the commands of a documentation page as a reader would, and compares their output with the page.
import { spawn } from "node:child_process";
import { readSource } from "../../scripts/read-source.ts";
import { minimalEnvironment } from "./minimal-environment.ts";

export type DocCommand = {
  readonly code: string;
  /** Null if the page shows no output. */
  readonly expectedOutput: string | null;
};

/** Returns every `sh` block with the `text` block that follows it, if there is one. */
export function readCommands(page: string): readonly DocCommand[] {
  const blocks = [...readSource(page).matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, kind, code = ""], n) => {
    if (kind !== "sh") return [];
    const [, next, printed = ""] = blocks[n + 1] ?? [];
    return [{ code, expectedOutput: next === "text" ? printed : null }];
  });
}

const SEPARATOR = "=== next";

/** Runs all commands in one shell and returns the output of each. A page that leaves a process running is refused. */
export function runCommands(
  steps: readonly DocCommand[],
  folder: string,
  env: Record<string, string>,
): Promise<string[]> {
  const script = `set -eu\n${steps.map(({ code }) => `${code}\necho '${SEPARATOR}'\n`).join("")}`;
  return new Promise((resolve, reject) => {
    const shell = spawn("sh", ["-c", script], {
      cwd: folder,
      env: minimalEnvironment(env),
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    shell.stdout.on("data", (text: Buffer) => (out += text.toString()));
    shell.stderr.on("data", (text: Buffer) => (err += text.toString()));
    shell.once("error", reject);
    let left = false;
    shell.once("exit", () => {
      left = killProcessGroup(shell.pid);
    });
    // When the shell exits, its last output may not have been read yet.
    shell.once("close", (code) => {
      if (code === 0 && left) reject(new Error(`left a process running:\n${out}\n${err}`));
      else if (code === 0) resolve(out.split(`${SEPARATOR}\n`).slice(0, -1));
      else reject(new Error(`ended with ${code}:\n${out}\n${err}`));
    });
  });
}

/** Ends what the shell left running. Returns false if there is nothing. */
function killProcessGroup(leader: number | undefined): boolean {
  try {
    return leader !== undefined && process.kill(-leader, "SIGKILL");
  } catch {
    return false;
  }
}

/** Returns a pattern for the expected output, in which … matches parts that vary. */
export const outputPattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .trimEnd()
      .split("…")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[^\\n]*")}\\n?$`,
  );
