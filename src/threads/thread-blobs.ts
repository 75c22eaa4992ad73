// Reads the rows of a thread, the blobs that they name in their text, and the blobs of virtual files through their index.
import type { StoredBlob, StoredRecord } from "../ports/thread-store.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";
import { hashesIn } from "../workflow/nodes.ts";

const BLOB_NAME = /"(blob|[a-z_]+_blob|prompt_hash)":"([0-9a-f]{64})"/g;
/** Fields that name an index, which is a blob whose fields name other blobs. */
const INDEXES = new Set(["files_blob"]);
/** Fields that name a workflow node, which may contain hashes of other nodes anywhere. */
const NODES = new Set(["workflow_blob", "start_blob", "step_blob"]);

type ThreadRows = { readonly rows: readonly StoredRecord[]; readonly blobs: readonly StoredBlob[] };

/** Reads a thread up to a version. Records that are committed in the meantime are not included. */
export async function readThreadRows(
  rt: Pick<Runtime, "store">,
  at: ThreadRef,
  version: number,
): Promise<Result<ThreadRows>> {
  const rows: StoredRecord[] = [];
  while (rows.length <= version) {
    const limit = Math.min(ROWS_PAGE, version + 1 - rows.length);
    const page = await rt.store.records(at, { after: rows.length - 1, limit });
    if (!page.ok) return page;
    // The thread was removed while it was read.
    if (page.value.length === 0) return fail("thread_not_found", `There is no thread ${at.thread}.`);
    rows.push(...page.value);
  }
  const blobs = await blobsOf(rt, at, rows);
  return blobs.ok ? ok({ rows, blobs: blobs.value }) : blobs;
}

const ROWS_PAGE = 100;

/** An expired blob is skipped, because the thread works without it. In a thread that was removed in the meantime, all blobs are missing. */
async function blobsOf(
  rt: Pick<Runtime, "store">,
  at: ThreadRef,
  rows: readonly StoredRecord[],
): Promise<Result<readonly StoredBlob[]>> {
  const blobs: StoredBlob[] = [];
  const names = new Set<string>();
  const indexes = new Set<string>();
  const nodes = new Set<string>();
  const collect = (text: string): void => {
    for (const [, field = "", name = ""] of text.matchAll(BLOB_NAME)) {
      names.add(name);
      if (INDEXES.has(field)) indexes.add(name);
      if (NODES.has(field)) nodes.add(name);
    }
  };
  for (const row of rows) for (const text of [row.entry, row.state]) collect(text);
  let complete = true;
  const visited = new Set<string>();
  // Blobs that are named in another blob are read with the next page.
  for (let page = nextPage(names, visited); page.length > 0; page = nextPage(names, visited)) {
    const texts = await readBlobs(rt, at, page);
    if (!texts.ok) return texts;
    for (const name of page) {
      visited.add(name);
      const text = texts.value.get(name);
      if (text === undefined) {
        complete = false;
        continue;
      }
      if (indexes.has(name)) collect(text);
      if (nodes.has(name)) for (const hash of hashesIn(text)) names.add(hash);
      blobs.push({ hash: name, text });
    }
  }
  const thread = complete ? ok(undefined) : await rt.store.load(at, 1);
  return thread.ok ? ok(blobs) : thread;
}

/** Keeps a page below 16 MB, even if each blob has the maximum size of a DynamoDB item. */
const BLOBS_PAGE = 40;

const nextPage = (names: ReadonlySet<string>, visited: ReadonlySet<string>): readonly string[] =>
  [...names].filter((name) => !visited.has(name)).slice(0, BLOBS_PAGE);

async function readBlobs(
  { store }: Pick<Runtime, "store">,
  at: ThreadRef,
  names: readonly string[],
): Promise<Result<ReadonlyMap<string, string>>> {
  if (store.getBlobs) return store.getBlobs(at, names);
  const texts = new Map<string, string>();
  for (const name of names) {
    const blob = await store.getBlob(at, name);
    if (blob.ok) texts.set(name, blob.value);
    else if (blob.problem.code !== "blob_not_found") return blob;
  }
  return ok(texts);
}
