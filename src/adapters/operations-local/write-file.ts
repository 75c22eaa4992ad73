// Writes and rewrites one file. Checks the location first, and creates no folders for a change that fails.
import { closeSync } from "node:fs";
import { FILE_BYTES_MAX, type FileChange, type WrittenFile } from "../../ports/operations.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { outsideWorkspace } from "../../schema/workspace-path.ts";
import { type FileLocation, realPath, relativePath, type Workspace, withLocation } from "./folders.ts";
import { openRegularFile, readBytes } from "./regular-file.ts";
import { replaceFile } from "./replace-file.ts";

export function writeFile(workspace: Workspace, path: string, content: Uint8Array): Promise<Result<WrittenFile>> {
  // Content of a different length cannot be equal, so a large file is read only if the lengths match.
  const shouldRead = (size: number): boolean => size === content.length;
  return withLocation(workspace, path, { makeFolders: true }, async (location) => {
    const before = await readExisting(workspace, location, path, shouldRead);
    if (!before.ok) return before;
    return writeIfChanged(workspace, location, path, before.value, content);
  });
}

export async function rewriteFile(
  workspace: Workspace,
  path: string,
  change: FileChange,
): Promise<Result<WrittenFile>> {
  let changeRequested = false;
  const applyChange = async (location: FileLocation): Promise<Result<WrittenFile>> => {
    const before = await readExisting(workspace, location, path, () => true);
    if (!before.ok) return before;
    changeRequested = true;
    const after = change(before.value.bytes, realPath(workspace, location));
    return after.ok ? writeIfChanged(workspace, location, path, before.value, after.value) : after;
  };
  const result = await withLocation(workspace, path, { makeFolders: false }, applyChange);
  if (result.ok || changeRequested || result.problem.code !== "file_not_found") return result;
  // The missing folder is created only if there is content to write.
  const draft = change(null);
  return draft.ok ? withLocation(workspace, path, { makeFolders: true }, applyChange) : draft;
}

type ExistingFile = { readonly exists: boolean; readonly bytes: Uint8Array | null };

async function readExisting(
  workspace: Workspace,
  location: FileLocation,
  path: string,
  shouldRead: (size: number) => boolean,
): Promise<Result<ExistingFile>> {
  // A dangling link would let its author choose where the file appears.
  if (location.dangling) return outsideWorkspace(path, "link");
  if (location.name !== null && !location.stats) return ok({ exists: false, bytes: null });
  // Renaming over one of several hard links would silently detach it from the others.
  const file = openRegularFile(workspace, location, path, "refuse");
  if (!file.ok) return file;
  try {
    const { size } = file.value.stats;
    if (!shouldRead(size)) return ok({ exists: true, bytes: null });
    if (size > FILE_BYTES_MAX) return tooLarge(path, size);
    return ok({ exists: true, bytes: await readBytes(file.value.fd, 0, size) });
  } finally {
    closeSync(file.value.fd);
  }
}

async function writeIfChanged(
  workspace: Workspace,
  location: FileLocation,
  path: string,
  before: ExistingFile,
  after: Uint8Array,
): Promise<Result<WrittenFile>> {
  if (location.name === null) return fail("not_a_file", `${JSON.stringify(path)} is a folder.`);
  if (after.length > FILE_BYTES_MAX) return tooLarge(path, after.length);
  const changed = before.bytes === null || Buffer.compare(before.bytes, after) !== 0;
  if (changed) await replaceFile(workspace, location.folder, location.name, after, location.stats);
  return ok({ path: relativePath(workspace, path), size: after.length, created: !before.exists, changed });
}

const tooLarge = (path: string, size: number) =>
  fail("file_too_large", `${JSON.stringify(path)} has ${size} bytes.`, { size, limit: FILE_BYTES_MAX });
