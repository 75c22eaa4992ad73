// The commands of a page of the documentation, run as a reader would type them, and what the page says they print.
import { spawn } from "node:child_process";
import { readSource } from "../../scripts/read-source.ts";
import { bareEnvironment } from "./bare-environment.ts";

export type Step = {
  readonly code: string;
  /** null: the page does not say. */
  readonly prints: string | null;
};

/** Every `sh` block, with the `text` block that follows it, if one does. */
export function stepsOf(page: string): readonly Step[] {
  const blocks = [...readSource(page).matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, kind, code = ""], n) => {
    if (kind !== "sh") return [];
    const [, next, printed = ""] = blocks[n + 1] ?? [];
    return [{ code, prints: next === "text" ? printed : null }];
  });
}

const MARK = "=== next";

/** All in one shell, what each one printed apart from the next. Whatever it left running in the background ends with it. */
export function runSteps(steps: readonly Step[], folder: string, env: Record<string, string>): Promise<string[]> {
  const script = `set -eu\n${steps.map(({ code }) => `${code}\necho '${MARK}'\n`).join("")}`;
  return new Promise((resolve, reject) => {
    const shell = spawn("sh", ["-c", script], {
      cwd: folder,
      env: bareEnvironment(env),
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    shell.stdout.on("data", (text: Buffer) => (out += text.toString()));
    shell.stderr.on("data", (text: Buffer) => (err += text.toString()));
    shell.once("error", reject);
    shell.once("exit", (code) => {
      endGroup(shell.pid);
      if (code === 0) resolve(out.split(`${MARK}\n`).slice(0, -1));
      else reject(new Error(`ended with ${code}:\n${out}\n${err}`));
    });
  });
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, "SIGKILL");
  } catch {
    // Nobody was left.
  }
}

/** What a page prints, with … for whatever differs each time. */
export const printed = (text: string): RegExp =>
  new RegExp(
    `^${text
      .trimEnd()
      .split("…")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[^\\n]*")}\\n?$`,
  );
