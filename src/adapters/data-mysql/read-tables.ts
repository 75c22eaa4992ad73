// Reads the server's metadata about its tables. Tables and columns are read separately because both have comments.
import type { Connection } from "mysql2";
import type { Cell, TableInfo } from "../../ports/data/data-source.ts";
import { readRows } from "./read-rows.ts";

const MAX_ROWS = 50_000;
const MAX_BYTES = 64_000_000;

const TABLES = `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_COMMENT FROM information_schema.TABLES
  WHERE TABLE_SCHEMA IN (?) ORDER BY TABLE_SCHEMA, TABLE_NAME`;
const COLUMNS = `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_COMMENT
  FROM information_schema.COLUMNS WHERE TABLE_SCHEMA IN (?) ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`;
const INDEXES = `SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, NON_UNIQUE, COLUMN_NAME
  FROM information_schema.STATISTICS WHERE TABLE_SCHEMA IN (?) ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`;
const FOREIGN_KEYS = `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
  FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA IN (?) AND REFERENCED_TABLE_NAME IS NOT NULL
  ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`;

type Row = readonly Cell[];
const text = (cell: Cell | undefined): string => String(cell ?? "");

export async function readTables(connection: Connection, databases: readonly string[]): Promise<readonly TableInfo[]> {
  const read = async (sql: string): Promise<ReadonlyMap<string, readonly Row[]>> => {
    const { rows } = await readRows(connection, sql, { max_rows: MAX_ROWS, max_bytes: MAX_BYTES, values: [databases] });
    return Map.groupBy(rows, ([database, table]) => `${database}.${table}`);
  };
  const tables = await read(TABLES);
  const columns = await read(COLUMNS);
  const indexes = await read(INDEXES);
  const keys = await read(FOREIGN_KEYS);
  return [...tables].flatMap(([id, [row]]) => {
    if (!row) return [];
    return {
      database: text(row[0]),
      table: text(row[1]),
      comment: text(row[2]),
      columns: (columns.get(id) ?? []).map(([, , name, type, nullable, comment]) => ({
        name: text(name),
        type: text(type),
        nullable: nullable === "YES",
        comment: text(comment),
      })),
      indexes: readIndexes(indexes.get(id) ?? []),
      foreign_keys: (keys.get(id) ?? []).map(([, , column, table, referenced]) => ({
        column: text(column),
        references: `${text(table)}.${text(referenced)}`,
      })),
    };
  });
}

const readIndexes = (rows: readonly Row[]): TableInfo["indexes"] =>
  [...Map.groupBy(rows, ([, , name]) => text(name))].map(([name, parts]) => ({
    name,
    unique: String(parts[0]?.[3]) === "0",
    columns: parts.map((part) => text(part[4])),
  }));
