// Bundles only the data of routes that few instances serve. The first request loads the code of each file.
import { join } from "node:path";
import type { Plugin } from "esbuild";
import type { Route } from "../src/http/route.ts";
import type { RouteData } from "../src/tools/declared/lazy-routes.ts";
import type { RouteDescription, RouteInfo, ToolkitRoute } from "../src/tools/route.ts";

/** Files that each export one list of routes, with a name such as `a2aRoutes`. */
const FILES = {
  a2a: "src/protocols/a2a/routes.ts",
  agui: "src/protocols/agui/routes.ts",
  ai: "src/protocols/ai/routes.ts",
  mcp: "src/protocols/mcp/routes.ts",
  openai: "src/protocols/openai/routes.ts",
  "background-runs": "src/http/routes/background-runs.ts",
  export: "src/http/routes/export.ts",
  "inbound-events": "src/http/routes/inbound-events.ts",
  "inbound-webhooks": "src/http/routes/inbound-webhooks.ts",
  operations: "src/http/routes/operations.ts",
  schedules: "src/http/routes/schedules.ts",
  "turn-log": "src/http/routes/turn-log.ts",
  tools: "src/http/routes/tools.ts",
  "workflow-steps": "src/http/routes/workflow-steps.ts",
  workflows: "src/http/routes/workflows.ts",
};

/** The fields of a description that contain schemas. */
const SCHEMA_FIELDS = new Set<keyof RouteDescription>(["query", "body", "responses", "problem_body"]);

type Described = RouteInfo<string> &
  Pick<ToolkitRoute, "body_bytes_max" | "decode_body"> & { readonly handler: unknown };

export const describeRoute = ({ handler: _, decode_body, openapi, ...info }: Described): RouteData => ({
  ...info,
  decodes_body: decode_body !== undefined,
  openapi: openapi && splitDescription(openapi),
});

function splitDescription(openapi: RouteDescription<string>) {
  const fields = Object.entries(openapi);
  const isLoaded = ([name]: [string, unknown]): boolean => SCHEMA_FIELDS.has(name as keyof RouteDescription);
  return {
    data: Object.fromEntries(fields.filter((field) => !isLoaded(field))),
    loaded: fields.filter(isLoaded).map(([name]) => name),
  };
}

const entryOf = (name: string): string => `routes-${name}`;

async function stubOf(root: string, name: string, file: string): Promise<string> {
  const module: Readonly<Record<string, readonly Route[]>> = await import(join(root, file));
  const exported = Object.keys(module).find((key) => key.endsWith("Routes")) ?? "";
  const data = JSON.stringify(JSON.stringify(module[exported]?.map(describeRoute)));
  return `import { createRequire } from "node:module";
import { lazyRoutes } from ${JSON.stringify(join(root, "src/tools/declared/lazy-routes.ts"))};
const require = createRequire(import.meta.url);
export const ${exported} = lazyRoutes(JSON.parse(${data}), () => require("./${entryOf(name)}.mjs").${exported});`;
}

export function routesOnFirstUse(root: string): { plugin: Plugin; entries: Readonly<Record<string, string>> } {
  const files = Object.entries(FILES);
  return {
    entries: Object.fromEntries(files.map(([name, file]) => [entryOf(name), join(root, file)])),
    plugin: {
      name: "routes-on-first-use",
      setup: ({ onResolve, onLoad }) => {
        onResolve({ filter: /routes|export|inbound-webhooks|schedules|workflow/ }, ({ path, resolveDir, importer }) => {
          const named = files.find(([, file]) => join(root, file) === join(resolveDir, path));
          return named && importer.endsWith("app.ts") ? { path: named[0], namespace: "first-request" } : null;
        });
        onLoad({ filter: /.*/, namespace: "first-request" }, async ({ path }) => ({
          contents: await stubOf(root, path, FILES[path as keyof typeof FILES]),
          resolveDir: root,
        }));
      },
    },
  };
}
