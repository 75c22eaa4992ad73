// Which tables a statement may read, and which columns are masked. Names are compared in lower case.
import { SYSTEM_SCHEMAS } from "./functions.ts";
import { refuse } from "./refusal.ts";
import type { TableName } from "./tree.ts";

export type GrantOptions = {
  /** "table" or "database.table". Without it every table outside of the system schemas is granted. */
  readonly tables?: readonly string[] | undefined;
  /** "column", "table.column" or "database.table.column". */
  readonly masked?: readonly string[] | undefined;
  /** The default database: a table without a database is then the same as one with it. */
  readonly database?: string | undefined;
};

export type Grants = {
  /** The granted spelling of the table; refuses a table that is not granted. */
  readonly table: (name: TableName) => TableName;
  readonly isGranted: (name: TableName) => boolean;
  readonly masks: boolean;
  /** `tables`: the tables that the column may belong to. */
  readonly isMasked: (column: string, tables: readonly TableName[]) => boolean;
};

const lower = (text: string | null | undefined): string | null => text?.toLowerCase() ?? null;

export function createGrants(options: GrantOptions): Grants {
  const granted = options.tables?.map(readTable);
  const masked = (options.masked ?? []).map((entry) => entry.split(".").reverse());
  const database = (name: TableName): string | null => lower(name.database ?? options.database);
  const isTable = (a: TableName, b: TableName): boolean =>
    lower(a.table) === lower(b.table) && database(a) === database(b);
  return {
    isGranted: (name) =>
      !isSystemSchema(database(name)) && (granted === undefined || granted.some((table) => isTable(table, name))),
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
      masked.some(([name, table, schema]) => {
        if (lower(name) !== lower(column)) return false;
        if (table === undefined) return true;
        return tables.some((at) => {
          const sameSchema = schema === undefined || database(at) === null || database(at) === lower(schema);
          return lower(at.table) === lower(table) && sameSchema;
        });
      }),
  };
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
