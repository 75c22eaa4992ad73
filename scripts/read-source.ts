// Parses TypeScript into a syntax tree for the layout tests. It reads only the syntax, not the types.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseAst } from "vitest/node";

export type Node = { readonly type: string; readonly [field: string]: unknown };
export type Import = { readonly from: string; readonly typeOnly: boolean };

export const projectRoot = join(import.meta.dirname, "..");

/** Returns the TypeScript files of a folder, relative to the root and without installed packages. */
export function sourceFiles(folder: string): readonly string[] {
  const path = join(projectRoot, folder);
  const found = readdirSync(path, { recursive: true, withFileTypes: true });
  return found
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
    .map((file) => relative(projectRoot, join(file.parentPath, file.name)).replaceAll("\\", "/"))
    .filter((file) => !file.includes("node_modules/"))
    .sort();
}

export const readSource = (path: string): string => readFileSync(join(projectRoot, path), "utf8");

export const parseSource = (path: string, text = readSource(path)): Node =>
  parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }, path) as unknown as Node;

export function walk(node: Node, visit: (node: Node, parent: Node | null) => void, parent: Node | null = null): void {
  visit(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, node);
    }
  }
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

export function importsOf(tree: Node): readonly Import[] {
  const found: Import[] = [];
  walk(tree, (node) => {
    if (!isNode(node.source) || typeof node.source.value !== "string") return;
    found.push({ from: node.source.value, typeOnly: isTypeOnly(node) });
  });
  return found;
}

function isTypeOnly(node: Node): boolean {
  if (node.type === "TSImportType" || node.importKind === "type" || node.exportKind === "type") return true;
  const named = (node.specifiers ?? []) as readonly Node[];
  return named.length > 0 && named.every((name) => name.importKind === "type" || name.exportKind === "type");
}

/** `export *` is refused, because it would hide the public API. */
export function exportedNames(tree: Node): readonly string[] {
  const names: string[] = [];
  for (const node of (tree.body ?? []) as readonly Node[]) {
    if (node.type === "ExportAllDeclaration") throw new Error("export * hides the public API: name the exports");
    if (node.type === "ExportDefaultDeclaration") names.push("default");
    if (node.type !== "ExportNamedDeclaration") continue;
    if (node.declaration) throw new Error("a barrel must not contain declarations: move them to their own file");
    for (const name of node.specifiers as readonly Node[]) {
      const isType = node.exportKind === "type" || name.exportKind === "type";
      names.push(`${isType ? "type " : ""}${(name.exported as Node).name}`);
    }
  }
  const withoutTypePrefix = (name: string): string => name.replace("type ", "");
  return names.sort((a, b) => (withoutTypePrefix(a) < withoutTypePrefix(b) ? -1 : 1));
}
