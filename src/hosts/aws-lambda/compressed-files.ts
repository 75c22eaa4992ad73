// Decompresses files of the bundle when they are imported. Files that a cold start does not load are compressed.
import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

const FOLDER = new URL(".", import.meta.url).href;

const storedFile = (url: string): string => `${fileURLToPath(url)}.br`;

/** Null for other imports. Only files of the bundle import compressed files, and by relative paths. */
function bundledUrl(specifier: string, parent: string | undefined): string | null {
  if (!specifier.startsWith("./") || !specifier.endsWith(".mjs") || !parent?.startsWith(FOLDER)) return null;
  const { href } = new URL(specifier, parent);
  return existsSync(storedFile(href)) ? href : null;
}

const compressed = new Set<string>();

registerHooks({
  resolve(specifier, context, next) {
    const url = bundledUrl(specifier, context.parentURL);
    if (url === null) return next(specifier, context);
    compressed.add(url);
    return { url, format: "module", shortCircuit: true };
  },
  load(url, context, next) {
    if (!compressed.has(url)) return next(url, context);
    return { format: "module", source: brotliDecompressSync(readFileSync(storedFile(url))), shortCircuit: true };
  },
});
