// Builds Pawl's side of the comparison in the way in which the package is built, because the other systems come built, too.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { withConstants } from "../../scripts/constant-bindings.ts";
import { englishOnly } from "../../scripts/english-only.ts";
import { files } from "./workloads.ts";

const root = join(import.meta.dirname, "../..");
/** Some packages are CommonJS and require modules of Node. */
const withRequire =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/** Returns the path of the built file. */
export async function buildPawl(outdir: string): Promise<string> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { pawl: join(import.meta.dirname, files.Pawl) },
    outdir,
    outExtension: { ".js": ".mjs" },
    metafile: true,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    alias: { yaml: join(root, "node_modules/yaml/browser/index.js") },
    banner: { js: withRequire },
    plugins: [englishOnly],
    logLevel: "warning",
  });
  for (const output of Object.keys(metafile.outputs)) {
    const path = join(root, output);
    writeFileSync(path, withConstants(readFileSync(path, "utf8"), path));
  }
  return join(outdir, "pawl.mjs");
}
