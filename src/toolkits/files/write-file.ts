// Writes a whole file of the workspace. An existing file keeps its byte order mark and line endings.
import * as z from "zod";
import { byteLength } from "../../schema/byte-length.ts";
import { ok } from "../../schema/problem.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { decodeText, encodeText, keepTextFormat } from "../../tools/text-format.ts";
import { truncateChars } from "../../tools/truncate-text.ts";
import { diffLines, type Edit } from "./patch/merge/line-diff.ts";
import { sensitivePath, sensitivePaths } from "./sensitive-path.ts";
import {
  checkWritablePath,
  FilePath,
  type OperationsFor,
  refuseSensitiveLink,
  WORKSPACE_MANIFEST,
} from "./workspace.ts";

/** The maximum size of a file to compare in a preview. Larger ones would take too long. */
const PREVIEWED_BYTES_MAX = 1_048_576;

const Output = z.object({ path: z.string(), size: z.int(), created: z.boolean(), changed: z.boolean() });

export const writeFile = (operations: OperationsFor): Tool =>
  defineTool(
    {
      ...WORKSPACE_MANIFEST,
      name: "write_file",
      description: "Create a file, or replace the whole content of one. Missing folders are created.",
      toolset: "base",
      permission: "WRITE",
      scope: "LOCAL_STATE",
      effect: "unkeyed",
      requires_confirmation: true,
      prompt_hint: "Nothing of the old content is kept.",
      input: z.object({ path: FilePath, content: z.string().max(4_194_304).describe("the complete new content") }),
      output: Output,
      render: ({ path, size, created, changed }) =>
        `${created ? "Created" : changed ? "Replaced" : "Left as it was, for it held exactly this:"} ${path} (${size} bytes).`,
      examples: [
        { arguments: { path: "notes.txt", content: "Buy bread.\n" }, result: "Created notes.txt (11 bytes)." },
      ],
      hooks: [sensitivePaths(["write_file"])],
      check: ({ path }, context) => checkWritablePath(operations(context), path),
      preview: async ({ path, content }, context) => {
        const { files } = operations(context);
        const found = await files.stat(path);
        if (!found.ok) return found.problem.code === "file_not_found" ? newFilePreview(path, content) : null;
        // A sensitive file is not read before a person has allowed it.
        if (sensitivePath(path.split("/")) || found.value.size > PREVIEWED_BYTES_MAX)
          return `Replaces ${path} (${found.value.size} bytes) with ${byteLength(content)} bytes.`;
        const read = await files.read(path, { limit: PREVIEWED_BYTES_MAX });
        return read.ok ? replacedFilePreview(path, decodeText(read.value.bytes), content) : null;
      },
      // A write is atomic, so the current content shows whether it happened, unless another process has changed the file.
      reconcile: async ({ path, content }, _key, context) => {
        const read = await operations(context).files.read(path);
        if (!read.ok) return read.problem.code === "file_not_found" ? { happened: false } : null;
        const current = decodeText(read.value.bytes);
        if (current === null || current !== keepTextFormat(current, content)) return null;
        const { path: found, size } = read.value;
        return { happened: true, output: { path: found, size, created: false, changed: true } };
      },
    },
    async ({ path, content }, context) => {
      const written = await operations(context).files.rewrite(path, (before, real) => {
        const refusal = refuseSensitiveLink(path, real);
        if (refusal) return refusal;
        const current = before === null ? null : decodeText(before);
        return ok(encodeText(current === null ? content : keepTextFormat(current, content)));
      });
      return written.ok ? written.value : written;
    },
  );

/** The limit keeps the changed lines within the part of a preview that a gate holds, about 2 KB. */
const LINES_SHOWN = 24;
const LINE_CHARS = 120;
const CONTEXT_LINES = 2;

const plural = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? "" : "s"}`;
const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));
const sizeOf = (text: string): string => `${plural(linesOf(text).length, "line")}, ${plural(byteLength(text), "byte")}`;
const shown = (line: string): string => truncateChars(line, LINE_CHARS);

function newFilePreview(path: string, content: string): string {
  const lines = linesOf(content).map((line) => `+${shown(line)}`);
  return [`New file ${path} (${sizeOf(content)}):`, ...firstLines(lines)].join("\n");
}

/** `before` is null if the file is not UTF-8 text. */
function replacedFilePreview(path: string, before: string | null, content: string): string {
  if (before === null) return `Replaces ${path}, which is not text, with ${sizeOf(content)}.`;
  const after = keepTextFormat(before, content);
  if (after === before) return `${path} already has this content; nothing would change.`;
  const script = diffLines(linesOf(before), linesOf(after));
  if (script.every(({ kind }) => kind === "keep")) return `Replaces ${path}: only line endings change.`;
  const removed = script.filter(({ kind }) => kind === "drop" || kind === "change").length;
  const added = script.filter(({ kind }) => kind === "add" || kind === "change").length;
  return [
    `Replaces ${path} (${sizeOf(before)}) with ${sizeOf(after)}: ${removed} removed, ${added} added.`,
    ...firstLines(hunks(script, linesOf(before), linesOf(after))),
  ].join("\n");
}

const firstLines = (lines: readonly string[]): readonly string[] =>
  lines.length <= LINES_SHOWN
    ? lines
    : [...lines.slice(0, LINES_SHOWN), `(${plural(lines.length - LINES_SHOWN, "more line")})`];

function hunks(script: readonly Edit[], before: readonly string[], after: readonly string[]): string[] {
  const near = new Set<number>();
  script.forEach(({ kind }, at) => {
    if (kind === "keep") return;
    for (let i = at - CONTEXT_LINES; i <= at + CONTEXT_LINES; i += 1) near.add(i);
  });
  return script.flatMap((edit, at) => {
    if (!near.has(at)) return [];
    const head = near.has(at - 1) ? [] : [`@@ line ${lineOf(script, at)} @@`];
    return [...head, ...linesOfEdit(edit, before, after)];
  });
}

/** The number of the first line in the new text. */
const lineOf = (script: readonly Edit[], at: number): number =>
  script.slice(0, at).filter(({ kind }) => kind !== "drop").length + 1;

function linesOfEdit(edit: Edit, before: readonly string[], after: readonly string[]): string[] {
  const old = (): string => shown("old" in edit ? (before[edit.old] ?? "") : "");
  const fresh = (): string => shown("new" in edit ? (after[edit.new] ?? "") : "");
  switch (edit.kind) {
    case "keep":
      return [` ${old()}`];
    case "change":
      return [`-${old()}`, `+${fresh()}`];
    case "drop":
      return [`-${old()}`];
    case "add":
      return [`+${fresh()}`];
  }
}
