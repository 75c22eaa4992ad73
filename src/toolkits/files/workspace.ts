// Implements what all file tools share: reading and changing text, and refusing certain paths and links.
import * as z from "zod";
import { FILE_BYTES_MAX, type Operations } from "../../ports/operations.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { decodeText, encodeText } from "../../tools/text-format.ts";
import { sensitivePath } from "./sensitive-path.ts";

export type { OperationsFor } from "../../tools/toolkit.ts";

export const WORKSPACE_MANIFEST = { category: "file", needs_parts: ["files"], tags: ["workspace"] };

export const FilePath = z.string().min(1).max(1_024).describe("path in the workspace, with forward slashes");

export function decodeFileText(path: string, bytes: Uint8Array): Result<string> {
  const text = bytes.includes(0) ? null : decodeText(bytes);
  return text === null ? fail("tool_refused", `${JSON.stringify(path)} is not UTF-8 text.`) : ok(text);
}

export async function readText({ files }: Operations, path: string): Promise<Result<string>> {
  const read = await files.read(path, { limit: FILE_BYTES_MAX });
  return read.ok ? decodeFileText(path, read.value.bytes) : read;
}

export const rewriteText = ({ files }: Operations, path: string, change: (text: string) => Result<string>) =>
  files.rewrite(path, (before, real) => {
    const refusal = refuseSensitiveLink(path, real);
    if (refusal) return refusal;
    if (before === null) return fail("file_not_found", `There is no ${JSON.stringify(path)}.`);
    const current = decodeFileText(path, before);
    if (!current.ok) return current;
    const changed = change(current.value);
    return changed.ok ? ok(encodeText(changed.value)) : changed;
  });

/** The reason that a file cannot be written at this path, judged by its name and folder. */
export async function checkWritablePath(operations: Operations, path: string): Promise<Failed | null> {
  const found = await operations.files.stat(path);
  if (!found.ok) return found.problem.code === "file_not_found" ? null : found;
  return found.value.kind === "folder" ? fail("not_a_file", `${JSON.stringify(path)} is a folder.`) : null;
}

/** The reason that a change must fail. A sensitive file is not read before a person has allowed it. */
export async function checkTextChange(
  operations: Operations,
  path: string,
  change: (text: string) => Failed | { readonly ok: true },
): Promise<Failed | null> {
  if (sensitivePath(path.split("/"))) return checkWritablePath(operations, path);
  const current = await readText(operations, path);
  if (!current.ok) return current;
  const changed = change(current.value);
  return changed.ok ? null : changed;
}

/** Whether a write needs approval is decided by the given path, before the disk shows where a link leads. */
export function refuseSensitiveLink(path: string, real: string | undefined): Failed | null {
  if (real === undefined || !sensitivePath(real.split("/")) || sensitivePath(path.split("/"))) return null;
  return fail("tool_refused", `${JSON.stringify(path)} leads to ${real}, which is sensitive. Name it by that path.`);
}
