// Bundles the web console into a folder: one page, one stylesheet, one icon, and one script plus one per further
// language. The page loads nothing from elsewhere.
import { copyFileSync, cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const source = join(root, "src/console");

export async function buildConsole(outdir: string): Promise<void> {
  const { build } = await import("esbuild");
  mkdirSync(outdir, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [
      { in: join(source, "shell/main.tsx"), out: "console" },
      { in: join(source, "style/console.css"), out: "console" },
    ],
    outdir,
    bundle: true,
    // Messages in other languages are separate files such as console-zh.js.
    splitting: true,
    chunkNames: "console-[name]",
    minify: true,
    format: "esm",
    platform: "browser",
    target: ["chrome123", "firefox128", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "hono/jsx/dom",
    legalComments: "none",
    logLevel: "warning",
  });
  copyFileSync(join(source, "index.html"), join(outdir, "index.html"));
  copyFileSync(join(source, "icon.svg"), join(outdir, "console.svg"));
  // Hosts without a disk serve these pages too.
  cpSync(join(root, "docs/problems"), join(outdir, "problems"), { recursive: true });
}
