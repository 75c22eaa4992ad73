// Implements `npm start`: serves from dist if it is newer than every source file, which starts in less than half the
// time; otherwise from the sources.
import { existsSync, readdirSync, statSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const SOURCES = [
  "src",
  "machines",
  "package.json",
  "package-lock.json",
  "scripts/build.ts",
  "scripts/build-console.ts",
];

const modifiedAt = (path: string): number => statSync(path).mtimeMs;

/** Returns the time of the newest change. Folders count too, because they change when a file is added or removed. */
function newestIn(path: string): number {
  if (!existsSync(path)) return 0;
  const own = modifiedAt(path);
  if (!statSync(path).isDirectory()) return own;
  const inside = readdirSync(path, { recursive: true, encoding: "utf8" });
  return inside.reduce((newest, name) => Math.max(newest, modifiedAt(join(path, name))), own);
}

/** Returns the file to run: the built one, or the source if anything has changed since the build. */
export function entryOf(root: string, name = "dist/serve.js", source = "src/hosts/node/node.ts"): string {
  const built = join(root, name);
  const isFresh = existsSync(built) && SOURCES.every((path) => newestIn(join(root, path)) < modifiedAt(built));
  return isFresh ? built : join(root, source);
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  // The default folder is not used, because it is shared with other users of the machine.
  enableCompileCache(join(root, "node_modules/.cache/pawl"));
  await import(pathToFileURL(entryOf(root)).href);
}
