// Tests what commands in the sandbox of the real app can and cannot read, write and reach.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openWorkspace } from "../../../src/hosts/node/workspace.ts";
import { loadConfig } from "../../../src/hosts/shared/config.ts";
import { runCli } from "../../cli/terminal.ts";
import { type AppProcess, killApps } from "../../support/app-process.ts";
import { aBashServer, attackOn, type BashServer, writeAttack } from "../../support/bash-server.ts";
import { unwrap } from "../../support/runtime.ts";
import { describeInSandbox } from "../../support/sandbox.ts";
import { apiKeyFor } from "../../support/server.ts";

afterAll(killApps);

const key = apiKeyFor("ada");
const MODEL_KEY = "canary-of-the-model";
const plainKeys = { PAWL_API_KEYS: `ada:acme:${key}`, OPENAI_API_KEY: MODEL_KEY };

const folder = mkdtempSync(join(tmpdir(), "pawl-doctor-"));
afterAll(() => rmSync(folder, { recursive: true }));
type DoctorOutput = { findings: { about: string; is: string; found: string; todo: string | null }[] };
const sandboxFinding = async (bash: object, env: Record<string, string> = {}) => {
  writeFileSync(join(folder, "pawl.config.json"), JSON.stringify({ workspace: ".", bash }));
  const { out } = await runCli(["doctor", "--json"], { cwd: folder, env: { PORT: "0", ...env } });
  return (JSON.parse(out) as DoctorOutput).findings.find(({ about }) => about === "sandbox");
};

describeInSandbox("a program that keeps running in the sandbox", () => {
  test("is in a session of its own, so that it cannot read or type into the terminal of the server", async () => {
    const config = { workspace: ".", bash: { enabled: true } };
    writeFileSync(join(folder, "pawl.config.json"), JSON.stringify(config));
    const { commands } = unwrap(openWorkspace(unwrap(await loadConfig(folder, {})), {}));
    const options = { env: [], network: false };
    const started = commands?.program(["/bin/sh", "-c", "cut -d ' ' -f 6 /proc/self/stat"], options);
    const { stdout } = spawnSync(started?.program ?? "", started?.arguments ?? [], { encoding: "utf8" });
    // A session outside of the process namespace is shown as 0.
    expect(Number(stdout)).toBeGreaterThan(0);
  });
});

