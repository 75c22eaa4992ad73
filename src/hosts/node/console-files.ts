// Finds the files of the built console. Each file is read when it is first requested.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { nodeHash } from "../../adapters/hash-node.ts";
import type { ConsoleFile } from "../../http/routes/console-page.ts";

const FOLDERS = ["../../../dist/console", "./console", "../console"].map((path) => join(import.meta.dirname, path));

const FILES: readonly (readonly [path: string, name: string, type: string])[] = [
  ["/", "index.html", "text/html; charset=utf-8"],
  ["/console.js", "console.js", "text/javascript; charset=utf-8"],
  ["/console-zh.js", "console-zh.js", "text/javascript; charset=utf-8"],
  ["/console.css", "console.css", "text/css; charset=utf-8"],
  ["/console.svg", "console.svg", "image/svg+xml"],
];

/** Empty if the console was never built. */
export function consoleFiles(folders: readonly string[] = FOLDERS): readonly ConsoleFile[] {
  // The source folder also contains a page, but only a built page has a script beside it.
  const folder = folders.find((one) => findFile(one, "console.js") !== null);
  if (folder === undefined) return [];
  return FILES.map(([path, name, type]) => {
    let loaded: Pick<ConsoleFile, "body" | "etag"> | null = null;
    const load = () => {
      loaded ??= readConsoleFile(folder, name);
      return loaded;
    };
    return {
      path,
      type,
      get body() {
        return load().body;
      },
      get etag() {
        return load().etag;
      },
    };
  });
}

/** The bundle for Lambda contains only the compressed version of large files. */
const findFile = (folder: string, name: string): string | null =>
  [name, `${name}.br`].map((one) => join(folder, one)).find((path) => existsSync(path)) ?? null;

function readConsoleFile(folder: string, name: string): Pick<ConsoleFile, "body" | "etag"> {
  const path = findFile(folder, name);
  if (path === null) throw new Error(`${name} of the console is missing`);
  const bytes = readFileSync(path);
  const body = (path.endsWith(".br") ? brotliDecompressSync(bytes) : bytes).toString("utf8");
  return { body, etag: `"${nodeHash.sha256(body).slice(0, 20)}"` };
}
