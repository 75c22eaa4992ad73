// Puts the code that a program always loads into few files, because finding, reading and linking a file takes 0.4 ms of
// processor time.
import { isAbsolute } from "node:path";
import type { Plugin } from "esbuild";

/** Marks a resolution that this plugin requested itself. */
const INNER = Symbol("inner");

export type SharedCore = {
  /** The file that imports what the program always loads. */
  readonly anchor: string;
  /** Matches entries, or importers with `import()`, that run without the core or before it is loaded. */
  readonly apart?: RegExp;
};

/** esbuild divides files by the entries that reach them, so every entry is made to reach the core. */
export const sharedCore = ({ anchor, apart }: SharedCore): Plugin => ({
  name: "shared-core",
  setup: ({ onResolve, onLoad, resolve }) => {
    onResolve({ filter: /.*/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if ((kind !== "dynamic-import" && kind !== "entry-point") || pluginData === INNER) return null;
      if (apart?.test(kind === "entry-point" ? path : importer)) return null;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: INNER });
      const isOwn = found.errors.length === 0 && found.namespace === "file" && isAbsolute(found.path);
      return isOwn && !found.external ? { path: found.path, namespace: "with-core" } : found;
    });
    onResolve({ filter: /.*/, namespace: "with-core" }, ({ path }) => ({ path, sideEffects: true }));
    onLoad({ filter: /.*/, namespace: "with-core" }, ({ path }) => ({
      contents: `import ${JSON.stringify(anchor)};\nexport * from ${JSON.stringify(path)};`,
    }));
  },
});
