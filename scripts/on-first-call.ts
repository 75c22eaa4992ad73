// Builds the entry of the package for Node. Toolkits, adapters, and functions with large tables or parsers load their
// files when they are first used. These functions are synchronous, so they use Node's `require`, which loads ES
// modules, instead of `import()`.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "esbuild";
import type { Toolkit } from "../src/tools/toolkit.ts";

/** The name of the entry point, which the plugin below creates from the barrel. */
export const NODE_ENTRY = "src/index.ts?on-first-call";

const TOOLKIT_LIST = "src/toolkits/index.ts";
/** Files from which the barrel exports only synchronous functions and their types. */
const FUNCTION_FILES = [
  "src/adapters/fetch-guarded/guarded-fetcher.ts",
  "src/adapters/model-openai/openai-model.ts",
  "src/adapters/operations-local/local-operations.ts",
  "src/adapters/operations-virtual/virtual-operations.ts",
  "src/adapters/search-linear/linear-search.ts",
  "src/adapters/store-sqlite/create-store.ts",
  "src/toolkits/all.ts",
  "src/toolkits/data/sql/judge-sql.ts",
  "src/toolkits/files/patch/apply-patch.ts",
  "src/toolkits/files/patch/find/fuzzy-find.ts",
  "src/toolkits/shell/risk/classify.ts",
];

const FOLDER = "on-first-call";
const outputOf = (path: string): string => `${FOLDER}/${basename(path, ".ts")}`;

/** Entries of the same build, so that they share code with the rest. */
export const FIRST_CALL_ENTRIES = Object.fromEntries(
  [TOOLKIT_LIST, ...FUNCTION_FILES].map((path) => [outputOf(path), path]),
);

const loader = (path: string): string => `import { createRequire } from "node:module";
let loaded = null;
const load = () => (loaded ??= createRequire(import.meta.url)("./${outputOf(path)}.js"));
`;

const FUNCTION = /^export (?:(?:async )?function|const) (\w+)/gm;

function functionStubs(path: string): string {
  const names = [...readFileSync(path, "utf8").matchAll(FUNCTION)].map(([, name = ""]) => name);
  return names.map((name) => `export const ${name} = (...args) => load().${name}(...args);`).join("\n");
}

/** Returns a stub of a toolkit. Its definition is bundled unchanged; its functions are loaded when they are called. */
export function toolkitStub(value: unknown, path: string): string {
  if (typeof value === "function") return `(...args) => ${path}(...args)`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{ ${fields.map(([name, field]) => `${name}: ${toolkitStub(field, `${path}.${name}`)}`).join(", ")} }`;
}

const toolkitStubs = (toolkits: readonly Toolkit[]): string =>
  `export const TOOLKITS = [\n${toolkits.map((one, i) => toolkitStub(one, `load().TOOLKITS[${i}]`)).join(",\n")}\n];`;

export async function onFirstCall(root: string): Promise<Plugin> {
  const { TOOLKITS } = await import("../src/toolkits/index.ts");
  const stubs = new Map([
    [TOOLKIT_LIST, () => toolkitStubs(TOOLKITS)],
    ...FUNCTION_FILES.map((path) => [path, () => functionStubs(join(root, path))] as const),
  ]);
  return {
    name: FOLDER,
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /\?on-first-call$/ }, ({ path }) => ({ path: path.replace(/\?.*/, ""), namespace: "entry" }));
      onLoad({ filter: /.*/, namespace: "entry" }, ({ path }) => ({
        contents: readFileSync(join(root, path), "utf8"),
        loader: "ts",
        resolveDir: join(root, dirname(path)),
      }));
      onResolve({ filter: /.*/, namespace: "entry" }, ({ path, importer }) => {
        const named = join(dirname(importer), path);
        return stubs.has(named) ? { path: named, namespace: "stub" } : null;
      });
      onLoad({ filter: /.*/, namespace: "stub" }, ({ path }) => ({ contents: loader(path) + stubs.get(path)?.() }));
    },
  };
}
