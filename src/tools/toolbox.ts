// Holds the tools of a runtime. Manifests are available to everyone, handlers only to run-tool.
import type { ThreadRef } from "../schema/ids.ts";
import type { Manifest } from "../schema/manifest.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import { type Catalog, createCatalog, isTrusted } from "./catalog.ts";
import type { Tool } from "./define-tool.ts";
import type { Toolkit, ToolkitOffer } from "./toolkit.ts";

/** A tool that needs a separate instance for every thread. All instances have the same manifest. */
export type ToolFactory = { readonly manifest: Manifest; readonly make: (at: ThreadRef) => Tool };

export type ToolkitEntry = { readonly name: string; readonly offered: ToolkitOffer };

export type Toolbox = {
  /** The manifests of all tools. Nothing in the catalog can be run. */
  readonly catalog: Catalog;
  readonly manifests: () => readonly Manifest[];
  readonly tool: (name: string, at: ThreadRef) => Tool | null;
  /** Adds tools while threads run. A tool of the same name is replaced. Stops at the first tool that is refused. */
  readonly register: (...tools: readonly (Tool | ToolFactory)[]) => Result<void>;
  readonly remove: (name: string) => boolean;
  /** Registers the tools of a toolkit under its name. */
  readonly plug: (toolkit: ToolkitEntry & Pick<Toolkit, "facts"> & { readonly tools: readonly Tool[] }) => Result<void>;
  /** Replaces all tools of a toolkit. A tool is omitted if its name is taken by another toolkit. */
  readonly replace: (toolkit: string, tools: readonly Tool[]) => void;
  readonly toolkits: () => readonly ToolkitEntry[];
};

export function createToolbox(tools: readonly (Tool | ToolFactory)[]): Toolbox {
  const catalog = createCatalog();
  const handlers = new Map<string, Tool | ToolFactory>();
  const toolkits = new Map<string, ToolkitEntry>();
  const register: Toolbox["register"] = (...more) => {
    for (const tool of more) {
      const registered = catalog.register(tool.manifest);
      if (!registered.ok) return registered;
      handlers.set(tool.manifest.name, tool);
    }
    return ok(undefined);
  };
  const registered = register(...tools);
  if (!registered.ok) throw new Error(registered.problem.message);
  return {
    catalog,
    manifests: catalog.all,
    tool: (name, at) => {
      const entry = handlers.get(name);
      if (!entry) return null;
      return "make" in entry ? entry.make(at) : entry;
    },
    register,
    remove: (name) => handlers.delete(name) && catalog.remove(name),
    plug({ name, offered, facts, tools: toolkitTools }) {
      if (toolkits.has(name)) return fail("config_invalid", `Two toolkits are named ${JSON.stringify(name)}.`);
      toolkits.set(name, { name, offered });
      const shared = facts ? { facts: [...facts] } : {};
      return register(
        ...toolkitTools.map((tool) =>
          isTrusted(tool.manifest) ? tool : { ...tool, manifest: { ...shared, ...tool.manifest, toolkit: name } },
        ),
      );
    },
    replace(toolkit, newTools) {
      const names = new Set(newTools.map(({ manifest }) => manifest.name));
      for (const { name, toolkit: owner } of catalog.all())
        if (owner === toolkit && !names.has(name)) {
          handlers.delete(name);
          catalog.remove(name);
        }
      for (const tool of newTools) {
        const owner = catalog.get(tool.manifest.name)?.toolkit ?? toolkit;
        if (owner === toolkit) register({ ...tool, manifest: { ...tool.manifest, toolkit } });
      }
    },
    toolkits: () => [...toolkits.values()],
  };
}
