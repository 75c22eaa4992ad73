// Creates a toolkit that loads only data at first: its manifests, and what its routes accept. The code is loaded by the
// first call of a tool, the first request of a route, or a thread that it stores data for. Bundles contain such data
// (`scripts/toolkits-on-first-use.ts`).
import type { Manifest } from "../schema/manifest.ts";
import { ok } from "../schema/problem.ts";
import { trustManifest } from "../tools/catalog.ts";
import { found, lazyRoutes, type RouteData } from "../tools/declared/lazy-routes.ts";
import { once } from "../tools/declared/once.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { ToolFactory } from "../tools/toolbox.ts";
import type { PartName, ThreadDataHooks, Toolkit } from "../tools/toolkit.ts";

type AllParts = Parameters<Toolkit["tools"]>[0];
type Hooks = ThreadDataHooks<AllParts>;

export type ToolkitData = Pick<Toolkit, "name" | "parts" | "offered" | "facts" | "sample_document"> & {
  /** The manifests as a catalog has them: checked, with the name and the facts of the toolkit. */
  readonly manifests: readonly Manifest[];
  readonly routes: readonly RouteData[];
  readonly hooks: readonly Exclude<keyof Hooks, "created_for">[];
  readonly created_for?: Hooks["created_for"];
  readonly has_sample?: boolean;
  /** The parts whose presence changes the tools or routes, and whether this data was generated with each. */
  readonly described_for?: Readonly<Partial<Record<PartName, boolean>>>;
};

export function lazyToolkit(data: ToolkitData, load: () => Toolkit): Toolkit {
  const { name, parts, offered, facts, manifests, routes, hooks, created_for, described_for = {} } = data;
  const { has_sample, sample_document } = data;
  const isDescribed = (given: AllParts): boolean =>
    Object.entries(described_for).every(([part, has]) => (given[part as PartName] !== undefined) === has);
  type Hook = (...args: readonly unknown[]) => unknown;
  const callHook =
    (hook: (typeof hooks)[number]): Hook =>
    (...args) => {
      const found = load().threads?.[hook] as Hook;
      return found(...args);
    };
  return {
    name,
    parts,
    offered,
    ...(facts && { facts }),
    tools: (given) => {
      const create = once(() => load().tools(given));
      return isDescribed(given) ? lazyTools(manifests, create) : create();
    },
    routes: (given) => {
      const create = once(() => load().routes?.(given) ?? []);
      return isDescribed(given) ? lazyRoutes(routes, create) : create();
    },
    ...(has_sample && { sample: async (given, target) => load().sample?.(given, target) ?? ok(undefined) }),
    ...(sample_document && { sample_document }),
    threads: {
      ...(created_for && { created_for }),
      ...(Object.fromEntries(hooks.map((hook) => [hook, callHook(hook)])) as Hooks),
    },
  };
}

/** A toolbox calls the factory of a tool when the tool is first called. */
function lazyTools(manifests: readonly Manifest[], tools: () => readonly Tool[]): readonly Tool[] {
  const byName = once(() => new Map(tools().map((tool) => [tool.manifest.name, tool])));
  const factories = manifests.map((manifest): ToolFactory => {
    const trusted = trustManifest(manifest);
    return { manifest: trusted, make: () => ({ ...found(byName(), manifest.name), manifest: trusted }) };
  });
  return factories as readonly unknown[] as readonly Tool[];
}
