// Tests which packages each entry point loads when it is imported, because every one of them delays the start of a
// program. A large package that only some calls need is imported where it is used.
import { dirname, join } from "node:path/posix";
import { expect, test } from "vitest";
import { isNode, parseSource, readSource, sourceFiles, walk } from "../../scripts/read-source.ts";

const STATIC = new Set(["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration"]);

function staticImports(file: string): readonly string[] {
  const found: string[] = [];
  walk(parseSource(file), (node) => {
    if (!STATIC.has(node.type) || node.importKind === "type" || node.exportKind === "type") return;
    if (isNode(node.source) && typeof node.source.value === "string") found.push(node.source.value);
  });
  return found;
}

function packagesOf(entry: string): readonly string[] {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file) || !/\.tsx?$/.test(file)) return;
    files.add(file);
    for (const from of staticImports(file)) {
      if (from.startsWith(".")) visit(join(dirname(file), from));
      else if (!from.startsWith("node:")) packages.add(from.replace(/^((?:@[^/]+\/)?[^/]+).*/, "$1"));
    }
  };
  visit(entry);
  return [...packages].toSorted();
}

const CORE = [
  "@opentelemetry/api",
  "croner",
  "fastest-levenshtein",
  "hono",
  "ical.js",
  "standardwebhooks",
  "temporal-polyfill",
  "xstate",
  "zod",
];

test.each([
  ["src/client.ts", []],
  ["src/cli/main.ts", ["commander"]],
  // judgeSql is exported and synchronous, so the SQL parser is loaded with it. The HTTP API is loaded with the first
  // request of createFetch.
  ["src/index.ts", [...CORE.filter((name) => name !== "hono"), "ipaddr.js", "node-sql-parser", "unbash"]],
  ["src/hosts/aws-lambda/lambda.ts", CORE],
  ["src/hosts/node/node.ts", [...CORE, "@hono/node-server", "ws"]],
])("%s loads no other packages than those listed", (entry, packages) => {
  expect(packagesOf(entry)).toEqual([...packages].toSorted());
});

test("src imports zod as a namespace: with the name z, bundles contain all of zod", () => {
  const named = sourceFiles("src").filter((file) => /^import \{ z \} from "zod"/m.test(readSource(file)));
  expect(named).toEqual([]);
});
