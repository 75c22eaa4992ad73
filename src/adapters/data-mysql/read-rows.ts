// Reads the rows of one statement as they arrive, up to the limits.
import type { Connection } from "mysql2";
import type { Cell, Rows } from "../../ports/data/data-source.ts";

const MAX_CELL_CHARACTERS = 2_000;
/** Limits one response of the server, because a short statement can produce rows of any size. */
const MAX_ANSWER_BYTES = 8_000_000;

type Limits = { readonly max_rows: number; readonly max_bytes?: number; readonly values?: readonly unknown[] };

export function readRows(
  connection: Connection,
  sql: string,
  { max_rows, max_bytes = MAX_ANSWER_BYTES, values = [] }: Limits,
): Promise<Rows> {
  const stream = streamOf(connection);
  let count = (_chunk: Uint8Array): void => undefined;
  const read = new Promise<Rows>((resolve, reject) => {
    let columns: readonly string[] = [];
    const rows: (readonly Cell[])[] = [];
    // The remaining rows are not read, so the connection is discarded.
    const stop = (): void => {
      connection.destroy();
      resolve({ columns, rows, truncated: true });
    };
    const query = connection.query({ sql, values: [...values], rowsAsArray: true });
    query.on("fields", (fields: readonly { readonly name: string }[] | undefined) => {
      columns = fields?.map(({ name }) => name) ?? [];
    });
    query.on("result", (row: unknown) => {
      if (!Array.isArray(row)) return;
      if (rows.length < max_rows) rows.push(row.map(readCell));
      else stop();
    });
    let bytes = 0;
    count = (chunk) => {
      bytes += chunk.length;
      if (bytes > max_bytes) stop();
    };
    stream?.on("data", count);
    query.on("error", reject);
    query.on("end", () => resolve({ columns, rows, truncated: false }));
    // A destroyed connection ends without an error.
    connection.once("end", () => reject(new Error("The connection ended.")));
    connection.once("error", reject);
    stream?.once("close", () => reject(new Error("The connection ended.")));
  });
  return read.finally(() => stream?.off("data", count));
}

const streamOf = (connection: Connection): NodeJS.EventEmitter | undefined =>
  (connection as unknown as { readonly stream?: NodeJS.EventEmitter }).stream;

function readCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return value;
  const text = Buffer.isBuffer(value) ? `0x${value.toString("hex")}` : String(value);
  return text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS)}…` : text;
}
