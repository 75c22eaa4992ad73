// The entry of the package for Node: functions with large tables and parsers load their file when they are called first. They are
// synchronous, so `import()` cannot do it; Node's `require` loads ES modules.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "esbuild";

/** What to name as an entry point; the plugin below makes it from the barrel. */
export const NODE_ENTRY = "src/index.ts?on-first-call";

/** Files of which the barrel exports synchronous functions only, with their types. */
const FILES = ["src/toolkits/data/sql/judge-sql.ts", "src/toolkits/shell/risk/classify.ts"];

const FOLDER = "on-first-call";
const outputOf = (path: string): string => `${FOLDER}/${basename(path, ".ts")}`;

/** They are entries of the same build, so that they share their parts with the rest. */
export const FIRST_CALL_ENTRIES = Object.fromEntries(FILES.map((path) => [outputOf(path), path]));

const FUNCTION = /^export function (\w+)/gm;

function stubOf(path: string): string {
  const names = [...readFileSync(path, "utf8").matchAll(FUNCTION)].map(([, name = ""]) => name);
  const stubs = names.map((name) => `export const ${name} = (...args) => load().${name}(...args);`);
  return `import { createRequire } from "node:module";
let loaded = null;
const load = () => (loaded ??= createRequire(import.meta.url)("./${outputOf(path)}.js"));
${stubs.join("\n")}`;
}

export const onFirstCall = (root: string): Plugin => ({
  name: FOLDER,
  setup: ({ onResolve, onLoad, resolve }) => {
    const stubbed = new Set(FILES.map((path) => join(root, path)));
    onResolve({ filter: /\?on-first-call$/ }, ({ path }) => ({
      path: join(root, path.replace(/\?.*/, "")),
      namespace: "entry",
    }));
    onLoad({ filter: /.*/, namespace: "entry" }, ({ path }) => ({
      contents: readFileSync(path, "utf8"),
      loader: "ts",
      resolveDir: dirname(path),
    }));
    onResolve({ filter: /.*/, namespace: "entry" }, async ({ path, resolveDir, kind }) => {
      const found = await resolve(path, { resolveDir, kind });
      return stubbed.has(found.path) ? { path: found.path, namespace: "stub" } : found;
    });
    onLoad({ filter: /.*/, namespace: "stub" }, ({ path }) => ({ contents: stubOf(path) }));
  },
});
