// Provides the programs that tests start as processes. Built ones start in half the time. dist is used if it is newer
// than all sources, as `npm start` does; a test program is bundled once for each test process.
import { renameSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { entryOf } from "../../scripts/start.ts";

const root = join(import.meta.dirname, "../..");
/** A folder within the project, so that packages are found. */
const folder = join(root, "node_modules/.cache/test-programs");

export const HOST_PROGRAM = entryOf(root);
export const CLI_PROGRAM = entryOf(root, "dist/cli.js", "src/cli/main.ts");

const bundles = new Map<string, Promise<string>>();

/** Bundles a test program. `path` is relative to the root of the project. */
export function bundledProgram(path: string): Promise<string> {
  const bundle = bundles.get(path) ?? bundleProgram(path);
  bundles.set(path, bundle);
  return bundle;
}

async function bundleProgram(path: string): Promise<string> {
  const name = basename(path, ".ts");
  const outfile = join(folder, `${name}.${process.pid}.mjs`);
  const options = { bundle: true, packages: "external", platform: "node", format: "esm", target: "node24" } as const;
  await build({ entryPoints: [join(root, path)], outfile, logLevel: "error", ...options });
  // Several test processes may do this at the same time, each with the same result.
  const file = join(folder, `${name}.mjs`);
  renameSync(outfile, file);
  return file;
}
