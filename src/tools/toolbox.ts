// The tools of a runtime, taken apart: manifests for everybody, handlers for run-tool alone.
import type { Manifest } from "../schema/manifest.ts";
import type { Tool } from "./define-tool.ts";

export type Toolbox = {
  /** All manifests, by name. Holds no handler. */
  readonly manifests: () => readonly Manifest[];
  readonly tool: (name: string) => Tool | null;
  /** Adds tools while threads run; one of the same name is replaced. */
  readonly register: (...tools: readonly Tool[]) => void;
};

export function createToolbox(tools: readonly Tool[]): Toolbox {
  const byName = new Map<string, Tool>();
  const register = (...more: readonly Tool[]): void => {
    for (const tool of more) byName.set(tool.manifest.name, tool);
  };
  register(...tools);
  return {
    manifests: () => [...byName.values()].map((tool) => tool.manifest),
    tool: (name) => byName.get(name) ?? null,
    register,
  };
}
