// Holds the toolkits of one host: those for which it has the parts, with their tools, routes and thread hooks, and the absent ones with the reason.
import type { Companions } from "../ports/companions.ts";
import type { DocumentRef, DocumentStore, LoadedDocument, ThreadDocument } from "../ports/documents.ts";
import type { TenantId, ThreadId, ThreadRef } from "../schema/ids.ts";
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

type AllParts = PartsWith<Toolkit["parts"][number]>;

export type PluggedToolkits = {
  readonly routes: readonly ToolkitRoute[];
  readonly companions: Required<Omit<Companions, "imported">>;
  readonly absent: readonly AbsentToolkit[];
  /** Creates the sample data of all toolkits. */
  readonly sample: (target: SampleTarget) => Promise<Result<void>>;
};

/** A tool name used by two toolkits is refused. */
export function plugToolkits(toolbox: Toolbox, toolkits: readonly Toolkit[], parts: Parts): Result<PluggedToolkits> {
  const available = parts as AllParts;
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
        if (await hasData(toolkit, available.documents, target.tenant)) continue;
        const made = await toolkit.sample?.(available, target);
        if (made && !made.ok) return made;
      }
      return ok(undefined);
    },
  });
}

async function hasData(
  { sample_document }: Toolkit,
  documents: DocumentStore | undefined,
  tenant: TenantId,
): Promise<boolean> {
  const found = sample_document && (await documents?.load({ tenant, ...sample_document }));
  return found?.ok === true && found.value !== null;
}

function companionsOf(toolkits: readonly Toolkit[], parts: AllParts): PluggedToolkits["companions"] {
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
    staged: (at, data) => stageAll(toolkits, parts, at, data),
    // A refused import has stored no documents of the thread, so there are none to withdraw.
    withdrawn: (at, data) => {
      const stage = stagedParts(parts, at);
      return inOrder(({ name, threads }) =>
        Object.hasOwn(data, name) ? threads?.withdrawn?.(stage.parts, at, data[name]) : undefined,
      );
    },
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

/** Replaces the document store among the parts by one that only collects documents of the thread, without saving them. */
function stagedParts(parts: AllParts, { thread }: ThreadRef) {
  const staged = parts.documents && stageDocuments(parts.documents, thread);
  return {
    parts: staged ? { ...parts, documents: staged.staging } : parts,
    list: (): readonly ThreadDocument[] => staged?.list() ?? [],
  };
}

/** If this host lacks a toolkit with data, the import is refused, because that data would be lost without notice. */
async function stageAll(
  toolkits: readonly Toolkit[],
  parts: AllParts,
  at: ThreadRef,
  data: Readonly<Record<string, unknown>>,
): Promise<Result<readonly ThreadDocument[]>> {
  const stage = stagedParts(parts, at);
  for (const [name, value] of Object.entries(data)) {
    const importer = toolkits.find((toolkit) => toolkit.name === name)?.threads?.imported;
    if (!importer)
      return fail("export_invalid", `The file has data of the toolkit ${JSON.stringify(name)}, which this host lacks.`);
    const imported = await importer(stage.parts, at, value);
    if (!imported.ok) return imported;
  }
  return ok(stage.list());
}

/** Collects the documents that toolkits save with the id of the thread, instead of storing them. Other documents are stored as usual. */
function stageDocuments(documents: DocumentStore, thread: ThreadId) {
  const staged = new Map<string, LoadedDocument>();
  const isStaged = ({ id }: DocumentRef): boolean => id === thread;
  const { place: _, ...stored } = documents;
  const staging: DocumentStore = {
    ...stored,
    load: async (at) => (isStaged(at) ? ok(staged.get(at.kind) ?? null) : documents.load(at)),
    async save(at, value, expectedVersion) {
      if (!isStaged(at)) return documents.save(at, value, expectedVersion);
      const version = staged.get(at.kind)?.version ?? 0;
      if (version !== expectedVersion) return ok({ saved: false, version });
      staged.set(at.kind, { version: version + 1, value });
      return ok({ saved: true, version: version + 1 });
    },
    async copy(from, to) {
      if (!isStaged(to)) return documents.copy(from, to);
      const found = await staging.load(from);
      if (!found.ok) return found;
      if (found.value === null || staged.has(to.kind)) return ok(false);
      staged.set(to.kind, found.value);
      return ok(true);
    },
    async remove(at) {
      if (!isStaged(at)) return documents.remove(at);
      staged.delete(at.kind);
      return ok(undefined);
    },
  };
  return {
    staging,
    list: (): readonly ThreadDocument[] => [...staged].map(([kind, { value }]) => ({ kind, value })),
  };
}
