// Bundles the Lambda host into one folder that is ready for upload, prints its size, and fails if it is too large.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gzipSync } from "node:zlib";
import { build, type Metafile, type Plugin } from "esbuild";
import { buildConsole } from "./build-console.ts";
import { englishOnly } from "./english-only.ts";
import { PACKAGE_ENTRIES, packagesOnFirstUse } from "./packages-on-first-use.ts";
import { routesOnFirstUse } from "./routes-on-first-use.ts";
import { sharedCore } from "./shared-core.ts";
import { toolkitsOnFirstUse } from "./toolkits-on-first-use.ts";

const root = join(import.meta.dirname, "..");
/** The limit for the whole folder, which is uploaded. */
export const BUNDLE_BYTES_MAX = 1_550_000;
/** The limit for the code that every cold start loads. Requests load the rest when they need it. */
export const START_BYTES_MAX = 990_000;
const CONFIG_FILES = ["pawl.config.mjs", "pawl.config.json"];

/** Defines `require` for CommonJS dependencies that load Node's built-in modules with it. */
const BANNER = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/** Leaves out the analysis of command lines, because Lambda runs no commands. Its stub rejects everything. */
const noCommands: Plugin = {
  name: "no-commands",
  setup: ({ onLoad }) => onLoad({ filter: /src\/toolkits\/shell\/(risk\/classify|simple-command)\.ts$/ }, stubExports),
};

/** Parts of packages that nothing here uses, although a module that is used imports them. */
const UNUSED = [
  // Helpers around chat completions; the model adapter reads the plain stream.
  /openai\/lib\/(AbstractChatCompletionRunner|ChatCompletionRunner|ChatCompletionStream|ChatCompletionStreamingRunner|EventStream)\.mjs$/,
  /openai\/helpers\/computer\.mjs$/,
  /openai\/auth\/workload-identity-auth\.mjs$/,
];
const withoutUnused: Plugin = {
  name: "without-unused",
  setup: ({ onLoad }) => {
    for (const filter of UNUSED) onLoad({ filter }, stubExports);
  },
};

/** Leaves out most resources of the model SDK, because the model adapter only uses chat completions. */
const chatOnly: Plugin = {
  name: "chat-only",
  setup: ({ onLoad }) =>
    onLoad({ filter: /openai[/]resources[/].+[.]mjs$/ }, (file) =>
      /resources[/](chat[/]|index|shared)/.test(file.path) ? null : stubExports(file),
    ),
};

/** Imports the module that registers how the compressed files are read. It exports nothing. */
const compressedFiles: Plugin = {
  name: "compressed-files",
  setup: ({ onResolve }) =>
    onResolve({ filter: /compressed-files\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: true,
    })),
};

/** Exports the same names as functions that throw, and empty classes, which may be extended. */
function stubExports({ path }: { readonly path: string }): { contents: string } {
  const text = readFileSync(path, "utf8");
  const names = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const classes = names(/^export class (\w+)/gm).map((name) => `export class ${name} {}`);
  const others = names(/^export (?:async )?(?:function|const) (\w+)/gm).map(
    (name) => `export const ${name} = () => { throw new Error("${name} is not part of this bundle"); };`,
  );
  return { contents: [...classes, ...others].join("\n") };
}

/** The parts that `host.ts` and `create-host.ts` provide to toolkits. */
const HOST_PARTS = ["files", "documents", "schedules", "crew", "fetch", "triggers"] as const;

const CORE = { anchor: join(root, "src/hosts/aws-lambda/host.ts"), apart: /bundle.ts$|^[\w.-]+$/ };

export type BundleFile = {
  readonly name: string;
  readonly bytes: number;
  readonly gzip: number;
  /** True if every cold start loads the file. */
  readonly at_start: boolean;
};

function startFiles({ outputs }: Metafile, entry: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (path: string): void => {
    const output = outputs[path];
    if (!output || found.has(basename(path))) return;
    found.add(basename(path));
    for (const { kind, path: imported } of output.imports) if (kind !== "dynamic-import") visit(imported);
  };
  for (const path of Object.keys(outputs)) if (basename(path) === entry) visit(path);
  return found;
}

