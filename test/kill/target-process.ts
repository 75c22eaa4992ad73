// Starts and kills the target server. It is bundled once, because loading the sources would take most of its short
// life.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { minimalEnvironment } from "../support/minimal-environment.ts";

const bundles = new Map<string, Promise<string>>();

/** Bundles the server once for all test files of a process. `source` is its file. */
export function bundleTarget(source = join(import.meta.dirname, "target-server.ts")): Promise<string> {
  const bundle = bundles.get(source) ?? bundleFile(source);
  bundles.set(source, bundle);
  return bundle;
}

async function bundleFile(source: string): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), "pawl-target-")), "target.mjs");
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

export type TargetServer = {
  readonly url: string;
  readonly kill: () => void;
  /** Makes it die at the nth pass of this point, given in the format of FAULT_AT. */
  readonly arm: (fault: string) => Promise<void>;
  /** Resolves to the signal or exit code. */
  readonly ended: Promise<string>;
  readonly isAlive: () => boolean;
};

export async function startTarget(bundle: string, folder: string, fault: string | null): Promise<TargetServer> {
  const child = spawn(process.execPath, [bundle, folder], {
    env: minimalEnvironment({
      NODE_COMPILE_CACHE: join(dirname(bundle), "compiled"),
      ...(fault ? { FAULT_AT: fault } : {}),
    }),
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let alive = true;
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => {
      alive = false;
      resolve(signal ?? String(code));
    });
  });
  const port = await waitForPort(child, ended);
  const arm = async (fault: string): Promise<void> => {
    const armed = new Promise<void>((resolve) => child.once("message", () => resolve()));
    child.send(fault, () => undefined);
    await Promise.race([armed, ended]);
  };
  return { url: `http://127.0.0.1:${port}`, kill: () => child.kill("SIGKILL"), arm, ended, isAlive: () => alive };
}

async function waitForPort(child: ChildProcess, ended: Promise<string>): Promise<string> {
  let output = "";
  const portPrinted = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (text: Buffer) => {
        output += text.toString();
        const port = /^port (\d+)/m.exec(output)?.[1];
        if (port) resolve(port);
      });
    }
  });
  const endedEarly = ended.then((how) =>
    Promise.reject(new Error(`The target server ended (${how}) before it listened:\n${output}`)),
  );
  endedEarly.catch(() => undefined);
  return Promise.race([portPrinted, endedEarly]);
}
