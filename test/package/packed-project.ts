// Packs a copy of the checkout and installs the tarball into an empty project, as a user would.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { projectRoot } from "../../scripts/read-source.ts";

export type PackedProject = {
  /** The user's project. */
  readonly folder: string;
  readonly tarball: string;
  /** The paths of the files in the tarball. */
  readonly files: readonly string[];
  /** The output of git about the packed checkout, before and after. */
  readonly status: { readonly before: string; readonly after: string };
  readonly remove: () => void;
};

export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 110_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} → ${status ?? error}\n${stdout}\n${stderr}`);
  return stdout;
}

export const runNode = (code: string, cwd: string, flags: readonly string[] = []): string =>
  run(process.execPath, [...flags, "--input-type=module", "--eval", code], cwd).trim();

const NOT_COPIED = /^(?:node_modules|dist.*|\.git|\.pawl|\.wrangler|coverage)$/;

/** Copies the checkout, because packing temporarily changes the manifest, which other tests read. */
function copyCheckout(folder: string): void {
  mkdirSync(folder);
  for (const name of readdirSync(projectRoot).filter((entry) => !NOT_COPIED.test(entry))) {
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  run("git", ["init", "--quiet"], folder);
  writeFileSync(join(folder, ".git/info/exclude"), "/node_modules\n");
  run("git", ["add", "--all"], folder);
}

export function packProject(): PackedProject {
  const place = mkdtempSync(join(tmpdir(), "pawl-package-"));
  const checkout = join(place, "checkout");
  const folder = join(place, "project");
  copyCheckout(checkout);
  mkdirSync(folder);
  const gitStatus = (): string => run("git", ["status", "--porcelain"], checkout);
  const before = gitStatus();
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--silent", "--pack-destination", place], checkout));
  const tarball = join(place, packed.filename);
  writeFileSync(join(folder, "package.json"), '{ "name": "a-user", "private": true, "type": "module" }\n');
  const quick = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=dev"];
  run("npm", ["install", ...quick, tarball], folder);
  return {
    folder,
    tarball,
    files: packed.files.map((file: { path: string }) => file.path),
    status: { before, after: gitStatus() },
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

/** Adds a package of this checkout to the user's project, as `npm install` would. */
export function addPackage(folder: string, name: string): void {
  const link = join(folder, "node_modules", name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(projectRoot, "node_modules", name), link);
}

/** Returns the size of a folder's files on the disk, in bytes. */
export function folderBytes(folder: string): number {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const sizes = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => statSync(join(parentPath, name)));
  return sizes.reduce((total, { blocks }) => total + blocks * 512, 0);
}