export async function bundleLambda(folder: string): Promise<readonly BundleFile[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const routes = routesOnFirstUse(root);
  const toolkits = await toolkitsOnFirstUse(root, HOST_PARTS);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      lambda: "src/hosts/aws-lambda/bundle.ts",
      ...PACKAGE_ENTRIES,
      ...toolkits.entries,
      ...routes.entries,
    },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    metafile: true,
    // Code that only some requests need, such as the model's SDK, is loaded on demand.
    splitting: true,
    chunkNames: "[name]-[hash]",
    format: "esm",
    platform: "node",
    // Prefers ES modules, because unused code can be removed from them but not from CommonJS.
    mainFields: ["module", "main"],
    target: "node24",
    minify: true,
    banner: { js: BANNER },
    legalComments: "none",
    // For Node the package exports CommonJS, from which unused code cannot be removed.
    alias: { yaml: join(root, "node_modules/yaml/browser/index.js") },
    // Optional packages of 350 and 540 KB. Users whose function serves MCP clients or uses MCP servers bundle it with
    // them in their own project.
    external: ["@modelcontextprotocol/server", "@modelcontextprotocol/client"],
    plugins: [
      sharedCore(CORE),
      toolkits.plugin,
      routes.plugin,
      englishOnly,
      noCommands,
      chatOnly,
      withoutUnused,
      packagesOnFirstUse(root),
      compressedFiles,
    ],
    logLevel: "warning",
  });
  await buildConsole(join(folder, "console"));
  compressFiles(join(folder, "console"), ["console.js", "console-zh.js", "console.css"]);
  for (const name of CONFIG_FILES) if (existsSync(name)) cpSync(name, join(folder, name));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ type: "module" })}\n`);
  const atStart = startFiles(metafile, "lambda.mjs");
  const code = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
  compressFiles(
    folder,
    code.filter((name) => !atStart.has(name)),
  );
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => ({ name, content: readFileSync(join(folder, name)) }))
    .map(({ name, content }) => ({
      name,
      bytes: content.length,
      gzip: gzipSync(content).length,
      at_start: atStart.has(name),
    }));
}

/** Compresses files that most instances never serve. An instance that does serve one decompresses it. */
function compressFiles(folder: string, names: readonly string[]): void {
  for (const name of names) {
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(readFileSync(join(folder, name))));
    rmSync(join(folder, name));
  }
}

const LISTED_BYTES_MIN = 4_000;

export function readBundled(folder: string, name: string): string {
  const content = readFileSync(join(folder, name));
  return (name.endsWith(".br") ? brotliDecompressSync(content) : content).toString();
}

function printSizes(files: readonly BundleFile[], what: string): number {
  const sum = (part: "bytes" | "gzip"): number => files.reduce((total, file) => total + file[part], 0);
  const column = (part: "bytes" | "gzip"): string => `${String(sum(part)).padStart(9)} ${part}`;
  console.log(`${column("bytes")} ${column("gzip")}  ${what}`);
  return sum("bytes");
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, "infra/aws/build"));
  const files = await bundleLambda(folder);
  const isLarge = ({ bytes }: BundleFile): boolean => bytes >= LISTED_BYTES_MIN;
  const small = files.filter((file) => !isLarge(file));
  for (const file of files.filter(isLarge).toSorted((a, b) => b.bytes - a.bytes)) printSizes([file], file.name);
  printSizes(small, `${small.length} small files`);
  const startBytes = printSizes(
    files.filter((file) => file.at_start),
    "loaded by a cold start",
  );
  const bytes = printSizes(files, `in ${folder}`);
  if (bytes > BUNDLE_BYTES_MAX || startBytes > START_BYTES_MAX) {
    console.error(`The bundle may have ${BUNDLE_BYTES_MAX} bytes, and ${START_BYTES_MAX} that a cold start loads.`);
    process.exit(1);
  }
}
