// Builds dist: the published package (Node does not strip types inside node_modules) and the web console.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "esbuild";
import { buildConsole } from "./build-console.ts";
import { writeEntryChecks } from "./entry-checks.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
// Built in a separate folder and swapped in at the end, so that running processes never see a partial dist.
const buildFolder = join(root, `dist.${process.pid}`);
const previousDist = join(root, `dist.${process.pid}.old`);

const ENTRIES = {
  index: "src/index.ts",
  client: "src/client.ts",
  testing: "src/testing/index.ts",
  dynamodb: "src/adapters/store-dynamodb/index.ts",
  lambda: "src/hosts/aws-lambda/lambda.ts",
  cloudflare: "src/hosts/cloudflare/cloudflare.ts",
  "optional-package": "src/http/optional-package.ts",
  cli: "src/cli/main.ts",
  serve: "src/hosts/node/node.ts",
  doctor: "src/hosts/node/doctor.ts",
};

/** Packages of which parts are built into dist. */
const BUILT_IN = ["openai", "node-sql-parser"];

/** A Node that has no SQLite could not even link the files, and nobody would read which Node is needed. */
const sqliteAtRunTime: Plugin = {
  name: "sqlite-at-run-time",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:sqlite$/ }, ({ path }) => ({ path, namespace: "at-run-time" }));
    onLoad({ filter: /.*/, namespace: "at-run-time" }, () => ({
      contents: 'export const { DatabaseSync } = process.getBuiltinModule("node:sqlite");',
    }));
  },
};

/**
 * What npm installs with the package. Any other package that the sources import is built into dist: of the SDK for
 * models, 35 MB on the disk, a few files are needed.
 */
function installedWithIt(): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
}

/** The licences of what is built in ask to go along. */
function copyLicences(): void {
  const folder = join(buildFolder, "licences");
  mkdirSync(folder);
  for (const name of BUILT_IN) cpSync(join(root, "node_modules", name, "LICENSE"), join(folder, `${name}.txt`));
}

/** Gives the names that each entry exports. */
async function bundle(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    metafile: true,
    outdir: buildFolder,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node24",
    external: [...installedWithIt(), "cloudflare:workers"],
    plugins: [sqliteAtRunTime],
    logLevel: "warning",
  });
  const outputs = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  return new Map(outputs.map(([path, { exports }]) => [basename(path, ".js"), exports]));
}

/** check:types checks the types; here they are only emitted, so that an install never fails because of a type error. */
function emitDeclarations(): void {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", "tsconfig.build.json", "--noCheck", "--outDir", buildFolder];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("tsc wrote no declarations");
  for (const file of readdirSync(buildFolder, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".d.ts")) rewriteImportExtensions(join(buildFolder, file));
  }
}

/** tsc leaves "./x.ts" in declarations, which only resolves for users who allow such imports. */
function rewriteImportExtensions(path: string): void {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(/((?:from|import) ?\(?")(\.{1,2}\/[^"]+)\.tsx?"/g, '$1$2.js"'));
}

function replaceDist(): void {
  if (existsSync(dist)) renameSync(dist, previousDist);
  renameSync(buildFolder, dist);
  rmSync(previousDist, { recursive: true, force: true });
}

function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}

try {
  writeEntryChecks(root, buildFolder, await bundle());
  await buildConsole(join(buildFolder, "console"));
  copyLicences();
  emitDeclarations();
  replaceDist();
} catch (error) {
  rmSync(buildFolder, { recursive: true, force: true });
  if (!isMissingPackage(error)) throw error;
  console.error("dist was not built: the development dependencies are not installed (npm install without --omit=dev).");
}