describeInSandbox("a command in the sandbox", () => {
  let server: BashServer;
  const kept = "/usr/local/pawl-sandbox-test";
  afterAll(() => rmSync(kept, { force: true }));
  beforeAll(async () => {
    // Only root may create a private file there, and only root could read it.
    if (process.getuid?.() === 0) writeFileSync(kept, "kept from others", { mode: 0o600 });
    // The workspace contains data, configuration and keys, which is the worst place to keep them.
    server = await aBashServer({ config: { workspace: "." }, env: plainKeys, key: () => key });
    writeFileSync(join(server.folder, "notes.txt"), "plain notes");
    writeAttack(server.folder);
  });
  afterAll(() => server?.end());

  test("is named at the start, also with plain keys in the environment", () => {
    expect(server.app.output()).toMatch(/bash {3}in a sandbox/);
  });

  test("is what the doctor says", async () => {
    expect(await sandboxFinding({ enabled: true }, plainKeys)).toMatchObject({
      is: "good",
      found: "bubblewrap works: commands run in it",
    });
  });

  test("reads and writes the workspace", async () => {
    expect(await server.run("cat notes.txt && echo more > written.txt")).toContain("plain notes");
    expect(readFileSync(join(server.folder, "written.txt"), "utf8")).toBe("more\n");
  });

  test("finds neither data, nor the secret, nor the configuration in the workspace", async () => {
    expect(existsSync(join(server.folder, ".pawl", "secret"))).toBe(true);
    const found = await server.run("ls -A .pawl | wc -l; cat .pawl/secret; cat pawl.config.json");
    expect(found).toMatch(/^0\n[\s\S]*secret: No such file/);
    expect(found).not.toContain("providers");
  });

  test("sees processes of its own only, and no environment of another", async () => {
    const listed = await server.run("cat /proc/[0-9]*/environ | tr '\\0' '\\n'; echo; ls -d /proc/[0-9]* | wc -l");
    expect(listed).not.toContain("pawl_");
    expect(listed).not.toContain("OPENAI_API_KEY");
    expect(Number(/^(\d+)$/m.exec(listed)?.[1])).toBeLessThan(10);
  });

  test("has an empty home and read-only system folders", async () => {
    expect(await server.run("ls -A ~ | wc -l")).toMatch(/^0\n/);
    expect(await server.run("touch /usr/here /etc/here; true")).toMatch(/Read-only file system[\s\S]*Read-only/);
    const outside = join(homedir(), `pawl-sandbox-${process.pid}`);
    await server.run(`touch ${outside}`);
    expect(existsSync(outside)).toBe(false);
  });

  test("has no capabilities, whoever runs the server", async () => {
    expect(await server.run("grep CapEff /proc/self/status")).toMatch(/CapEff:\s+0{16}/);
  });

  test("reaches no network, and so cannot answer gates", async () => {
    const { id, gate } = await server.aWaitingThread();
    const tried = await server.run(attackOn(server.app.url, id, gate, key));
    expect(tried).toMatch(/no answer: (ECONNREFUSED|ENETUNREACH)/);
    expect(await server.isWaiting(id)).toBe(true);
  });

  test("gets the network when a person approves it, and still cannot answer gates", async () => {
    const other = createServer((_, response) => response.end("hello from outside"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const get = `node -e 'fetch("http://127.0.0.1:${port}").then(async (r) => console.log(await r.text()), () => console.log("cut off"))'`;
    expect(await server.run(get)).toContain("cut off");
    expect(await server.run(get, { network: true })).toContain("hello from outside");
    other.close();

    const { id, gate } = await server.aWaitingThread();
    const tried = await server.run(attackOn(server.app.url, id, gate, key), { network: true });
    expect(tried).toContain("answered 403 command_refused");
    expect(await server.isWaiting(id)).toBe(true);
  });

  test("leaves no process behind, however it detaches", async () => {
    await server.run("(env -i setsid sh -c 'sleep 2; touch later.txt' &) ; true");
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(existsSync(join(server.folder, "later.txt"))).toBe(false);
  });

  test("cannot read what system folders keep from other users, whoever runs the server", async () => {
    const places = "/etc /opt /usr/local";
    const found = await server.run(`find ${places} -type f ! -perm -o+r -size +0; cat /etc/shadow; true`);
    expect(found).not.toContain("root:");
    expect(found).not.toMatch(/^\/(?:etc|opt|usr)\//m);
  });

  test("cannot write the configuration of the next start, which does not exist yet", async () => {
    writeFileSync(
      join(server.folder, "plant.mjs"),
      `import { writeFileSync } from "node:fs";
for (const name of ["pawl.config.ts", "pawl.config.mjs"])
  try { writeFileSync(name, "export default { bash: { sandbox: 'off' } }"); console.log("planted", name); }
  catch (error) { console.log(name, error.code); }`,
    );
    expect(await server.run("node plant.mjs")).toMatch(/^pawl.config.ts EISDIR\npawl.config.mjs EISDIR$/m);
    expect(existsSync(join(server.folder, "pawl.config.ts"))).toBe(false);
    expect(existsSync(join(server.folder, "pawl.config.mjs"))).toBe(false);
  });

  test("cannot answer gates over a socket either when it has the network", async () => {
    const { id } = await server.aWaitingThread();
    writeFileSync(
      join(server.folder, "socket.mjs"),
      `import { get } from "node:http";
const headers = { authorization: "Bearer ${key}", connection: "Upgrade", upgrade: "websocket",
  "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
const request = get(process.argv[2], { headers });
request.on("upgrade", () => { console.log("connected"); process.exit(); });
request.on("response", (response) => { console.log("answered", response.statusCode); process.exit(); });`,
    );
    const tried = await server.run(`node socket.mjs ${server.app.url}/v1/threads/${id}/live`, { network: true });
    expect(tried).toContain("answered 403");
    expect(await server.isWaiting(id)).toBe(true);
  });

  test("cannot move a hidden file or folder to where nothing hides it", async () => {
    const nested = await aBashServer({
      config: { workspace: ".", data: "deep/data" },
      env: plainKeys,
      key: () => key,
    });
    try {
      expect(await nested.run("mv deep elsewhere; mv pawl.config.json x; true")).toMatch(/busy[\s\S]*busy/);
      expect(await nested.run("cat elsewhere/data/secret x; true")).toMatch(/No such file[\s\S]*No such file/);
      // An operator may move it, and then no command runs.
      renameSync(join(nested.folder, "deep"), join(nested.folder, "elsewhere"));
      expect(await nested.run("cat elsewhere/data/secret")).toContain("was moved");
    } finally {
      await nested.end();
    }
  });

  test("still starts after a private file of the system was removed", async () => {
    rmSync(kept, { force: true });
    expect(await server.run("cat notes.txt")).toContain("plain notes");
  });
});

describe("pawl doctor", () => {
  test("says whether the sandbox works, and names what is readable without it", async () => {
    const env = { PAWL_API_KEYS: `ada:acme:${key}`, AWS_SECRET_KEY: "canary", HARMLESS: "x" };
    const off = await sandboxFinding({ enabled: true, sandbox: "off" }, env);
    expect(off).toMatchObject({ is: "note" });
    expect(off?.found).toContain("A command can read PAWL_API_KEYS, AWS_SECRET_KEY.");
    expect(JSON.stringify(off)).not.toMatch(/canary|HARMLESS|pawl_ada/);
    const impossible = await sandboxFinding({ enabled: true, readable: ["/"] }, env);
    expect(impossible).toMatchObject({ is: "bad", todo: expect.stringContaining("Install bubblewrap") });
    expect(await sandboxFinding({ enabled: false })).toBeUndefined();
  });
});

describe("without a sandbox", () => {
  let server: BashServer | null = null;
  afterEach(async () => {
    await server?.end();
    server = null;
  });
  // A sandbox around everything is refused, whatever is installed.
  const impossible = { readable: ["/"] };
  const token = (app: AppProcess, folder: string): string =>
    readFileSync(join(folder, ".pawl", `token-${new URL(app.url).port}`), "utf8").trim();

  test.each([
    ["keys of callers", { PAWL_API_KEYS: `ada:acme:${key}` }, "PAWL_API_KEYS"],
    ["a key of a model", { OPENAI_API_KEY: MODEL_KEY }, "OPENAI_API_KEY"],
  ])("the server does not start with %s in its environment", async (_, env, named) => {
    const starting = aBashServer({ config: { bash: impossible }, env, key: () => key });
    await expect(starting).rejects.toThrow(
      new RegExp(`a command could read ${named}[\\s\\S]*Install bubblewrap[\\s\\S]*"off"`),
    );
    await expect(starting).rejects.not.toThrow(MODEL_KEY);
  });

  test("it starts without such keys, and says that commands are not confined", async () => {
    server = await aBashServer({ config: { bash: impossible }, key: token });
    expect(server.app.output()).toMatch(/bash {3}without a sandbox/);
  });

  test("it does not start where the configuration demands one", async () => {
    const bash = { ...impossible, sandbox: "bubblewrap" } as const;
    await expect(aBashServer({ config: { bash }, key: token })).rejects.toThrow(/Install bubblewrap/);
  });
});
