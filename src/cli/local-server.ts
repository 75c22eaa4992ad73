// Starts the host as a separate process and never imports it, because the CLI depends on HTTP only.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** In a build, this code is in a program or in a chunk one folder below it. In the sources, the host has its own folder. */
function hostFile(built: string, source: string): string {
  const paths = [built, join("..", built)].map((path) => join(import.meta.dirname, path));
  return paths.find((path) => existsSync(path)) ?? join(import.meta.dirname, "../hosts/node", source);
}

const serverFile = (): string => hostFile("serve.js", "node.ts");
const doctorFile = (): string => hostFile("doctor.js", "doctor.ts");

/** Serves in this process until a signal or, with `whileInput`, until standard input is closed. */
export async function serveInProcess(whileInput: boolean): Promise<void> {
  if (whileInput) {
    process.stdin.on("end", () => process.kill(process.pid, "SIGTERM"));
    process.stdin.resume();
  }
  await import(pathToFileURL(serverFile()).href);
}

export type LocalServer = { readonly url: string; readonly stop: () => Promise<void> };

/** Starts a server on a free local port. It ends with this process, even after a crash, because its input closes. */
export async function startLocalServer(): Promise<LocalServer> {
  const entry = process.argv[1] ?? "";
  const child = spawn(process.execPath, [entry, "serve", "--while-input"], {
    env: { ...process.env, HOST: "127.0.0.1", PORT: "0" },
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl-C must reach the CLI and not the server.
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
    const url = /^Pawl \D*?(https?:\/\/\S+)/m.exec(output)?.[1];
    if (url) found.resolve(url);
    // Later output is not used, but it must be drained so that the pipe does not fill up.
    if (url) output = "";
  };
  child.stdout?.on("data", onData);
  child.stderr?.on("data", onData);
  const exitedEarly = ended.then(() => Promise.reject(new Error(`The server did not start:\n${output.trim()}`)));
  exitedEarly.catch(() => undefined);
  return Promise.race([found.promise, exitedEarly]);
}

/** Runs the host's self-check, which prints its findings as JSON. */
export function runHostDoctor(): Promise<string> {
  const child = spawn(process.execPath, [doctorFile()], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString();
  });
  return new Promise((resolve) => child.once("close", () => resolve(output)));
}
