// Reads a text file of the workspace, whole or by lines, and at most 512 KB at once.
import * as z from "zod";
import { FILE_BYTES_MAX } from "../../ports/operations.ts";
import { byteLength } from "../../schema/byte-length.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { truncateBytes } from "../../tools/truncate-text.ts";
import { decodeFileText, FilePath, type OperationsFor, WORKSPACE_MANIFEST } from "./workspace.ts";

export const READ_BYTES_MAX = 524_288;
/** The size of a page if the call gives no number of lines. One observation can show such a page in full. */
const PAGE_BYTES = 30_000;

const Output = z.object({
  path: z.string(),
  text: z.string(),
  /** Line numbers, counted from 1. If no line is in the range, `last` is less than `first`. */
  first: z.int(),
  last: z.int(),
  lines: z.int(),
  size: z.int(),
  cut: z.boolean(),
});

export const readFile = (operations: OperationsFor): Tool =>
  defineTool(
    {
      ...WORKSPACE_MANIFEST,
      name: "read_file",
      description: "Read a text file. A long file is returned in parts: request further lines with start_line.",
      toolset: "base",
      permission: "READ",
      output_trust: "untrusted",
      max_output_chars: READ_BYTES_MAX,
      prompt_hint: "Read a file before you change it.",
      input: z.object({
        path: FilePath,
        start_line: z.int().min(1).optional().describe("first line to read, counted from 1"),
        lines: z.int().min(1).max(20_000).optional().describe("number of lines; default: as many as fit"),
      }),
      output: Output,
      render,
      examples: [
        { arguments: { path: "src/app.ts" }, result: "src/app.ts, lines 1-3 of 3\nexport const app = …" },
        { arguments: { path: "notes.txt", start_line: 200, lines: 40 }, result: null },
      ],
    },
    async ({ path, start_line = 1, lines }, context) => {
      const read = await operations(context).files.read(path, { limit: FILE_BYTES_MAX });
      if (!read.ok) return read;
      const text = decodeFileText(path, read.value.bytes);
      if (!text.ok) return text;
      const shown = text.value.replace(/^\uFEFF/, "");
      const all = shown === "" ? [] : shown.split(/(?<=\n)/);
      const wanted = all.slice(start_line - 1, lines === undefined ? undefined : start_line - 1 + lines);
      const kept = takeLines(wanted, lines === undefined ? PAGE_BYTES : READ_BYTES_MAX);
      return {
        path: read.value.path,
        text: kept.text,
        first: start_line,
        last: start_line - 1 + kept.count,
        lines: all.length,
        size: read.value.size,
        cut: kept.cut,
      };
    },
  );

/** Takes as many lines as fit. If the first line alone is too long, its beginning is taken. */
function takeLines(lines: readonly string[], max: number): { text: string; count: number; cut: boolean } {
  let size = 0;
  let count = 0;
  for (const line of lines) {
    size += byteLength(line);
    if (size > max) break;
    count += 1;
  }
  if (count > 0 || lines.length === 0) return { text: lines.slice(0, count).join(""), count, cut: false };
  return { text: truncateBytes(lines[0] ?? "", max), count: 1, cut: true };
}

function render({ path, text, first, last, lines, size, cut }: z.infer<typeof Output>): string {
  if (last < first) return `${path} has ${lines} lines (${size} bytes); there is no line ${first}.`;
  const more = last < lines ? `; go on with start_line ${last + 1}` : "";
  const note = cut ? `; the line is longer than what is shown` : "";
  return `${path}, lines ${first}-${last} of ${lines} (${size} bytes${more}${note})\n${text}`;
}
