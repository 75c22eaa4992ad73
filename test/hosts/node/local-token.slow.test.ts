// Tests who gets the token of a server without keys that can run commands, at the real app.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { createClient } from "../../../src/client/client.ts";
import type { ServerFrame } from "../../../src/client/live.ts";
import { killTerminals, runCli } from "../../cli/terminal.ts";
import { type AppProcess, killApps, startApp } from "../../support/app-process.ts";
import { aBashServer, type BashServer } from "../../support/bash-server.ts";
import { problemCode, unwrap } from "../../support/runtime.ts";
import { approval } from "../../support/story.ts";

let server: BashServer | null = null;
afterEach(async () => {
  await server?.end();
  server = null;
});
afterAll(async () => {
  killTerminals();
  await killApps();
});

const fileOf = (app: AppProcess, folder: string): string => join(folder, ".pawl", `token-${new URL(app.url).port}`);
const tokenOf = (app: AppProcess, folder: string): string => readFileSync(fileOf(app, folder), "utf8").trim();
const linkOf = (app: AppProcess): string | undefined => /#token=([\w-]+)/.exec(app.output())?.[1];

async function firstOf(frames: AsyncIterable<ServerFrame>, type: ServerFrame["type"]): Promise<ServerFrame | null> {
  for await (const frame of frames) if (frame.type === type) return frame;
  return null;
}

test("without the token no local caller can approve, and no page reveals it", async () => {
  server = await aBashServer({ config: { bash: { sandbox: "off" } }, key: tokenOf });
  const { app, folder } = server;
  const { id, gate } = await server.aWaitingThread();
  const stranger = createClient(app.url);
  expect(problemCode(await stranger.advance(id, approval(gate)))).toBe("token_required");
  expect(problemCode(await stranger.call("PATCH", "/v1/tools/bash", { enabled: false }))).toBe("token_required");
  const socket = unwrap(await stranger.live(id));
  const { digest } = gate as { digest: string };
  const answer = { type: "tool_confirmation_response", requestId: gate.id, digest, decision: "approve" } as const;
  socket.send(answer);
  const frame = await firstOf(socket.frames, "problem");
  expect(frame).toMatchObject({ problem: { code: "token_required" } });
  socket.close();
  expect(await server.isWaiting(id)).toBe(true);

  const secrets = [tokenOf(app, folder), linkOf(app) ?? "no link was printed"];
  for (const path of [
    "/",
    "/console.js",
    "/docs",
    "/openapi.json",
    "/v1/about",
    "/healthz",
    "/v1/tools",
    "/v1/gates",
  ]) {
    const page = await (await fetch(`${app.url}${path}`)).text();
    for (const secret of secrets) expect(page.includes(secret), path).toBe(false);
  }
  expect(app.output()).not.toContain(tokenOf(app, folder));
  expect(statSync(fileOf(app, folder)).mode & 0o777).toBe(0o600);

  unwrap(await createClient(app.url, tokenOf(app, folder)).advance(id, approval(gate)));
  expect(await server.isWaiting(id)).toBe(false);
});

test("the printed link works once, the terminal creates another, and the file is deleted at the end", async () => {
  server = await aBashServer({ config: { bash: { sandbox: "off" } }, key: tokenOf });
  const { app, folder } = server;
  const exchange = (token: string) =>
    fetch(`${app.url}/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
  expect((await exchange(linkOf(app) ?? "")).status).toBe(204);
  expect((await exchange(linkOf(app) ?? "")).status).toBe(401);
  const printed = await runCli(["link", "--url", app.url], { cwd: folder });
  expect(printed).toMatchObject({ code: 0, err: "" });
  expect((await exchange(printed.out.trim().split("#token=")[1] ?? "")).status).toBe(204);
  await app.stop();
  expect(existsSync(fileOf(app, folder))).toBe(false);
});

test("without tools that start processes nothing needs a token", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-token-"));
  const app = await startApp(folder);
  expect(linkOf(app)).toBeUndefined();
  expect(existsSync(fileOf(app, folder))).toBe(false);
  const { client } = app;
  unwrap(await client.call("PATCH", "/v1/tools/time", { enabled: false }));
  const { thread } = unwrap(await client.create({ goal: "Move the essay outline to Thursday of week 2" }));
  const planned = unwrap(await client.advance(thread.id));
  unwrap(await client.advance(thread.id, approval(planned.thread.gate)));
  await app.stop();
  rmSync(folder, { recursive: true });
});

const EXTENSION = `
import { execFile } from "node:child_process";
export const agents = { runner: { instructions: "Run." } };
export const hooks = [{ name: "runs", before: async () => new Promise((done) => execFile("true", done)) }];
`;

test("an extension may start processes, so administration needs the token unless it states that it starts none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-extension-"));
  try {
    writeFileSync(join(folder, "pawl.config.json"), JSON.stringify({ extend: ["./own.mjs"] }));
    writeFileSync(join(folder, "own.mjs"), EXTENSION);
    const app = await startApp(folder);
    const change = { enabled: false };
    expect(problemCode(await createClient(app.url).call("PATCH", "/v1/tools/time", change))).toBe("token_required");
    unwrap(await createClient(app.url, tokenOf(app, folder)).call("PATCH", "/v1/tools/time", change));
    await app.stop();
    writeFileSync(join(folder, "own.mjs"), `${EXTENSION}export const starts_processes = false;`);
    const harmless = await startApp(folder);
    unwrap(await createClient(harmless.url).call("PATCH", "/v1/tools/time", { enabled: true }));
    await harmless.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
