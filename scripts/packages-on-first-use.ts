// Puts some packages of a bundle into separate files that are loaded on first use. The use is synchronous, and Node's
// `require` loads ES modules.
import type { Plugin } from "esbuild";

/** The export of each package that the sources use, which is a class or an object with methods. */
const EXPORTS: Readonly<Record<string, string>> = { "ical.js": "default", croner: "Cron", standardwebhooks: "Webhook" };

const fileOf = (name: string): string => `package-${name.replace(/\W/g, "-")}`;

export const PACKAGE_ENTRIES = Object.fromEntries(Object.keys(EXPORTS).map((name) => [fileOf(name), name]));

const stubOf = (name: string): string => `import { createRequire } from "node:module";
let loaded = null;
const load = () => (loaded ??= createRequire(import.meta.url)("./${fileOf(name)}.mjs").${EXPORTS[name]});
const stub = new Proxy(class {}, { get: (_, field) => load()[field], construct: (_, args) => new (load())(...args) });
export { stub as ${EXPORTS[name]} };`;

export const packagesOnFirstUse = (root: string): Plugin => ({
  name: "packages-on-first-use",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[\w.-]+$/ }, ({ kind, path, namespace }) => {
      if (!Object.hasOwn(EXPORTS, path) || namespace === "package") return null;
      return { path, namespace: kind === "entry-point" ? "package" : "first-use" };
    });
    onLoad({ filter: /.*/, namespace: "first-use" }, ({ path }) => ({ contents: stubOf(path) }));
    // If a CommonJS package were the entry itself, it would have no named exports.
    onLoad({ filter: /.*/, namespace: "package" }, ({ path }) => ({
      contents: `export { ${EXPORTS[path]} } from "${path}";`,
      resolveDir: root,
    }));
  },
});
