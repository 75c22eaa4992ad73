// Defines the refusal of a statement. It is thrown inside this folder, because the readers are recursive, and judgeSql
// returns it as a value.
export const SQL_CODES = [
  "allowed",
  "too_long",
  "character_not_allowed",
  "comment_not_allowed",
  "literal_not_allowed",
  "variable_not_allowed",
  "multiple_statements",
  "not_read_only",
  "function_not_allowed",
  "system_schema",
  "table_not_granted",
  "column_masked",
  "not_understood",
] as const;
export type SqlCode = (typeof SQL_CODES)[number];
export type RefusalCode = Exclude<SqlCode, "allowed">;

export class SqlRefusal extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

export function refuse(code: RefusalCode, reason: string): never {
  throw new SqlRefusal(code, reason);
}
