// Builds dist: the package for those who install it (Node strips no types below node_modules), and the web console.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildConsole } from "./build-console.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
// Built beside and swapped in at the end, so that nobody who runs from dist ever sees half of it.
const buildFolder = join(root, `dist.${process.pid}`);
const previousDist = join(root, `dist.${process.pid}.old`);

const ENTRIES = {
  index: "src/index.ts",
  testing: "src/testing/index.ts",
  dynamodb: "src/adapters/store-dynamodb/index.ts",
  lambda: "src/hosts/aws-lambda/lambda.ts",
  cli: "src/cli/main.ts",
  serve: "src/hosts/node/node.ts",
  doctor: "src/hosts/node/doctor.ts",
};

async function bundle(): Promise<void> {
  const { build } = await import("esbuild");
  const entryPoints = Object.fromEntries(Object.entries(ENTRIES).filter(([, path]) => existsSync(join(root, path))));
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir: buildFolder,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node24",
    packages: "external",
    logLevel: "warning",
  });
}

/** Types are checked by check:types; here they are only written down, so that an install never fails for one. */
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
  await bundle();
  await buildConsole(join(buildFolder, "console"));
  emitDeclarations();
  replaceDist();
} catch (error) {
  rmSync(buildFolder, { recursive: true, force: true });
  if (!isMissingPackage(error)) throw error;
  console.error("dist was not built: the development dependencies are not installed (npm install without --omit=dev).");
}
