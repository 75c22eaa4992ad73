// Adds checks to the built entries that must run before anything else is loaded: the version of Node, and whether an
// optional package is installed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Entries that run only on Node. The client also runs in browsers, and the Cloudflare entry in workerd. */
const NODE_ENTRIES = ["index", "node", "testing", "dynamodb", "lambda", "cli", "serve", "doctor", "mcp-login"];

/** Entries that need an optional peer dependency. */
const PEERS = [{ entry: "dynamodb", name: "@aws-sdk/client-dynamodb" }];

const NODE_CHECK = `// Loaded before everything else; written so that an old Node can read it.
const major = Number(process.versions.node.split(".")[0]);
if (major < NEEDED) {
  throw new Error(\`Pawl needs Node.js NEEDED or newer; this is Node.js \${process.versions.node}.\`);
}
`;

/** Writes the checks. `exports` contains the names that each entry exports. */
export function writeEntryChecks(root: string, dist: string, exports: ReadonlyMap<string, readonly string[]>): void {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { engines: { node: string } };
  const needed = engines.node.replace(/^>=/, "");
  writeFileSync(join(dist, "check-node.js"), NODE_CHECK.replaceAll("NEEDED", needed));
  for (const entry of NODE_ENTRIES) {
    const path = join(dist, `${entry}.js`);
    writeFileSync(path, `import "./check-node.js";\n${readFileSync(path, "utf8")}`);
  }
  mkdirSync(join(dist, "checked"));
  for (const { entry, name } of PEERS) {
    const text = checkedEntry(entry, name, exports.get(entry) ?? []);
    writeFileSync(join(dist, "checked", `${entry}.js`), text);
  }
}

/**
 * Returns an entry that checks its package. Node links all files before it runs any, so an entry cannot check its own
 * imports. Only Node's `import` uses this file; bundlers and `require` use the entry itself, because not all of them
 * can wait for a module.
 */
function checkedEntry(entry: string, name: string, names: readonly string[]): string {
  return `import "../check-node.js";
import { loadOptional } from "../optional-package.js";

const loaded = await loadOptional("${name}", () => import("../${entry}.js"));
if (!loaded.ok) throw new Error(\`\${loaded.problem.code}: \${loaded.problem.message}\`);
export const { ${names.join(", ")} } = loaded.value;
`;
}
