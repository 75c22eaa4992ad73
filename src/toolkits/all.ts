// Exports the built-in tools without their toolkits, for programs that register tools one by one, and the manifests of
// all tools.
import type { Fetcher } from "../ports/fetcher.ts";
import type { Manifest } from "../schema/manifest.ts";
import { confineToRoots } from "../tools/confine-to-roots.ts";
import type { Tool } from "../tools/define-tool.ts";
import { createToolbox } from "../tools/toolbox.ts";
import type { OperationsFor, Parts, PartsWith, Toolkit } from "../tools/toolkit.ts";
import { basics } from "./basics/toolkit.ts";
import { files } from "./files/toolkit.ts";
import { TOOLKITS } from "./index.ts";
import { shell } from "./shell/toolkit.ts";
import { web } from "./web/toolkit.ts";

type AllParts = PartsWith<Toolkit["parts"][number]>;

const toolsOf = (toolkits: readonly Toolkit[], parts: Partial<Parts>): readonly Tool[] =>
  toolkits.flatMap((toolkit) => toolkit.tools(parts as AllParts));

function workspaceParts(operations: OperationsFor): Pick<Parts, "files" | "process"> {
  const confined = confineToRoots(operations);
  return { files: confined, process: confined };
}

export const fileTools = (operations: OperationsFor): readonly Tool[] =>
  toolsOf([files, shell], workspaceParts(operations));

export type BuiltinParts = { readonly operations: OperationsFor; readonly fetcher: Fetcher };

export const builtinTools = ({ operations, fetcher }: BuiltinParts): readonly Tool[] =>
  toolsOf([files, shell, web, basics], { ...workspaceParts(operations), fetch: fetcher });

/** The manifests of all toolkits. The tools behind them have no dependencies, so they must not be run. */
export function toolkitManifests(): readonly Manifest[] {
  const unavailable = new Proxy({}, { get: () => unavailable }) as AllParts;
  const toolbox = createToolbox([]);
  for (const { name, offered, facts, tools } of TOOLKITS) {
    const plugged = toolbox.plug({ name, offered, ...(facts && { facts }), tools: tools(unavailable) });
    if (!plugged.ok) throw new Error(plugged.problem.message);
  }
  return toolbox.manifests();
}
