// Reads and writes the rows of documents, one table per kind, on any connection to the file.
import { realpathSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { DOCUMENT_KIND, type DocumentSave, type SaveResult } from "../../ports/documents.ts";

type Names = { readonly table: string; readonly id: string };

/** Calendars were stored before there were other kinds, and keep their original table. */
const OLD_NAMES: Readonly<Record<string, Names>> = { calendar: { table: "calendars", id: "calendar" } };

function namesOf(kind: string): Names {
  if (!DOCUMENT_KIND.test(kind)) throw new Error(`${JSON.stringify(kind)} is not a valid kind of document`);
  return OLD_NAMES[kind] ?? { table: `documents_${kind}`, id: "id" };
}

/** A file in memory is shared with no other connection, so it has no place. */
export const placeOf = (path: string): string | null => (path === ":memory:" ? null : `sqlite:${realpathSync(path)}`);

export type DocumentRows = {
  readonly of: (kind: string) => ReturnType<typeof prepare>;
  readonly save: (save: DocumentSave) => SaveResult;
};

export function documentRows(db: DatabaseSync): DocumentRows {
  const tables = new Map<string, ReturnType<typeof prepare>>();
  const of = (kind: string): ReturnType<typeof prepare> => {
    const known = tables.get(kind) ?? prepare(db, namesOf(kind));
    tables.set(kind, known);
    return known;
  };
  return {
    of,
    save({ at, value, expectedVersion }) {
      const { select, insert, update } = of(at.kind);
      const text = JSON.stringify(value);
      const done =
        expectedVersion === 0
          ? insert.run(at.tenant, at.id, text)
          : update.run(text, at.tenant, at.id, expectedVersion);
      if (Number(done.changes) === 1) return { saved: true, version: expectedVersion + 1 };
      return { saved: false, version: Number(select.get(at.tenant, at.id)?.version ?? 0) };
    },
  };
}

export function createOldTables(db: DatabaseSync): void {
  for (const names of Object.values(OLD_NAMES)) db.exec(createTable(names));
}

const createTable = ({ table, id }: Names): string => `CREATE TABLE IF NOT EXISTS ${table} (
  tenant TEXT NOT NULL, ${id} TEXT NOT NULL, version INTEGER NOT NULL, document TEXT NOT NULL,
  PRIMARY KEY (tenant, ${id})
) STRICT, WITHOUT ROWID`;

function prepare(db: DatabaseSync, names: Names) {
  const { table, id } = names;
  db.exec(createTable(names));
  return {
    select: db.prepare(`SELECT version, document FROM ${table} WHERE tenant = ? AND ${id} = ?`),
    insert: db.prepare(`INSERT INTO ${table} VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING`),
    update: db.prepare(
      `UPDATE ${table} SET version = version + 1, document = ? WHERE tenant = ? AND ${id} = ? AND version = ?`,
    ),
    duplicate: db.prepare(
      `INSERT INTO ${table} SELECT ?, ?, version, document FROM ${table} WHERE tenant = ? AND ${id} = ? ON CONFLICT DO NOTHING`,
    ),
    erase: db.prepare(`DELETE FROM ${table} WHERE tenant = ? AND ${id} = ?`),
  };
}
