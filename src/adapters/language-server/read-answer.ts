// Converts the responses of language servers, each of which can have several shapes, to the types of the port.
import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { CodeIssue, CodePlace, TextEdit } from "../../ports/data/language-server.ts";

const Position = z.object({ line: z.int().min(0), character: z.int().min(0) });
const Range = z.object({ start: Position, end: Position });
const Location = z.object({ uri: z.string(), range: Range });
const Link = z
  .object({ targetUri: z.string(), targetSelectionRange: Range })
  .transform(({ targetUri, targetSelectionRange }) => ({ uri: targetUri, range: targetSelectionRange }));
const Places = z.union([
  z.null().transform(() => []),
  z.array(z.union([Location, Link])),
  Location.transform((at) => [at]),
]);

const Marked = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]);
const Hover = z
  .object({ contents: z.union([Marked, z.array(Marked).transform((parts) => parts.join("\n"))]) })
  .nullable();

const Diagnostic = z.object({
  range: Range,
  severity: z.int().optional(),
  code: z.union([z.string(), z.number()]).optional(),
  message: z.string(),
});
export const Published = z.object({ uri: z.string(), diagnostics: z.array(Diagnostic) });
export const Pulled = z.object({ items: z.array(Diagnostic).default([]) });

const Edit = z.object({ range: Range, newText: z.string() });
const Rename = z
  .object({
    changes: z.record(z.string(), z.array(Edit)).optional(),
    // Entries that create, rename or delete files have another shape and are refused.
    documentChanges: z
      .array(z.object({ textDocument: z.object({ uri: z.string() }), edits: z.array(Edit) }))
      .optional(),
  })
  .nullable();

export function pathOf(uri: string, root: string): string {
  if (!uri.startsWith("file:")) return uri;
  const path = fileURLToPath(uri);
  const inside = relative(root, path);
  return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? path : inside.split(sep).join("/");
}

export const readPlaces = (value: unknown, root: string): readonly CodePlace[] =>
  Places.parse(value ?? null).map(({ uri, range }) => ({ path: pathOf(uri, root), range }));

export const readHover = (value: unknown): string => Hover.parse(value ?? null)?.contents ?? "";

export const readIssues = (diagnostics: readonly z.infer<typeof Diagnostic>[]): readonly CodeIssue[] =>
  diagnostics.map(({ range, severity = 1, code, message }) => ({
    range,
    severity: severity === 1 ? "error" : severity === 2 ? "warning" : "note",
    code: code === undefined ? null : String(code),
    message,
  }));

export function readRename(value: unknown, root: string): readonly { path: string; edits: readonly TextEdit[] }[] {
  const read = Rename.parse(value ?? null);
  const listed = (read?.documentChanges ?? []).map(({ textDocument, edits }) => [textDocument.uri, edits] as const);
  const files = listed.length > 0 ? listed : Object.entries(read?.changes ?? {});
  return files.map(([uri, edits]) => ({
    path: pathOf(uri, root),
    edits: edits.map(({ range, newText }) => ({ range, new_text: newText })),
  }));
}
