#!/usr/bin/env node
// Plain JavaScript that any Node can read: finds one that is new enough and runs the built terminal with it, or says how to get one.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const NEEDED = 24;
const terminal = join(dirname(fileURLToPath(import.meta.url)), "../dist/cli.js");

/** The Node that npm installed in a checkout as an optional dependency. */
function broughtNode() {
  const system = process.platform === "win32" ? "win" : process.platform;
  const file = process.platform === "win32" ? "bin/node.exe" : "bin/node";
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${system}-${process.arch}/package.json`);
    const found = join(dirname(manifest), file);
    return existsSync(found) ? found : null;
  } catch {
    return null;
  }
}

/** Signals are passed on, and the end is its end. */
function runWith(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // A terminal sends it to the child as well: only the child decides what it means.
  process.on("SIGINT", () => undefined);
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

const fits = Number(process.versions.node.split(".")[0]) >= NEEDED;
const other = fits ? null : broughtNode();
if (!existsSync(terminal)) {
  console.error("The terminal is not built. In a checkout run `npm install` or `npm run build` first.");
  process.exit(1);
} else if (fits) {
  // Keeps the compiled code for the next command. Where the folder is read-only, nothing is kept.
  module.enableCompileCache(join(dirname(terminal), "../node_modules/.cache/pawl"));
  await import(pathToFileURL(terminal).href);
} else if (other) {
  runWith(other);
} else {
  console.error(`Pawl needs Node.js ${NEEDED} or newer; this is Node.js ${process.versions.node}.`);
  console.error(
    "Install it from https://nodejs.org. In a checkout, `npm install` brings it along on Linux and Windows.",
  );
  process.exit(1);
}
