// Deliberately broken documents, each in one way, outside the toolkits.
import type { DocumentRef, DocumentStore } from "../../../src/ports/documents.ts";
import type { ToolkitSabotage } from "./toolkits-history.ts";

type Broken = ToolkitSabotage & { readonly name: string; readonly caughtBy: RegExp };
type Change = (value: Record<string, unknown>) => Record<string, unknown>;

const changed = (at: DocumentRef, kind: string, value: unknown, change: Change): unknown =>
  at.kind === kind ? change(value as Record<string, unknown>) : value;

/** Changes every document of a kind on its way to the store. */
const onSave = (kind: string, change: Change) => (inner: DocumentStore) => ({
  ...inner,
  save: (...[at, value, over]: Parameters<DocumentStore["save"]>) =>
    inner.save(at, changed(at, kind, value, change), over),
});

const onLoad = (kind: string, change: Change) => (inner: DocumentStore) => ({
  ...inner,
  load: async (at: DocumentRef) => {
    const loaded = await inner.load(at);
    if (!loaded.ok || !loaded.value) return loaded;
    return { ok: true as const, value: { ...loaded.value, value: changed(at, kind, loaded.value.value, change) } };
  },
});

const mapList =
  (field: string, change: Change): Change =>
  (value) => ({ ...value, [field]: (value[field] as Record<string, unknown>[]).map(change) });

export const BROKEN_TOOLKITS: readonly Broken[] = [
  {
    name: "a change of the calendar is not found by its key",
    documents: onLoad(
      "calendar_heads",
      mapList("changes", (one) => ({ ...one, key: `${String(one.key)}?` })),
    ),
    caughtBy: /^T1 .*(?:took effect 2 times|has no recorded call)/,
  },
  {
    name: "an undo of the calendar takes nothing back",
    documents: onSave(
      "calendar_heads",
      mapList("changes", (one) => ({ ...one, before: one.before && {} })),
    ),
    caughtBy: /^T1 the calendar has/,
  },
  {
    name: "a memory forgets which call saved it",
    documents: onLoad(
      "memory",
      mapList("memories", (one) => ({ ...one, effect: "none", previous: [] })),
    ),
    caughtBy: /^T2 .* took effect 2 times/,
  },
  {
    name: "a memory is saved over a newer version",
    documents: (inner) => ({
      ...inner,
      save: async (at, value, over) => {
        const newest = await inner.load(at);
        return inner.save(at, value, at.kind === "memory" && newest.ok ? (newest.value?.version ?? 0) : over);
      },
    }),
    caughtBy: /^T2 /,
  },
  {
    name: "a text that a worker has started is given to another one",
    documents: onLoad(
      "desktop",
      mapList("tasks", (one) => (one.state === "started" ? { ...one, state: "claimed" } : one)),
    ),
    caughtBy: /^T3 .* took effect 2 times/,
  },
  {
    name: "an undo of the timetable restores nothing",
    documents: onSave("calendar", (value) => ({
      ...value,
      previous: value.previous && { what: "a change", placements: [] },
    })),
    caughtBy: /^T4 .* did not restore/,
  },
];
