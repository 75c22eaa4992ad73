// Decides which tables a statement may read and which columns are masked. Names are compared in lower case.
import { SYSTEM_SCHEMAS } from "./functions.ts";
import { refuse } from "./refusal.ts";
import type { TableName } from "./tree.ts";

export type GrantOptions = {
  /** Names as "table" or "database.table". Without a list, all tables outside the system schemas are granted. */
  readonly tables?: readonly string[] | undefined;
  /** Names as "column", "table.column" or "database.table.column". */
  readonly masked?: readonly string[] | undefined;
  /** The default database, to which an unqualified table name refers. */
  readonly database?: string | undefined;
};

export type Grants = {
  /** Returns the granted spelling of the table, and refuses a table that is not granted. */
  readonly table: (name: TableName) => TableName;
  readonly isGranted: (name: TableName) => boolean;
  /** True if a table is in the database, or may be because its own database is unknown. */
  readonly mayBeIn: (table: TableName, database: string) => boolean;
  readonly masks: boolean;
  /** True if the column is masked in one of the `tables` that it may belong to. */
  readonly isMasked: (column: string, tables: readonly TableName[]) => boolean;
};

/** A Latin letter that is not ASCII even without its accents, such as ß. */
const LATIN_ONLY = /(?![A-Za-z])\p{Script=Latin}/u;
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/;

const lower = (text: string | null | undefined): string | null => text?.toLowerCase() ?? null;

export function createGrants(options: GrantOptions): Grants {
  const granted = options.tables?.map(readTable);
  const masked = (options.masked ?? []).map((entry) => entry.split(".").reverse().map(sameName));
  const database = (name: TableName): string | null => lower(name.database ?? options.database);
  const isTable = (a: TableName, b: TableName): boolean =>
    lower(a.table) === lower(b.table) && database(a) === database(b);
  const mayBeIn = (table: TableName, schema: string): boolean =>
    database(table) === null || database(table) === lower(schema);
  return {
    isGranted: (name) =>
      !isSystemSchema(database(name)) && (granted === undefined || granted.some((table) => isTable(table, name))),
    mayBeIn,
    masks: masked.length > 0,
    table: (name) => {
      checkSchema(database(name));
      if (!granted) return name;
      const same = granted.filter((table) => isTable(table, name));
      const found = same.find(({ table }) => table === name.table) ?? same[0];
      if (!found) return refuse("table_not_granted", `The table ${describe(name)} is not granted.`);
      return { database: name.database === null ? null : (found.database ?? name.database), table: found.table };
    },
    isMasked: (column, tables) =>
      masked.some(([isColumn, isTableName, isDatabase]) => {
        if (!isColumn?.(column)) return false;
        if (!isTableName) return true;
        return tables.some((at) => {
          const schema = database(at);
          return isTableName(at.table) && (!isDatabase || schema === null || isDatabase(schema));
        });
      }),
  };
}

/**
 * Compares names with a masked one. Some servers ignore accents: "prenom" then reads the column "prénom", and "strase" or
 * "strasse" reads the column "straße".
 */
function sameName(masked: string): (written: string) => boolean {
  const letters = [...masked.normalize("NFKD")].filter((letter) => !/\p{M}/u.test(letter));
  const pattern = letters.map((letter) => (LATIN_ONLY.test(letter) ? "[a-z]{0,2}" : letter.replace(SPECIAL, "\\$&")));
  const folded = new RegExp(`^${pattern.join("")}$`, "i");
  return (written) => lower(written) === lower(masked) || folded.test(written);
}

function readTable(entry: string): TableName {
  const [first = "", second] = entry.split(".");
  return second === undefined ? { database: null, table: first } : { database: first, table: second };
}

const isSystemSchema = (database: string | null): boolean =>
  database !== null && SYSTEM_SCHEMAS.has(database.toLowerCase());

export function checkSchema(database: string | null): void {
  if (isSystemSchema(database)) refuse("system_schema", "The system schemas of the server are not readable.");
}

const describe = ({ database, table }: TableName): string => (database === null ? table : `${database}.${table}`);
