// Writing and rewriting one file: what must be true of the place first, and no folders made for a change that fails.
import { closeSync } from "node:fs";
import { FILE_BYTES_MAX, type FileChange, type WrittenFile } from "../../ports/operations.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { outsideWorkspace } from "../../schema/workspace-path.ts";
import { atPlace, type Place, realPath, relativeName, type Workspace } from "./folders.ts";
import { openRegular, readBytes } from "./regular-file.ts";
import { replaceFile } from "./replace-file.ts";

export function writeFile(workspace: Workspace, text: string, content: Uint8Array): Promise<Result<WrittenFile>> {
  // Bytes of another length cannot be the same, so a large file need not be read to be replaced.
  const worthReading = (size: number): boolean => size === content.length;
  return atPlace(workspace, text, { makeFolders: true }, async (place) => {
    const before = await look(workspace, place, text, worthReading);
    if (!before.ok) return before;
    return put(workspace, place, text, before.value, content);
  });
}

export async function rewriteFile(
  workspace: Workspace,
  text: string,
  change: FileChange,
): Promise<Result<WrittenFile>> {
  let asked = false;
  const changeHere = async (place: Place): Promise<Result<WrittenFile>> => {
    const before = await look(workspace, place, text, () => true);
    if (!before.ok) return before;
    asked = true;
    const after = change(before.value.bytes, realPath(workspace, place));
    return after.ok ? put(workspace, place, text, before.value, after.value) : after;
  };
  const done = await atPlace(workspace, text, { makeFolders: false }, changeHere);
  if (done.ok || asked || done.problem.code !== "file_not_found") return done;
  // Its folder is missing: make it only if there is something to put into it.
  const draft = change(null);
  return draft.ok ? atPlace(workspace, text, { makeFolders: true }, changeHere) : draft;
}

type Found = { readonly there: boolean; readonly bytes: Uint8Array | null };

async function look(
  workspace: Workspace,
  place: Place,
  text: string,
  worthReading: (size: number) => boolean,
): Promise<Result<Found>> {
  // A link to nothing would let its author choose where the file appears.
  if (place.dangling) return outsideWorkspace(text, "link");
  if (place.name !== null && !place.stats) return ok({ there: false, bytes: null });
  // Renaming over one of several hard links would split it from the others without a word.
  const file = openRegular(workspace, place, text, "refuse");
  if (!file.ok) return file;
  try {
    const { size } = file.value.stats;
    if (!worthReading(size)) return ok({ there: true, bytes: null });
    if (size > FILE_BYTES_MAX) return tooLarge(text, size);
    return ok({ there: true, bytes: await readBytes(file.value.fd, 0, size) });
  } finally {
    closeSync(file.value.fd);
  }
}

async function put(
  workspace: Workspace,
  place: Place,
  text: string,
  before: Found,
  after: Uint8Array,
): Promise<Result<WrittenFile>> {
  if (place.name === null) return fail("not_a_file", `${JSON.stringify(text)} is a folder.`);
  if (after.length > FILE_BYTES_MAX) return tooLarge(text, after.length);
  const changed = before.bytes === null || Buffer.compare(before.bytes, after) !== 0;
  if (changed) await replaceFile(workspace, place.folder, place.name, after, place.stats);
  return ok({ path: relativeName(workspace, text), size: after.length, created: !before.there, changed });
}

const tooLarge = (text: string, size: number) =>
  fail("file_too_large", `${JSON.stringify(text)} has ${size} bytes.`, { size, limit: FILE_BYTES_MAX });
