// What all file tools share: how their text is read, and which links are refused.

import { z } from "zod";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { decodeText } from "../../tools/text-format.ts";
import { sensitivePath } from "./sensitive-path.ts";

export type { OperationsFor } from "../../tools/toolkit.ts";

export const WORKSPACE_MANIFEST = { category: "file", needs_parts: ["files"], tags: ["workspace"] };

export const FilePath = z.string().min(1).max(1_024).describe("path in the workspace, with forward slashes");

export function decodeFileText(path: string, bytes: Uint8Array): Result<string> {
  const text = bytes.includes(0) ? null : decodeText(bytes);
  return text === null ? fail("tool_refused", `${JSON.stringify(path)} is not a text in UTF-8.`) : ok(text);
}

/**
 * Sensitive files are recognized by their names, before the disk is read. A link that leads to one has another
 * name, so nothing is written through it.
 */
export function refuseSensitiveLink(path: string, real: string | undefined): Failed | null {
  if (real === undefined || !sensitivePath(real.split("/")) || sensitivePath(path.split("/"))) return null;
  return fail("tool_refused", `${JSON.stringify(path)} leads to ${real}, which is sensitive. Name it by that path.`);
}
