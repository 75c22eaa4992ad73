// Bundles only the data of toolkits for a host whose parts are known. The code of each toolkit is a file that is loaded
// on its first use. Tools are called synchronously, so Node's `require`, which loads ES modules, is used instead of
// `import()`.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "esbuild";
import type { ToolkitData } from "../src/toolkits/lazy-toolkit.ts";
import { createToolbox } from "../src/tools/toolbox.ts";
import { absentToolkits, type PartName, type Toolkit } from "../src/tools/toolkit.ts";
import { toolkitStub } from "./on-first-call.ts";
import { describeRoute } from "./routes-on-first-use.ts";

const LIST = "src/toolkits/index.ts";
const MCP = "src/toolkits/mcp/toolkit.ts";
const IMPORT = /^import \{ (\w+) \} from "(\.\/[^"]+\/[^"]+)";$/gm;

type AllParts = Parameters<Toolkit["tools"]>[0];
type Listed = { readonly toolkit: Toolkit; readonly exported: string; readonly path: string };

export type ToolkitBundle = {
  readonly plugin: Plugin;
  /** The entries that contain the code of the toolkits. */
  readonly entries: Readonly<Record<string, string>>;
};

async function listToolkits(root: string): Promise<readonly Listed[]> {
  const list = join(root, LIST);
  const imports = [...readFileSync(list, "utf8").matchAll(IMPORT)];
  return Promise.all(
    imports.map(async ([, exported = "", from = ""]) => {
      const path = join(dirname(list), from);
      return { toolkit: (await import(path))[exported], exported, path };
    }),
  );
}

/** Returns parts that accept everything. Tools and routes are only created and never called, so any part will do. */
export function stubParts(names: readonly PartName[]): AllParts {
  const anything: unknown = new Proxy(() => anything, { get: () => anything, apply: () => anything });
  return Object.fromEntries([...names, "clock"].map((name) => [name, anything])) as AllParts;
}

function describeToolkit({ name, parts, offered, facts, ...toolkit }: Toolkit, given: AllParts): ToolkitData {
  const { created_for, ...hooks } = toolkit.threads ?? {};
  const toolbox = createToolbox([]);
  const plugged = toolbox.plug({ name, offered, ...(facts && { facts }), tools: toolkit.tools(given) });
  if (!plugged.ok) throw new Error(plugged.problem.message);
  return {
    name,
    parts,
    offered,
    ...(facts && { facts }),
    manifests: toolbox.manifests(),
    routes: (toolkit.routes?.(given) ?? []).map(describeRoute),
    hooks: Object.keys(hooks) as (keyof typeof hooks)[],
    ...(created_for && { created_for }),
    ...(toolkit.sample && { has_sample: true }),
    ...(toolkit.sample_document && { sample_document: toolkit.sample_document }),
  };
}

const entryOf = (name: string): string => `toolkit-${name}`;

export async function toolkitsOnFirstUse(root: string, host: readonly PartName[]): Promise<ToolkitBundle> {
  const listed = await listToolkits(root);
  const absent = absentToolkits(
    listed.map(({ toolkit }) => toolkit),
    host,
  );
  const present = listed.filter(({ toolkit }) => !absent.some(({ name }) => name === toolkit.name));
  const parts = stubParts(host);
  const lines = listed.map(({ toolkit, exported }) => {
    if (!present.some((one) => one.toolkit === toolkit)) return JSON.stringify(pickEntry(toolkit));
    const data = JSON.stringify(JSON.stringify(describeToolkit(toolkit, parts)));
    return `lazyToolkit(JSON.parse(${data}), () => require("./${entryOf(toolkit.name)}.mjs").${exported})`;
  });
  const contents = `import { createRequire } from "node:module";
import { lazyToolkit } from "./lazy-toolkit.ts";
export { mcpToolkit } from "./mcp/toolkit.ts";
const require = createRequire(import.meta.url);
export const TOOLKITS = [${lines.join(",\n")}];`;
  return {
    entries: Object.fromEntries(present.map(({ toolkit, path }) => [entryOf(toolkit.name), path])),
    plugin: {
      name: "toolkits-on-first-use",
      setup: ({ onLoad }) =>
        onLoad({ filter: /src.toolkits.index\.ts$/ }, () => ({
          contents,
          loader: "ts",
          resolveDir: dirname(join(root, LIST)),
        })),
    },
  };
}

/** Returns the only fields that are read of an absent toolkit. */
const pickEntry = ({ name, parts, offered }: Toolkit) => ({ name, parts, offered });

/** The parts of the Node host. Parts that only its configuration adds are false. */
export const NODE_PARTS: Readonly<Record<PartName, boolean>> = {
  ...{ files: true, process: true, powershell: true, documents: true, fetch: true },
  ...{ schedules: true, triggers: true, crew: true },
  ...{ data: false, channels: false, code: false, language: false, images: false, search: false },
  ...{ skills: false, dav: false },
};
const PART_NAMES = Object.keys(NODE_PARTS) as PartName[];

/** Describes a toolkit for the Node host and determines which other parts the description depends on. */
export function describeForNode(toolkit: Toolkit): ToolkitData {
  const usual = PART_NAMES.filter((name) => NODE_PARTS[name]);
  const describe = (names: readonly PartName[]) => describeToolkit(toolkit, stubParts(names));
  const described = describe(usual);
  const depends = (part: PartName): boolean => {
    const others = usual.includes(part) ? usual.filter((name) => name !== part) : [...usual, part];
    return JSON.stringify(describe(others)) !== JSON.stringify(described);
  };
  const parts = PART_NAMES.filter((name) => !toolkit.parts.includes(name) && depends(name));
  return { ...described, described_for: Object.fromEntries(parts.map((name) => [name, NODE_PARTS[name]])) };
}

const FIRST_CALL = "on-first-call";
const fileOf = ({ toolkit }: Listed): string => `${FIRST_CALL}/${entryOf(toolkit.name)}`;

/** Unlike the list of a bundle, it supports parts that only the configuration adds. */
export async function serverToolkits(root: string): Promise<ToolkitBundle> {
  const listed = await listToolkits(root);
  const lines = listed.map((one) => {
    const loaded = `require("./${fileOf(one)}.js").${one.exported}`;
    if (!one.toolkit.parts.every((part) => NODE_PARTS[part])) return toolkitStub(one.toolkit, loaded);
    return `lazyToolkit(JSON.parse(${JSON.stringify(JSON.stringify(describeForNode(one.toolkit)))}), () => ${loaded})`;
  });
  const contents = `import { createRequire } from "node:module";
import { lazyToolkit } from "./lazy-toolkit.ts";
const require = createRequire(import.meta.url);
export const TOOLKITS = [${lines.join(",\n")}];`;
  return {
    entries: Object.fromEntries(listed.map((one) => [fileOf(one), one.path])),
    plugin: {
      name: "server-toolkits",
      setup: ({ onResolve, onLoad }) => {
        // Only the server imports this file, so the list is in `dist/serve.js`, next to the folder with the code.
        onResolve({ filter: /toolkits.index\.ts$/ }, ({ importer }) => {
          if (importer.endsWith("node-runtime.ts")) return { path: LIST, namespace: "server-toolkits" };
          // This file uses only this toolkit and would otherwise load all others.
          return importer.endsWith("mcp-servers.ts") ? { path: join(root, MCP) } : null;
        });
        onLoad({ filter: /.*/, namespace: "server-toolkits" }, () => ({
          contents,
          loader: "ts",
          resolveDir: dirname(join(root, LIST)),
        }));
      },
    },
  };
}
