// Lifts rows of schema 1 to schema 2. Adds what is missing and changes no stored value, so that old plans keep their meaning.
import { ENTRY_SCHEMA } from "../schema/record.ts";
import { STATE_SCHEMA } from "../schema/thread.ts";

export type StoredObject = Record<string, unknown>;

/** Schema 2 allows more values, so every entry of schema 1 is valid in it. */
export const liftEntry = (raw: StoredObject): StoredObject => ({ ...raw, schema: ENTRY_SCHEMA });

export const liftState = (raw: StoredObject): StoredObject => ({
  // The first release had no toolkits. With null, such a thread keeps the tools that it had.
  toolkits: null,
  ...raw,
  schema: STATE_SCHEMA,
  evidence_kind: evidenceKindOf(raw),
  results: [],
  changes: [],
});

function evidenceKindOf({ evidence, proofs }: StoredObject): string | null {
  if (evidence !== "proven") return evidence === "none" ? "none" : null;
  const kinds = new Set(Array.isArray(proofs) ? proofs.map((proof) => (proof as { kind?: unknown } | null)?.kind) : []);
  if (kinds.has("write")) return "written";
  return kinds.has("observation") ? "observed" : kinds.has("reply") ? "replied" : "none";
}
