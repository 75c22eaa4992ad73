// Finds a table in a tool result: a list of flat objects, or a Markdown table.
export type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };

const COLUMNS_MAX = 12;

export function findTable(text: string, data: unknown): Table | null {
  return fromObjects(findList(data)) ?? fromMarkdown(text);
}

/** Returns the list itself, or the only list inside an object. */
function findList(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  if (typeof data !== "object" || data === null) return [];
  const lists = Object.values(data).filter((value) => Array.isArray(value));
  return lists.length === 1 ? (lists[0] ?? []) : [];
}

const isScalar = (value: unknown): boolean => value === null || ["string", "number", "boolean"].includes(typeof value);

const isFlat = (row: unknown): row is Record<string, unknown> =>
  typeof row === "object" && row !== null && !Array.isArray(row) && Object.values(row).every(isScalar);

function fromObjects(list: readonly unknown[]): Table | null {
  if (list.length === 0 || !list.every(isFlat)) return null;
  const columns = [...new Set(list.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > COLUMNS_MAX) return null;
  const cell = (value: unknown): string => (value === undefined || value === null ? "" : String(value));
  return { columns, rows: list.map((row) => columns.map((column) => cell(row[column]))) };
}

/** Parses a table with a header row, a separator row such as | --- | --- |, and data rows. */
function fromMarkdown(text: string): Table | null {
  const lines = text.trim().split("\n");
  const cells = (line: string): string[] =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  if (lines.length < 3 || !lines.every((line) => /^\s*\|.*\|\s*$/.test(line))) return null;
  if (!cells(lines[1] ?? "").every((cell) => /^:?-+:?$/.test(cell))) return null;
  return { columns: cells(lines[0] ?? ""), rows: lines.slice(2).map(cells) };
}
