// The built console from the disk, read once at the start. Found from the source and from the built files alike.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

/** Empty when it was never built. */
export function consoleFiles(folders: readonly string[] = FOLDERS): readonly ConsoleFile[] {
  // The sources hold a page too: only a built one has a script beside it.
  const folder = folders.find((one) => existsSync(join(one, "console.js")));
  if (folder === undefined) return [];
  return FILES.map(([path, name, type]) => {
    const body = readFileSync(join(folder, name), "utf8");
    return { path, type, body, etag: `"${nodeHash.sha256(body).slice(0, 20)}"` };
  });
}
