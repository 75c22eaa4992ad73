// The files of a thread without a disk: an index, and one blob per file. Others see a write when the record with its receipt is committed.
import { retryUnavailable } from "../../ports/retry.ts";
import type { StoredBlob } from "../../ports/thread-store.ts";
import type { VirtualFiles } from "../../ports/virtual-files.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { decodeText, encodeText } from "../../tools/text-format.ts";
import type { Runtime } from "../runtime.ts";

/** Limits the size of the file itself. Encoded as text in a blob, it can be a third larger. */
export const THREAD_FILE_BYTES_MAX = 4_194_304;

/** Export and fork use these field names to find the blob of a file. */
type IndexEntry = { readonly path: string; readonly size: number; readonly blob: string };
type Index = ReadonlyMap<string, IndexEntry>;

export type FilesChange = { readonly files_blob: string | null; readonly blobs: readonly StoredBlob[] };
export type ThreadFiles = {
  readonly files: VirtualFiles;
  /** Returns null if nothing changed. */
  readonly change: () => FilesChange | null;
};

export function createThreadFiles(
  rt: Pick<Runtime, "store" | "hash">,
  at: ThreadRef,
  files_blob: string | null,
): ThreadFiles {
  const written = new Map<string, string>();
  let index: Index | null = null;
  let changed = false;
  const load = async (): Promise<Result<Index>> => {
    if (index) return ok(index);
    const text = files_blob === null ? ok("[]") : await retryUnavailable(() => rt.store.getBlob(at, files_blob));
    if (!text.ok) return text;
    index = new Map((JSON.parse(text.value) as IndexEntry[]).map((file) => [file.path, file]));
    return ok(index);
  };
  const withIndex = async <T>(use: (index: Index) => T | Promise<T>): Promise<T | Failed> => {
    const loaded = await load();
    return loaded.ok ? use(loaded.value) : loaded;
  };
  const files: VirtualFiles = {
    get: (path) =>
      withIndex(async (entries): Promise<Result<Uint8Array | null>> => {
        const file = entries.get(path);
        if (!file) return ok(null);
        const text = written.get(file.blob) ?? null;
        const blob = text === null ? await retryUnavailable(() => rt.store.getBlob(at, file.blob)) : ok(text);
        return blob.ok ? ok(decodeBlob(blob.value)) : blob;
      }),
    put: (path, bytes) =>
      withIndex((entries): Result<void> => {
        if (bytes.length > THREAD_FILE_BYTES_MAX)
          return fail(
            "file_too_large",
            `${JSON.stringify(path)} has ${bytes.length} bytes; a file stored in the thread may have at most ${THREAD_FILE_BYTES_MAX}.`,
          );
        const text = encodeBlob(bytes);
        const blob = rt.hash.sha256(text);
        written.set(blob, text);
        index = new Map([...entries, [path, { path, size: bytes.length, blob }]]);
        changed = true;
        return ok(undefined);
      }),
    delete: (path) =>
      withIndex((entries): Result<void> => {
        changed ||= entries.has(path);
        index = new Map([...entries].filter(([name]) => name !== path));
        return ok(undefined);
      }),
    list: () => withIndex((entries) => ok([...entries.values()].map(({ path, size }) => ({ path, size })))),
  };
  const change = (): FilesChange | null => {
    if (!changed || !index) return null;
    const used = new Set([...index.values()].map((file) => file.blob));
    const blobs = [...written].filter(([hash]) => used.has(hash)).map(([hash, text]) => ({ hash, text }));
    if (index.size === 0) return { files_blob: null, blobs };
    const text = JSON.stringify([...index.values()].sort((a, b) => (a.path < b.path ? -1 : 1)));
    const hash = rt.hash.sha256(text);
    return { files_blob: hash, blobs: [...blobs, { hash, text }] };
  };
  return { files, change };
}

/** Encodes binary files, because blobs are text. */
function encodeBlob(bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (text !== null) return `t${text}`;
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `b${btoa(binary)}`;
}

function decodeBlob(blob: string): Uint8Array {
  if (blob.startsWith("t")) return encodeText(blob.slice(1));
  return Uint8Array.from(atob(blob.slice(1)), (char) => char.charCodeAt(0));
}
