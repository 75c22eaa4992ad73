// Holds the toolkits of one host: those for which it has the parts, with their tools, routes and thread hooks, and the absent ones with the reason.
import type { Companions } from "../ports/companions.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { ToolkitRoute } from "./route.ts";
import type { Toolbox } from "./toolbox.ts";
import {
  type AbsentToolkit,
  absentToolkits,
  type Parts,
  type PartsWith,
  type SampleTarget,
  type Toolkit,
} from "./toolkit.ts";

export type PluggedToolkits = {
  readonly routes: readonly ToolkitRoute[];
  readonly companions: Required<Companions>;
  readonly absent: readonly AbsentToolkit[];
  /** Creates the sample data of all toolkits. */
  readonly sample: (target: SampleTarget) => Promise<Result<void>>;
};

/** Registers the tools of all available toolkits. A name used by two toolkits is refused. */
export function plugToolkits(toolbox: Toolbox, toolkits: readonly Toolkit[], parts: Parts): Result<PluggedToolkits> {
  const available = parts as PartsWith<Toolkit["parts"][number]>;
  const names = Object.keys(parts).filter((name) => parts[name as keyof Parts] !== undefined);
  const absent = absentToolkits(toolkits, names);
  const present = toolkits.filter(({ name }) => !absent.some((one) => one.name === name));
  for (const { name, offered, facts, tools, watch } of present) {
    const plugged = toolbox.plug({ name, offered, ...(facts && { facts }), tools: tools(available) });
    if (!plugged.ok) return plugged;
    watch?.((newTools) => toolbox.replace(name, newTools));
  }
  return ok({
    routes: present.flatMap(({ routes }) => routes?.(available) ?? []),
    companions: companionsOf(present, available),
    absent,
    sample: async (target) => {
      for (const toolkit of present) {
        const made = await toolkit.sample?.(available, target);
        if (made && !made.ok) return made;
      }
      return ok(undefined);
    },
  });
}

type AllParts = PartsWith<Toolkit["parts"][number]>;

function companionsOf(toolkits: readonly Toolkit[], parts: AllParts): Required<Companions> {
  const inOrder = async (run: (toolkit: Toolkit) => Promise<Result<void>> | undefined): Promise<Result<void>> => {
    for (const toolkit of toolkits) {
      const done = await run(toolkit);
      if (done && !done.ok) return done;
    }
    return ok(undefined);
  };
  return {
    created: (tenant, input) =>
      inOrder(({ threads }) => {
        const field = threads?.created_for;
        return field && input[field] === undefined ? undefined : threads?.created?.(parts, tenant, input);
      }),
    forked: (from, to) => inOrder(({ threads }) => threads?.forked?.(parts, from, to)),
    removed: (at) => inOrder(({ threads }) => threads?.removed?.(parts, at)),
    exported: (at) => exportAll(toolkits, parts, at),
    imported: (at, data) => importAll(toolkits, parts, at, data),
    withdrawn: (at, data) =>
      inOrder(({ name, threads }) =>
        Object.hasOwn(data, name) ? threads?.withdrawn?.(parts, at, data[name]) : undefined,
      ),
  };
}

async function exportAll(
  toolkits: readonly Toolkit[],
  parts: AllParts,
  at: ThreadRef,
): Promise<Result<Record<string, unknown>>> {
  const data: Record<string, unknown> = {};
  for (const { name, threads } of toolkits) {
    const exported = await threads?.exported?.(parts, at);
    if (exported && !exported.ok) return exported;
    if (exported && exported.value !== null) data[name] = exported.value;
  }
  return ok(data);
}

/** Imports the data of all toolkits. Refuses the import if this host lacks a toolkit with data, because that data would be lost without notice. */
async function importAll(
  toolkits: readonly Toolkit[],
  parts: AllParts,
  at: ThreadRef,
  data: Readonly<Record<string, unknown>>,
): Promise<Result<void>> {
  for (const [name, value] of Object.entries(data)) {
    const importer = toolkits.find((toolkit) => toolkit.name === name)?.threads?.imported;
    if (!importer)
      return fail("export_invalid", `The file has data of the toolkit ${JSON.stringify(name)}, which this host lacks.`);
    const imported = await importer(parts, at, value);
    if (!imported.ok) return imported;
  }
  return ok(undefined);
}
