// Starting and killing the victim. It is bundled once, because most of a short life is otherwise spent on reading sources.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

/** `source`: another server than the usual one, beside this file. */
export async function bundleVictim(source = join(import.meta.dirname, "victim.ts")): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), "pawl-victim-")), "victim.mjs");
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: "error",
  });
  return outfile;
}

export type Victim = {
  readonly url: string;
  readonly kill: () => void;
  /** The signal or code it ended with. */
  readonly ended: Promise<string>;
  readonly isAlive: () => boolean;
};

export async function startVictim(bundle: string, folder: string, fault: string | null): Promise<Victim> {
  const child = spawn(process.execPath, [bundle, folder], {
    env: { PATH: process.env.PATH ?? "", ...(fault ? { FAULT_AT: fault } : {}) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let alive = true;
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      alive = false;
      resolve(signal ?? String(code));
    });
  });
  const port = await firstPort(child, ended);
  return { url: `http://127.0.0.1:${port}`, kill: () => child.kill("SIGKILL"), ended, isAlive: () => alive };
}

async function firstPort(child: ChildProcess, ended: Promise<string>): Promise<string> {
  let said = "";
  const told = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (text: Buffer) => {
        said += text.toString();
        const port = /^port (\d+)/m.exec(said)?.[1];
        if (port) resolve(port);
      });
    }
  });
  const early = ended.then((how) =>
    Promise.reject(new Error(`The victim ended (${how}) before it listened:\n${said}`)),
  );
  early.catch(() => undefined);
  return Promise.race([told, early]);
}
