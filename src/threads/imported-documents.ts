// Makes the documents of an imported thread readable exactly when its records are. The store creates a thread in one step, so the content of its
// documents is stored as blobs of that step, and one row beside the log names them. Each document is a placeholder until then. Without the row, a
// placeholder reads as no document, so an import that stops early or loses against another request leaves nothing visible.
import * as z from "zod";
import type { DocumentRef, DocumentStore, LoadedDocument, ThreadDocument } from "../ports/documents.ts";
import { type Delivery, NEVER_DUE, type StoredBlob, type ThreadStore } from "../ports/thread-store.ts";
import { ThreadId, type ThreadRef } from "../schema/ids.ts";
import { canonicalJson } from "../schema/json/canonical-json.ts";
import { parseJson } from "../schema/json/parse-json.ts";
import { fail, ok, type Result } from "../schema/problem.ts";

/** The id of the row that names the blobs of the documents. It is written with the records of every import. */
const ROW_ID = "imported";
const ImportRow = z.object({ kind: z.literal("imported"), documents: z.record(z.string(), z.string()) });

const PLACEHOLDER = { imported_with_thread: true } as const;
const Placeholder = z.strictObject({ imported_with_thread: z.literal(true) });
const isPlaceholder = (value: unknown): boolean => Placeholder.safeParse(value).success;

const TRIES_MAX = 10;

type Rows = Pick<ThreadStore, "deliveries" | "getBlob">;
export type PreparedDocuments = {
  readonly kinds: readonly string[];
  readonly blobs: readonly StoredBlob[];
  readonly row: Delivery;
};

export function prepareDocuments(
  { sha256 }: { readonly sha256: (text: string) => string },
  at: ThreadRef,
  documents: readonly ThreadDocument[],
): PreparedDocuments {
  const texts = documents.map(({ kind, value }) => ({ kind, text: JSON.stringify(value) }));
  const named = texts.map(({ kind, text }) => ({ kind, hash: sha256(text), text }));
  const body: z.infer<typeof ImportRow> = {
    kind: "imported",
    documents: Object.fromEntries(named.map(({ kind, hash }) => [kind, hash])),
  };
  const row = { ...at, id: ROW_ID, due_at: NEVER_DUE, attempts: 0, body: JSON.stringify(body) };
  return { kinds: named.map(({ kind }) => kind), blobs: named.map(({ hash, text }) => ({ hash, text })), row };
}

/**
 * Stores the placeholders. Called before the thread is stored, and again afterwards, because a removal of an earlier thread of this id may have
 * removed them. `isFree` states whether the id is still free: only then is an existing document a leftover, which is replaced.
 */
export async function placeDocuments(
  documents: DocumentStore,
  at: ThreadRef,
  { kinds }: PreparedDocuments,
  isFree: () => Promise<Result<boolean>>,
): Promise<Result<void>> {
  for (const kind of kinds) {
    const placed = await placeOne(documents, { tenant: at.tenant, kind, id: at.thread }, isFree);
    if (!placed.ok) return placed;
  }
  return ok(undefined);
}

async function placeOne(
  documents: DocumentStore,
  place: DocumentRef,
  isFree: () => Promise<Result<boolean>>,
): Promise<Result<void>> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const loaded = await documents.load(place);
    if (!loaded.ok) return loaded;
    if (loaded.value && isPlaceholder(loaded.value.value)) return ok(undefined);
    // Checked after the document was read: a thread that is created from now on changes the version of its document.
    const free = loaded.value ? await isFree() : ok(true);
    if (!free.ok || !free.value) return free.ok ? ok(undefined) : free;
    const saved = await documents.save(place, PLACEHOLDER, loaded.value?.version ?? 0);
    if (!saved.ok) return saved;
    if (saved.value.saved) return ok(undefined);
  }
  return fail("store_unavailable", `Other requests keep changing the ${place.kind} of ${place.id}.`);
}

/**
 * True if the stored thread was created with these documents. Two files can have the same records and other documents; a store takes a repeated
 * record for one of its own.
 */
export async function isStoredWith(store: Rows, at: ThreadRef, { row }: PreparedDocuments): Promise<Result<boolean>> {
  const stored = await documentsOf(store, at);
  if (!stored.ok) return stored;
  // Every import stores the row, so without it the thread was removed in the meantime.
  return ok(
    stored.value === null ||
      canonicalJson(stored.value) === canonicalJson(ImportRow.parse(parseJson(row.body)).documents),
  );
}

async function documentsOf(store: Rows, at: ThreadRef): Promise<Result<Readonly<Record<string, string>> | null>> {
  const rows = await store.deliveries(at, 1, ROW_ID);
  if (!rows.ok) return rows;
  return ok(ImportRow.safeParse(parseJson(rows.value[0]?.body ?? "null")).data?.documents ?? null);
}

/** Returns the documents as toolkits see them: with the imported document in place of its placeholder. */
export function withImportedDocuments(documents: DocumentStore, store: Rows): DocumentStore {
  async function read(at: DocumentRef, loaded: LoadedDocument | null): Promise<Result<LoadedDocument | null>> {
    if (loaded === null || !isPlaceholder(loaded.value)) return ok(loaded);
    const thread = ThreadId.safeParse(at.id);
    if (!thread.success) return ok(loaded);
    const ref = { tenant: at.tenant, thread: thread.data };
    const imported = await documentsOf(store, ref);
    if (!imported.ok) return imported;
    const hash = imported.value?.[at.kind];
    if (hash === undefined) return ok(null);
    const text = await store.getBlob(ref, hash);
    return text.ok ? ok({ version: loaded.version, value: parseJson(text.value) }) : text;
  }
  const load: DocumentStore["load"] = async (at) => {
    const loaded = await documents.load(at);
    return loaded.ok ? read(at, loaded.value) : loaded;
  };
  return {
    ...documents,
    load,
    async save(at, value, expectedVersion) {
      const saved = await documents.save(at, value, expectedVersion);
      if (!saved.ok || saved.value.saved || expectedVersion !== 0) return saved;
      // For the caller there is no document, but there may be a placeholder of an import that has not created this thread.
      const found = await documents.load(at);
      if (!found.ok || found.value === null) return found.ok ? saved : found;
      const readable = await read(at, found.value);
      if (!readable.ok || readable.value !== null) return readable.ok ? saved : readable;
      return documents.save(at, value, found.value.version);
    },
    async copy(from, to) {
      const found = await documents.load(from);
      if (!found.ok) return found;
      if (found.value === null || !isPlaceholder(found.value.value)) return documents.copy(from, to);
      // The copy is stored in full, because the other thread has neither the row nor the blob.
      const readable = await read(from, found.value);
      if (!readable.ok || readable.value === null) return readable.ok ? ok(false) : readable;
      const saved = await documents.save(to, readable.value.value, 0);
      return saved.ok ? ok(saved.value.saved) : saved;
    },
  };
}
