// Plain JavaScript, because older Node versions cannot read TypeScript. Runs the given script, or says what is missing.
// Usage: node scripts/on-node-24.js [--or-skip] <script.ts> [arguments]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const orSkip = process.argv[2] === "--or-skip";
const [script, ...rest] = process.argv.slice(orSkip ? 3 : 2);
const major = Number(process.versions.node.split(".")[0]);

if (!script) {
  console.error("usage: node scripts/on-node-24.js [--or-skip] <script.ts> [arguments]");
  process.exit(2);
}
if (major < 24) {
  console.error(`pawl needs Node 24 or newer; this is ${process.version}.`);
  console.error(
    "npm install provides Node 24 on Linux and Windows (x64 and Linux arm64), unless --omit=optional is set.",
  );
  console.error("Elsewhere, install Node 24 from https://nodejs.org and run the command again.");
  // An install must not fail because of an old Node: reading the code does not need it.
  process.exit(orSkip ? 0 : 1);
}
process.argv = [process.argv[0] ?? "node", resolve(script), ...rest];
await import(pathToFileURL(resolve(script)).href);
