// A database that tools read. Its adapter guarantees that nothing is written, and that no result exceeds its limits.
import type { Result } from "../../schema/problem.ts";

/** The sql_mode of every session. Statements are judged by its rules; under another mode the same text can mean something else. */
export const SQL_MODE = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION";

export type Cell = string | number | null;
export type Rows = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** True if there were more rows than the limit. */
  readonly truncated: boolean;
};
export type ReadOptions = { readonly max_rows: number; readonly timeout_ms: number; readonly signal?: AbortSignal };

export type ColumnInfo = {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly comment: string;
};
export type TableInfo = {
  readonly database: string;
  readonly table: string;
  readonly comment: string;
  readonly columns: readonly ColumnInfo[];
  readonly indexes: readonly { readonly name: string; readonly unique: boolean; readonly columns: readonly string[] }[];
  readonly foreign_keys: readonly { readonly column: string; readonly references: string }[];
};

export interface DataSource {
  /** Runs one statement that was judged. Fails with `query_failed` if the database is unreachable, refuses it or takes too long. */
  read(sql: string, options: ReadOptions): Promise<Result<Rows>>;
  /** Lists all tables of these databases. The caller removes those that are not granted. */
  tables(databases: readonly string[], options: ReadOptions): Promise<Result<readonly TableInfo[]>>;
}

export type NamedSource = {
  readonly name: string;
  readonly description: string;
  /** The agents that may use it. If null, all may. */
  readonly agents: readonly string[] | null;
  /** Each is "table" or "database.table". If null, all tables outside the system schemas are granted. */
  readonly tables: readonly string[] | null;
  readonly masked: readonly string[];
  /** The default database. */
  readonly database: string;
  readonly max_rows: number;
  readonly timeout_ms: number;
  readonly source: DataSource;
};

/** One log line per attempt to read, whatever its result. It contains neither the statement nor values. */
export type DataAttempt = {
  readonly tenant: string;
  readonly thread: string;
  readonly agent: string;
  readonly tool: string;
  readonly source: string;
  /** "allowed", the code of the refusal, or the code of the problem. */
  readonly code: string;
  readonly rows: number | null;
  readonly duration_ms: number;
};

/** Returns the SQL to send for a statement that only reads what the source grants, and `query_refused` for any other. */
export type JudgeStatement = (
  sql: string,
  source: Pick<NamedSource, "tables" | "masked" | "database">,
) => Promise<Result<string>>;

export type DataSources = {
  readonly sources: readonly NamedSource[];
  /** Judges a statement. The host provides this function, because it loads a parser that hosts without data sources do not need. */
  readonly judge: JudgeStatement;
  readonly onAttempt?: (attempt: DataAttempt) => void;
};
