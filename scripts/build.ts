// Builds dist, which contains the published package (Node does not strip types inside node_modules) and the web
// console.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { Metafile, Plugin } from "esbuild";
import { buildConsole } from "./build-console.ts";
import { withConstants } from "./constant-bindings.ts";
import { englishOnly } from "./english-only.ts";
import { writeEntryChecks } from "./entry-checks.ts";
import { FIRST_CALL_ENTRIES, NODE_ENTRY, onFirstCall } from "./on-first-call.ts";
import { sharedCore } from "./shared-core.ts";
import { serverToolkits } from "./toolkits-on-first-use.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
// The build goes to a separate folder that replaces dist at the end, so that running processes never see half of it.
const buildFolder = join(root, `dist.${process.pid}`);
const previousDist = join(root, `dist.${process.pid}.old`);

const ENTRIES = {
  index: "src/index.ts",
  node: NODE_ENTRY,
  ...FIRST_CALL_ENTRIES,
  client: "src/client.ts",
  testing: "src/testing/index.ts",
  dynamodb: "src/adapters/store-dynamodb/index.ts",
  lambda: "src/hosts/aws-lambda/lambda.ts",
  cloudflare: "src/hosts/cloudflare/cloudflare.ts",
  "optional-package": "src/http/optional-package.ts",
  cli: "src/cli/main.ts",
  serve: "src/hosts/node/node.ts",
  doctor: "src/hosts/node/doctor.ts",
  "mcp-login": "src/hosts/node/mcp/login.ts",
};

/** Only `import "pawl"` loads all of these; Workers could not. */
const CORE = {
  anchor: join(root, "src/hosts/in-process.ts"),
  apart: /src.(cli|client|http.optional-package|hosts.cloudflare|hosts.node.doctor|hosts.node.mcp.login|index)\b/,
};

/** Installed only for their types: loading their many files would take longer than loading all of Pawl. */
const BUILT_IN = [
  "@opentelemetry/api",
  "commander",
  "croner",
  "fastest-levenshtein",
  "hono",
  "temporal-polyfill",
  "unbash",
  "xstate",
  "yaml",
  "zod",
];

/** A Node without SQLite could not even link the files, and users would not see which Node they need. */
const sqliteAtRunTime: Plugin = {
  name: "sqlite-at-run-time",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:sqlite$/ }, ({ path }) => ({ path, namespace: "at-run-time" }));
    onLoad({ filter: /.*/, namespace: "at-run-time" }, () => ({
      contents: 'export const { DatabaseSync } = process.getBuiltinModule("node:sqlite");',
    }));
  },
};

/** Other packages are built into dist: of the 35 MB of the model SDK, only a few files are needed. */
function importedFromDist(): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  return installed.filter((name) => !BUILT_IN.includes(name));
}

/** Copies the licences of bundled packages, which require a copy of their text. */
function copyLicences({ inputs }: Metafile): void {
  const folder = join(buildFolder, "licences");
  mkdirSync(folder);
  const packages = Object.keys(inputs).map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  for (const name of new Set(packages.filter((one) => one !== undefined))) {
    const text = globSync("{LICENSE,LICENCE,LICENSE-MIT}{,.txt,.md}", { cwd: join(root, "node_modules", name) })[0];
    if (text === undefined) throw new Error(`${name} has no license that could go along`);
    cpSync(join(root, "node_modules", name, text), join(folder, `${name.replaceAll("/", "-")}.txt`));
  }
}

async function bundle(): Promise<Metafile> {
  const { build } = await import("esbuild");
  const toolkits = await serverToolkits(root);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...ENTRIES, ...toolkits.entries },
    metafile: true,
    outdir: buildFolder,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    external: [...importedFromDist(), "cloudflare:workers"],
    // For Node the package exports CommonJS, which requires Node's modules in a way that ES modules cannot.
    alias: { yaml: join(root, "node_modules/yaml/browser/index.js") },
    plugins: [sharedCore(CORE), toolkits.plugin, await onFirstCall(root), sqliteAtRunTime, englishOnly],
    logLevel: "warning",
  });
  for (const path of Object.keys(metafile.outputs)) makeConstant(join(root, path));
  return metafile;
}

const makeConstant = (path: string): void => writeFileSync(path, withConstants(readFileSync(path, "utf8"), path));

/** Refuses a built-in CommonJS package that requires a module at run time, because its first use would fail. */
function refuseRequires({ outputs }: Metafile): void {
  for (const path of Object.keys(outputs))
    if (readFileSync(join(root, path), "utf8").includes("Dynamic require of"))
      throw new Error(`${path} requires modules at run time`);
}

function exportsOf(metafile: Metafile): ReadonlyMap<string, readonly string[]> {
  const outputs = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  return new Map(outputs.map(([path, { exports }]) => [basename(path, ".js"), exports]));
}

/** Types are not checked here, so that an install never fails because of a type error. */
function emitDeclarations(): void {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", "tsconfig.build.json", "--noCheck", "--outDir", buildFolder];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("tsc wrote no declarations");
  for (const file of readdirSync(buildFolder, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".d.ts")) rewriteImportExtensions(join(buildFolder, file));
  }
}

/** tsc leaves "./x.ts" unchanged, which only resolves for users who allow such imports. */
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
  const metafile = await bundle();
  refuseRequires(metafile);
  writeEntryChecks(root, buildFolder, exportsOf(metafile));
  await buildConsole(join(buildFolder, "console"));
  copyLicences(metafile);
  emitDeclarations();
  replaceDist();
} catch (error) {
  rmSync(buildFolder, { recursive: true, force: true });
  if (!isMissingPackage(error)) throw error;
  console.error("dist was not built: the development dependencies are not installed (npm install without --omit=dev).");
}
