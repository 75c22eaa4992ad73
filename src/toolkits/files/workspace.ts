// What all tools on files share: where the files are, and how their texts are read.

import { z } from "zod";
import type { Operations } from "../../ports/operations.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import type { ToolContext } from "../../tools/define-tool.ts";
import { decodeText } from "../../tools/text-format.ts";
import { sensitivePath } from "./sensitive-path.ts";

/** A folder of the host for everybody, or the files of the thread that calls. */
export type OperationsFor = (context: ToolContext) => Operations;

export const WORKSPACE_MANIFEST = { category: "file", needs_parts: ["files"], tags: ["workspace"] };

export const FilePath = z.string().min(1).max(1_024).describe("path in the workspace, with forward slashes");

export function decodeFileText(path: string, bytes: Uint8Array): Result<string> {
  const text = bytes.includes(0) ? null : decodeText(bytes);
  return text === null ? fail("tool_refused", `${JSON.stringify(path)} is not a text in UTF-8.`) : ok(text);
}

/**
 * Sensitive files are asked about by their names, before anybody looks at the disk. A link that leads to one has another
 * name, so nothing is written through it.
 */
export function refuseSensitiveLink(path: string, real: string | undefined): Failed | null {
  if (real === undefined || !sensitivePath(real.split("/")) || sensitivePath(path.split("/"))) return null;
  return fail("tool_refused", `${JSON.stringify(path)} leads to ${real}, which is sensitive. Name it by that path.`);
}
