// Tests the executable that npm links, including its messages for an old Node version or missing built files.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { projectRoot } from "../../scripts/read-source.ts";

/** Code to preload that makes this Node report an older version. Child processes report the real one. */
const OLDER = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });';
const TERMINAL = 'console.log(process.argv.slice(2).join(" "), process.versions.node); process.exitCode = 7;';
const nodePackage = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-bin-"));
  cpSync(join(projectRoot, "bin"), join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "older.js"), OLDER);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function build(): void {
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist/cli.js"), TERMINAL);
}

const pawl = (...flags: string[]) => {
  const args = [...flags, join(folder, "bin/pawl.js"), "threads", "--json"];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", timeout: 60_000 });
};
const asOlder = () => pawl("--import", join(folder, "older.js"));

describe("bin/pawl.js", () => {
  test("runs the CLI with the current Node if that is new enough", () => {
    build();
    const { status, stdout } = pawl();
    expect([status, stdout.trim()]).toEqual([7, `threads --json ${process.versions.node}`]);
  });

  test("runs the CLI with the installed Node package if the current Node is too old", () => {
    build();
    const brought = join(folder, "node_modules", nodePackage);
    mkdirSync(join(brought, "bin"), { recursive: true });
    writeFileSync(join(brought, "package.json"), JSON.stringify({ name: nodePackage, version: "24.0.0" }));
    cpSync(process.execPath, join(brought, process.platform === "win32" ? "bin/node.exe" : "bin/node"));
    const { status, stdout } = asOlder();
    expect([status, stdout.trim()]).toEqual([7, `threads --json ${process.versions.node}`]);
  });

  test("says how to get a newer Node if there is none", () => {
    build();
    const { status, stderr } = asOlder();
    expect(status).toBe(1);
    expect(stderr).toMatch(/needs Node\.js 24 or newer[\s\S]*https:\/\/nodejs\.org/);
  });

  test("says how to build if dist is missing", () => {
    const { status, stderr } = pawl();
    expect([status, stderr]).toEqual([1, expect.stringContaining("npm run build")]);
  });
});
