import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { comesFromCommand } from "../../../src/adapters/operations-local/command-peers.ts";
import { openWorkspace } from "../../../src/hosts/node/workspace.ts";
import { loadConfig } from "../../../src/hosts/shared/config.ts";
import type { ToolContext } from "../../../src/tools/define-tool.ts";
import { unwrap } from "../../support/runtime.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-workspace-"));
  mkdirSync(join(folder, ".pawl"));
  write(".pawl/secret", "signs links");
  write("notes.txt", "plain");
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const CLOSED = { problem: { code: "path_outside_workspace", details: { reason: "closed" } } };

/** Opens the files of a project that is its own workspace, as the server does. */
async function openProject(config: object, env: Record<string, string> = {}) {
  const file = env.PAWL_CONFIG ?? "pawl.config.json";
  write(file, JSON.stringify({ workspace: ".", ...config }));
  const loaded = unwrap(await loadConfig(folder, env));
  return openWorkspace(loaded, env);
}
async function filesOf(config: object, env: Record<string, string> = {}) {
  return unwrap(await openProject(config, env)).files({} as ToolContext);
}

describe("what belongs to the server is closed to the tools on files", () => {
  test("the data folder", async () => {
    const { files } = await filesOf({});
    expect(await files.read("notes.txt")).toMatchObject({ ok: true });
    expect(await files.read(".pawl/secret")).toMatchObject(CLOSED);
  });

  test("a workspace that is the data folder is a mistake", async () => {
    expect(await openProject({ workspace: ".pawl" })).toMatchObject({ problem: { code: "config_invalid" } });
  });

  test("the configuration file, the file of keys, and links to them", async () => {
    write("keys.json", "[]");
    symlinkSync("pawl.config.json", join(folder, "harmless.json"));
    const { files, search } = await filesOf({ keys_file: "keys.json" });
    for (const path of ["pawl.config.json", "keys.json", "harmless.json", "./x/../pawl.config.json"]) {
      expect(await files.read(path)).toMatchObject(CLOSED);
      expect(await files.write(path, bytes("{}"))).toMatchObject(CLOSED);
      expect(await files.rewrite(path, () => ({ ok: true, value: bytes("{}") }))).toMatchObject(CLOSED);
      expect(await files.remove(path)).toMatchObject(CLOSED);
    }
    expect(await search.grep({ pattern: "keys_file" })).toMatchObject({ value: { matches: [] } });
    expect(readFileSync(join(folder, "pawl.config.json"), "utf8")).toContain("keys_file");
  });

  test("a configuration file that PAWL_CONFIG names", async () => {
    const { files } = await filesOf({}, { PAWL_CONFIG: "mine.json" });
    expect(await files.read("mine.json")).toMatchObject(CLOSED);
  });

  test.each(["pawl.config.ts", "pawl.config.mjs", "PAWL.config.ts"])(
    "%s, which the next start would run, cannot be created",
    async (name) => {
      const { files } = await filesOf({});
      expect(await files.write(name, bytes("export default {}"))).toMatchObject(CLOSED);
      expect(await files.write(`src/${name}`, bytes("export default {}"))).toMatchObject({ ok: true });
    },
  );

  test("a configuration file that an editor has replaced since the start", async () => {
    const { files } = await filesOf({});
    write("draft.json", '{"workspace": "."}');
    renameSync(join(folder, "draft.json"), join(folder, "pawl.config.json"));
    expect(await files.read("pawl.config.json")).toMatchObject(CLOSED);
  });

  test("every other path that the host closes, such as a module with tools", async () => {
    mkdirSync(join(folder, "tools"));
    write("tools/own.ts", "export default {}");
    const loaded = unwrap(await loadConfig(folder, {}));
    const closed = [join(folder, "tools/own.ts")];
    const { files: filesFor } = unwrap(openWorkspace({ ...loaded, workspace: folder, closed }, {}));
    const { files } = filesFor({} as ToolContext);
    expect(await files.write("tools/own.ts", bytes("evil"))).toMatchObject(CLOSED);
    expect(await files.write("tools/other.ts", bytes("fine"))).toMatchObject({ ok: true });
  });
});

describe("commands", () => {
  test("do not run where they could read the data folder, also through a link, and the reason is shown", async () => {
    symlinkSync(".", join(folder, "link"));
    for (const workspace of [".", "link"]) {
      const opened = unwrap(await openProject({ workspace, bash: { enabled: true, sandbox: "off" } }));
      expect(opened.process).toBeUndefined();
      expect(opened.files({} as ToolContext).process).toBeNull();
      expect(opened.warnings).toEqual([expect.stringContaining("mv ")]);
    }
  });

  test.each([
    ["data folder", { data: "store" }, "store"],
    ["data folder below a linked one", { data: "store/data" }, "store"],
    ["keys file", { keys_file: "store/keys.json" }, "store"],
  ])("do not run where they could replace a link to the %s, sandbox or not", async (_what, config, link) => {
    const outside = mkdtempSync(join(tmpdir(), "pawl-outside-"));
    try {
      mkdirSync(join(outside, "data"));
      writeFileSync(join(outside, "keys.json"), "[]");
      mkdirSync(join(folder, "work"));
      symlinkSync(outside, join(folder, "work", link));
      const named = Object.fromEntries(Object.entries(config).map(([name, path]) => [name, `work/${path}`]));
      for (const sandbox of ["off", "auto"]) {
        const opened = unwrap(await openProject({ workspace: "work", ...named, bash: { enabled: true, sandbox } }));
        expect(opened.process).toBeUndefined();
        expect(opened.warnings).toEqual([expect.stringContaining(`through the link ${join(folder, "work", link)}`)]);
        const { files } = opened.files({} as ToolContext);
        expect(await files.remove(link)).toMatchObject({ ok: false });
        expect(await files.write(link, bytes("x"))).toMatchObject({ ok: false });
      }
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  test.runIf(process.platform === "linux")(
    "of the operator that detach a process are still known as its origin when that process calls the server",
    async () => {
      mkdirSync(join(folder, "work"));
      const opened = unwrap(await openProject({ workspace: "work", bash: { enabled: true, sandbox: "off" } }));
      const started = opened.commands?.program(["sh"], { env: [], network: true });
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const asked = new Promise<boolean>((resolve) =>
        server.once("connection", ({ remoteAddress, remotePort, localPort }) =>
          resolve(comesFromCommand({ remoteAddress, remotePort, localPort }, new Map())),
        ),
      );
      const client = `require("net").connect(${port}, "127.0.0.1"); setTimeout(() => process.exit(), 2000)`;
      // The shell ends immediately, so its child does not belong to any of our processes.
      const line = `setsid "${process.execPath}" -e '${client}' >/dev/null 2>&1 &`;
      spawnSync("sh", ["-c", line], { env: started?.env, cwd: started?.cwd });
      expect(await asked).toBe(true);
      server.close();
    },
  );

  test("run where the data folder lies elsewhere", async () => {
    mkdirSync(join(folder, "work"));
    const opened = unwrap(await openProject({ workspace: "work", bash: { enabled: true } }));
    expect(opened.process?.({} as ToolContext).process).not.toBeNull();
    expect(opened.warnings).toEqual([]);
    // The judge of commands also knows the path.
    const { workspace, closed } = opened.process?.places ?? { workspace: "", closed: [] };
    expect(workspace.endsWith("/work")).toBe(true);
    expect(closed).toContain(join(folder, ".pawl"));
    expect(closed).toContain(join(folder, "pawl.config.json"));
  });
});
