// Defines the dependency rule as data: which folders and packages the files of a folder may import. Anything else is
// refused.
import { posix } from "node:path";
import { type Import, importsOf, type Node } from "../../scripts/read-source.ts";

type Rule = {
  readonly folders: readonly string[];
  /** Null allows any package, as an adapter needs. */
  readonly packages: readonly string[] | null;
  /** Folders from which only types may be imported. */
  readonly typesOf?: readonly string[];
  /** Individual files of other folders. */
  readonly files?: readonly string[];
};

// Small libraries without I/O. Anything that opens a socket, a file or a clock belongs in an adapter.
const PURE_PACKAGES = [
  "zod",
  "xstate",
  "fastest-levenshtein",
  "re2js",
  "unbash",
  "ical.js",
  "croner",
  "ipaddr.js",
  "htmlparser2",
  "node-sql-parser/build/mysql.js",
  "minisearch",
  "temporal-polyfill",
  "chrono-node",
];
const INNER = ["schema", "ports", "machines"];
const CORE = [...INNER, "tools", "toolkits", "prompt", "workflow", "turn", "threads", "migrate", "jobs"];

export const RULES: Readonly<Record<string, Rule>> = {
  machines: { folders: [], packages: ["xstate"] },
  schema: { folders: [], packages: ["zod"] },
  ports: { folders: ["schema"], packages: [] },
  tools: { folders: INNER, packages: PURE_PACKAGES },
  workflow: { folders: ["schema"], packages: ["zod", "yaml", "liquidjs"] },
  toolkits: { folders: [...INNER, "tools"], packages: PURE_PACKAGES },
  // The prompt describes what proves a step and a run; the judge decides it.
  prompt: {
    folders: [...INNER, "tools"],
    files: ["src/turn/judge/step-proof.ts", "src/turn/judge/run-evidence.ts"],
    packages: PURE_PACKAGES,
  },
  turn: { folders: [...INNER, "tools", "prompt", "workflow", "migrate"], packages: PURE_PACKAGES },
  threads: { folders: [...INNER, "tools", "prompt", "workflow", "migrate", "turn"], packages: PURE_PACKAGES },
  migrate: { folders: ["schema"], packages: ["zod"] },
  jobs: {
    folders: [...INNER, "tools", "prompt", "migrate", "turn", "threads"],
    packages: [...PURE_PACKAGES, "standardwebhooks"],
  },
  // Contracts depend only on ports. The crash matrix and the races run real turns with their own tools.
  testing: {
    folders: ["schema", "ports", "tools", "toolkits", "turn", "threads", "adapters"],
    packages: ["zod", "node:assert", "node:assert/strict"],
  },
  adapters: { folders: ["schema", "ports"], packages: null },
  protocols: {
    folders: [...CORE, "http"],
    packages: ["hono", "zod", "@modelcontextprotocol/server", "@opentelemetry/api"],
  },
  http: { folders: [...CORE, "protocols"], packages: ["hono", "zod", "standardwebhooks"] },
  client: { folders: [], typesOf: ["schema"], packages: [] },
  // Offline verification uses the same code as import, because two implementations would diverge. The goal of a
  // model-based judge is cut to the size of an input.
  cli: {
    folders: ["client", "language", "version", "workflow"],
    typesOf: ["schema"],
    files: ["src/schema/export.ts", "src/schema/byte-length.ts", "src/schema/input.ts", "src/tools/truncate-text.ts"],
    packages: null,
  },
  console: { folders: ["client"], typesOf: ["schema", "tools", "toolkits", "workflow"], packages: ["hono", "marked"] },
  hosts: { folders: [...CORE, "adapters", "http", "protocols", "language", "version"], packages: null },
  language: { folders: [], packages: [] },
  version: { folders: ["package.json"], packages: [] },
  // The barrel exports everything, but of the hosts only the parts for embedding.
  index: { folders: [...CORE, "adapters", "http", "client", "hosts"], packages: [] },
};

/** Folders whose code must be deterministic, without a clock, randomness or I/O. */
export const PURE_FOLDERS = [
  "machines",
  "schema",
  "ports",
  "tools",
  "toolkits",
  "prompt",
  "workflow",
  "turn",
  "threads",
  "migrate",
  "jobs",
];

/**
 * Returns the folder that the rule applies to, for example "turn" for "src/turn/judge/judge.ts" and "index" for
 * "src/index.ts".
 */
export function folderOf(path: string): string {
  const [top, second = ""] = path.split("/");
  return top === "src" ? second.replace(/\.tsx?$/, "") : (top ?? "");
}

/** Returns the adapter of a path, which is a file or a folder directly below src/adapters. */
const adapterOf = (path: string): string => path.split("/")[2]?.replace(/\.tsx?$/, "") ?? "";

/** Returns a message for each import that violates the rule. */
export function brokenImports(path: string, tree: Node): readonly string[] {
  const rule = RULES[folderOf(path)];
  if (!rule) return [`${path}: no rule for the folder ${folderOf(path)}`];
  return importsOf(tree)
    .filter((found) => !isAllowed(path, rule, found))
    .map((found) => `${path} imports ${found.typeOnly ? "types of " : ""}${found.from}`);
}

function isAllowed(path: string, rule: Rule, found: Import): boolean {
  if (!found.from.startsWith("."))
    return rule.packages === null || rule.packages.some((name) => matchesPackage(found.from, name));
  const target = posix.join(posix.dirname(path), found.from);
  const folder = folderOf(target);
  if (folder === "adapters" && folderOf(path) === "adapters") return adapterOf(path) === adapterOf(target);
  if (folder === folderOf(path) || rule.folders.includes(folder)) return true;
  if (rule.files?.includes(target)) return true;
  return found.typeOnly && (rule.typesOf ?? []).includes(folder);
}

const matchesPackage = (specifier: string, name: string): boolean =>
  specifier === name || specifier.startsWith(`${name}/`);
