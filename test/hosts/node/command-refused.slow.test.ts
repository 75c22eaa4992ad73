// Tests a command that tries to approve the call of another thread at the real app, with and without the sandbox, and
// with and without keys.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import type { Gate } from "../../../src/schema/gate.ts";
import { type AppProcess, killApps } from "../../support/app-process.ts";
import { aBashServer, attackOn, type BashServer, writeAttack } from "../../support/bash-server.ts";
import { apiKeyFor } from "../../support/server.ts";
import { afterFirstThread, hasThreadedPerl, withOwnDescriptors } from "../../support/threaded-perl.ts";

let server: BashServer | null = null;
afterEach(async () => {
  await server?.end();
  server = null;
});
afterAll(killApps);

const tokenOf = (app: AppProcess, folder: string): string =>
  readFileSync(join(folder, ".pawl", `token-${new URL(app.url).port}`), "utf8").trim();
const key = apiKeyFor("ada");
const OFF = { bash: { sandbox: "off" } } as const;
const linux = process.platform === "linux";

/** Starts a server with another thread's gate, and with a program in its workspace that answers gates. */
async function attacked(facts: Parameters<typeof aBashServer>[0]) {
  const attacked = await aBashServer(facts);
  server = attacked;
  writeAttack(attacked.work);
  return { ...attacked, victim: await attacked.aWaitingThread() };
}

describe.runIf(linux)("a command without a sandbox", () => {
  test("that knows the token of a server without keys approves nothing", async () => {
    const { run, victim, app, folder, isWaiting } = await attacked({ config: OFF, key: tokenOf });
    const stolen = tokenOf(app, folder);
    expect(await run(attackOn(app.url, victim.id, victim.gate))).toContain("answered 403 command_refused");
    // The command's own result would hide the token, so it is passed to the program instead.
    expect(await run(attackOn(app.url, victim.id, victim.gate, stolen))).toContain("answered 403 command_refused");
    expect(await isWaiting(victim.id)).toBe(true);
  });

  test("that reads a plain key out of the server's environment approves nothing", async () => {
    const env = { PAWL_API_KEYS: `ada:acme:${key}` };
    const { run, victim, app, isWaiting } = await attacked({ config: OFF, env, key: () => key });
    const found = `$(tr '\\0' '\\n' < /proc/${app.pid}/environ | grep -o 'pawl_.*')`;
    expect(await run(attackOn(app.url, victim.id, victim.gate, found))).toContain("answered 403 command_refused");
    expect(await isWaiting(victim.id)).toBe(true);
  });

  test.each([
    ["is in the background without its environment", (attack: string) => `env -i PATH="$PATH" ${attack} & wait`],
    [
      "left group, session, parent and environment",
      (attack: string) => `(env -i PATH="$PATH" setsid ${attack} &); sleep 2`,
    ],
    ["left the session", (attack: string) => `setsid -w ${attack}`],
    ["was started by another interpreter", (attack: string) => `sh -c "exec ${attack}"`],
  ])("that %s is refused", async (_, form) => {
    const { run, victim, app, folder, isWaiting } = await attacked({ config: OFF, key: tokenOf });
    const attack = attackOn(app.url, victim.id, victim.gate, tokenOf(app, folder));
    expect(await run(form(attack))).toContain("answered 403 command_refused");
    expect(await isWaiting(victim.id)).toBe(true);
  });

  test("that sends its request and ends is refused as well", async () => {
    const { run, victim, app, folder, isWaiting } = await attacked({ config: OFF, key: tokenOf });
    const { port } = new URL(app.url);
    for (let n = 0; n < 5; n += 1) {
      writeFileSync(join(folder, "work", "request"), rawApproval(victim.id, victim.gate, port, tokenOf(app, folder)));
      await run(`bash -c 'cat request > /dev/tcp/127.0.0.1/${port}'`);
      expect(await isWaiting(victim.id)).toBe(true);
    }
  });

  test.runIf(hasThreadedPerl).each([
    ["in a thread that goes on alone", afterFirstThread],
    ["among the descriptors of one thread", withOwnDescriptors],
  ])("that hides its socket %s is refused", async (_, form) => {
    const { run, victim, app, folder, isWaiting } = await attacked({ config: OFF, key: tokenOf });
    const { port } = new URL(app.url);
    writeFileSync(join(folder, "work", "request"), rawApproval(victim.id, victim.gate, port, tokenOf(app, folder)));
    const send = `open my $file, "<", "request"; my $socket = IO::Socket::INET->new("127.0.0.1:${port}");
      print $socket join "", <$file>; $| = 1; print scalar <$socket>; exit`;
    expect(await run(`${form(send)} | cat`)).toContain("403 Forbidden");
    expect(await isWaiting(victim.id)).toBe(true);
  });

  test("is the only one who is refused", async () => {
    const { app } = await attacked({ config: OFF, key: tokenOf });
    expect((await fetch(`${app.url}/v1/gates`)).status).toBe(200);
  });
});

function rawApproval(thread: string, gate: Gate, port: string, token: string): string {
  const digest = "digest" in gate ? gate.digest : "";
  const body = JSON.stringify({ input: { type: "confirm", gate_id: gate.id, digest, decision: "approve" } });
  return [
    `POST /v1/threads/${thread}/turns HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}

describe("keys in the environment", () => {
  const plain = { PAWL_API_KEYS: `ada:acme:${key}` };
  const hashed = { PAWL_API_KEYS: `ada:acme:sha256:${nodeHash.sha256(key)}` };

  test("as hashes let the server start and the key in, and hold nothing to read", async () => {
    const { app, run } = await attacked({ config: OFF, env: hashed, key: () => key });
    const found = await run(`tr '\\0' '\\n' < /proc/${app.pid}/environ | grep pawl_ || echo no key in there`);
    expect(found).toContain("no key in there");
  });

  test("in plain text start with the sandbox off", async () => {
    const { app } = await attacked({ config: OFF, env: plain, key: () => key });
    expect(app.output()).toMatch(/bash {3}without a sandbox/);
  });
});
