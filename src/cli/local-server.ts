// Starts the host in a process of its own, or imports its entry file for `pawl serve`. The CLI imports no other part of
// the host.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { EXIT_OK, EXIT_PROBLEM, type ExitCode } from "./output.ts";

/**
 * In a build, this code is part of a program or of a chunk one folder below it. In the sources, the host has its own
 * folder.
 */
function hostFile(built: string, source: string): string {
  const paths = [built, join("..", built)].map((path) => join(import.meta.dirname, path));
  return paths.find((path) => existsSync(path)) ?? join(import.meta.dirname, "../hosts/node", source);
}

/** Runs the server in this process until a signal or, with `whileInput`, until standard input is closed. */
export async function serveInProcess(whileInput: boolean): Promise<void> {
  if (whileInput) {
    process.stdin.on("end", () => process.kill(process.pid, "SIGTERM"));
    process.stdin.resume();
  }
  await import(pathToFileURL(hostFile("serve.js", "node.ts")).href);
}

/** The server ends with this process, even if this process crashes, because its standard input is then closed. */
export async function startLocalServer(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const entry = process.argv[1] ?? "";
  const child = spawn(process.execPath, [entry, "serve", "--while-input"], {
    env: { ...process.env, HOST: "127.0.0.1", PORT: "0" },
    stdio: ["pipe", "pipe", "pipe"],
    // With its own process group, the server does not receive Ctrl-C, which is for the CLI.
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
    // Output after the URL is not used, but it must still be read so that the pipe does not fill up.
    if (url) output = "";
  };
  child.stdout?.on("data", onData);
  child.stderr?.on("data", onData);
  const exitedEarly = ended.then(() => Promise.reject(new Error(`The server did not start:\n${output.trim()}`)));
  exitedEarly.catch(() => undefined);
  return Promise.race([found.promise, exitedEarly]);
}

export type LoginOptions = { readonly port?: string; readonly scope?: string };

export const login = (name: string, { port, scope }: LoginOptions): Promise<ExitCode> =>
  runLoginProgram(["login", name, ...(port ? ["--port", port] : []), ...(scope ? ["--scope", scope] : [])]);

export const logout = (name: string): Promise<ExitCode> => runLoginProgram(["logout", name]);

async function runLoginProgram(args: readonly string[]): Promise<ExitCode> {
  const child = spawn(process.execPath, [hostFile("mcp-login.js", "mcp/login.ts"), ...args], { stdio: "inherit" });
  const [code] = await once(child, "close");
  return code === 0 ? EXIT_OK : EXIT_PROBLEM;
}

export function runHostDoctor(): Promise<string> {
  const child = spawn(process.execPath, [hostFile("doctor.js", "doctor.ts")], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString();
  });
  return new Promise((resolve) => child.once("close", () => resolve(output)));
}
