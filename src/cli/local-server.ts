// The host beside this file, which is started and never imported: the terminal knows HTTP only.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Built files lie beside each other; the sources have a folder of their own. */
function hostFile(built: string, source: string): string {
  const builtPath = join(import.meta.dirname, built);
  return existsSync(builtPath) ? builtPath : join(import.meta.dirname, "../hosts/node", source);
}

const serverFile = (): string => hostFile("serve.js", "node.ts");
const doctorFile = (): string => hostFile("doctor.js", "doctor.ts");

/** Serves in this very process, until a signal; with `whileInput` also no longer than standard input is open. */
export async function serveInProcess(whileInput: boolean): Promise<void> {
  if (whileInput) {
    process.stdin.on("end", () => process.kill(process.pid, "SIGTERM"));
    process.stdin.resume();
  }
  await import(pathToFileURL(serverFile()).href);
}

export type LocalServer = { readonly url: string; readonly stop: () => Promise<void> };

/** A server of our own on a free port of this machine. It ends with us, however we end: its input closes. */
export async function startLocalServer(): Promise<LocalServer> {
  const entry = process.argv[1] ?? "";
  const child = spawn(process.execPath, [entry, "serve", "--while-input"], {
    env: { ...process.env, HOST: "127.0.0.1", PORT: "0" },
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl-C is for the one who types, not for the server.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await waitForUrl(child, ended);
  const stop = (): Promise<void> => {
    child.stdin?.end();
    return ended;
  };
  return { url, stop };
}

async function waitForUrl(child: ChildProcess, ended: Promise<void>): Promise<string> {
  let output = "";
  const found = Promise.withResolvers<string>();
  const onData = (data: Buffer): void => {
    output += data.toString();
    const url = /Pawl listens on (\S+)/.exec(output)?.[1];
    if (url) found.resolve(url);
    // What it says later is not read by anybody, but must not fill the pipe.
    if (url) output = "";
  };
  child.stdout?.on("data", onData);
  child.stderr?.on("data", onData);
  const exitedEarly = ended.then(() => Promise.reject(new Error(`The server did not start:\n${output.trim()}`)));
  exitedEarly.catch(() => undefined);
  return Promise.race([found.promise, exitedEarly]);
}

/** What the host finds wrong with itself, as JSON on its output. */
export function runHostDoctor(): Promise<string> {
  const child = spawn(process.execPath, [doctorFile()], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString();
  });
  return new Promise((resolve) => child.once("close", () => resolve(output)));
}
