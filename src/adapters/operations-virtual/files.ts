// Implements file operations on an injected map of paths to bytes. A folder exists as long as it contains a file.
import { FILE_BYTES_MAX, type FileOperations, type FolderEntry, READ_BYTES_DEFAULT } from "../../ports/operations.ts";
import type { VirtualFiles } from "../../ports/virtual-files.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { parseWorkspacePath, pathText } from "../../schema/workspace-path.ts";

/** Limits that apply to all files of a workspace together, because they are kept in a store. */
export type VirtualLimits = { readonly files: number; readonly bytes: number };

const LIST_ENTRIES = 1_000;

export function createVirtualFileOperations(store: VirtualFiles, limits: VirtualLimits): FileOperations {
  // All paths share one queue, because the limits apply to all of them together.
  let lastWrite: Promise<unknown> = Promise.resolve();
  const queued = <T>(task: () => Promise<T>): Promise<T> => {
    const current = lastWrite.then(task, task);
    lastWrite = current.catch(() => undefined);
    return current;
  };

  const rewrite: FileOperations["rewrite"] = (text, change) =>
    queued(async () => {
      const found = await lookUp(store, text);
      if (!found.ok) return found;
      const { path, kind, files } = found.value;
      const writable = checkWritable(found.value);
      if (!writable.ok) return writable;
      const before = kind === "file" ? await store.get(path) : ok(null);
      if (!before.ok) return before;
      const after = change(before.value);
      if (!after.ok) return after;
      const size = after.value.length;
      const changed = before.value === null || !sameBytes(before.value, after.value);
      const fits = withinLimits(files, path, size, limits);
      if (!fits.ok) return fits;
      const put = changed ? await store.put(path, after.value) : ok(undefined);
      return put.ok ? ok({ path, size, created: before.value === null, changed }) : put;
    });

  return {
    async stat(text) {
      const found = await lookUp(store, text);
      if (!found.ok) return found;
      const { path, kind, size } = found.value;
      if (kind === null) return missing(found.value);
      return ok({ path, kind, size, modified_at: null });
    },

    async read(text, { offset = 0, limit = READ_BYTES_DEFAULT } = {}) {
      const found = await lookUp(store, text);
      if (!found.ok) return found;
      const { path, kind } = found.value;
      if (kind === "folder") return fail("not_a_file", `${JSON.stringify(path)} is a folder.`);
      const content = await store.get(path);
      if (!content.ok) return content;
      if (content.value === null) return missing(found.value);
      const bytes = content.value.slice(offset, offset + Math.min(limit, FILE_BYTES_MAX));
      return ok({ path, bytes, offset, size: content.value.length });
    },

    write: (text, content) => rewrite(text, () => ok(content)),
    rewrite,

    remove: (text) =>
      queued(async () => {
        const found = await lookUp(store, text);
        if (!found.ok) return found;
        if (found.value.kind === "folder") return fail("not_a_file", `${JSON.stringify(text)} is a folder.`);
        return found.value.kind === null ? missing(found.value) : store.delete(found.value.path);
      }),

    async list(text, { limit = LIST_ENTRIES } = {}) {
      const found = await lookUp(store, text);
      if (!found.ok) return found;
      const { path, kind, files } = found.value;
      if (kind === "file") return fail("not_a_folder", `${JSON.stringify(path)} is a file.`);
      if (kind === null) return missing(found.value);
      const entries = entriesBelow(files, path === "." ? "" : `${path}/`);
      return ok({ path, entries: entries.slice(0, limit), truncated: entries.length > limit });
    },
  };
}

type FileList = readonly { readonly path: string; readonly size: number }[];
type LookupResult = {
  readonly path: string;
  readonly kind: "file" | "folder" | null;
  readonly size: number;
  /** A file at the path of a parent folder, or null. */
  readonly blockedBy: string | null;
  readonly files: FileList;
};

async function lookUp(store: VirtualFiles, text: string): Promise<Result<LookupResult>> {
  const parsed = parseWorkspacePath(text);
  if (!parsed.ok) return parsed;
  const listed = await store.list();
  if (!listed.ok) return listed;
  const files = listed.value;
  const path = pathText(parsed.value);
  const file = files.find((one) => one.path === path);
  const isFolder = path === "." || files.some((one) => one.path.startsWith(`${path}/`));
  const blockedBy = files.find((one) => path.startsWith(`${one.path}/`))?.path ?? null;
  return ok({ path, kind: file ? "file" : isFolder ? "folder" : null, size: file?.size ?? 0, blockedBy, files });
}

function checkWritable({ path, kind, blockedBy }: LookupResult): Result<void> {
  if (kind === "folder") return fail("not_a_file", `${JSON.stringify(path)} is a folder.`);
  if (blockedBy !== null) return fail("not_a_folder", `${JSON.stringify(blockedBy)} is not a folder.`);
  return ok(undefined);
}

function missing({ path, blockedBy }: LookupResult) {
  if (blockedBy !== null) return fail("not_a_folder", `${JSON.stringify(blockedBy)} is not a folder.`);
  return fail("file_not_found", `${JSON.stringify(path)} does not exist.`);
}

function withinLimits(files: FileList, path: string, size: number, limits: VirtualLimits): Result<void> {
  const others = files.filter((file) => file.path !== path);
  const total = others.reduce((sum, file) => sum + file.size, size);
  const limit = size > FILE_BYTES_MAX ? FILE_BYTES_MAX : limits.bytes;
  if (size > FILE_BYTES_MAX || total > limits.bytes) {
    return fail("file_too_large", `${JSON.stringify(path)} with ${size} bytes does not fit.`, { size, limit });
  }
  if (others.length < limits.files) return ok(undefined);
  return fail("file_too_large", `The workspace already has ${others.length} files.`, {
    files: others.length,
    limit: limits.files,
  });
}

function entriesBelow(files: FileList, prefix: string): FolderEntry[] {
  const entries = new Map<string, FolderEntry>();
  for (const { path, size } of files) {
    if (!path.startsWith(prefix)) continue;
    const [name = "", ...deeper] = path.slice(prefix.length).split("/");
    if (deeper.length > 0) entries.set(name, { name, kind: "folder", size: 0 });
    else entries.set(name, { name, kind: "file", size });
  }
  return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, i) => byte === other[i]);
