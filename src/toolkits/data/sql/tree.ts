// Defines the checked tree: everything that a statement may consist of. Only the readers of this folder build it.
export type Query = {
  readonly with: readonly Cte[];
  readonly recursive: boolean;
  readonly parts: readonly SetPart[];
  /** The ORDER BY of the whole chain, if its last part is in parentheses. */
  readonly orderBy: readonly Order[];
  readonly limit: Limit | null;
};
export type SetOperator = "UNION" | "UNION ALL" | "UNION DISTINCT" | "INTERSECT" | "EXCEPT";
export type SetPart = {
  readonly operator: SetOperator | null;
  readonly select: Select;
  readonly parentheses: boolean;
};
export type Cte = { readonly name: string; readonly columns: readonly string[]; readonly query: Query };

export type Select = {
  readonly distinct: boolean;
  readonly columns: readonly Selected[];
  readonly from: readonly Source[];
  readonly where: Expression | null;
  readonly groupBy: readonly Expression[];
  readonly rollup: boolean;
  readonly having: Expression | null;
  readonly windows: readonly { readonly name: string; readonly window: Window }[];
  readonly orderBy: readonly Order[];
  readonly limit: Limit | null;
};
export type Selected =
  | { readonly kind: "star"; readonly path: readonly string[] }
  | { readonly kind: "column"; readonly value: Expression; readonly alias: string | null };

export type JoinKind = "," | "INNER JOIN" | "LEFT JOIN" | "RIGHT JOIN" | "CROSS JOIN";
export type Source = {
  readonly join: JoinKind | null;
  readonly from:
    | { readonly kind: "table"; readonly table: TableName }
    | { readonly kind: "query"; readonly query: Query }
    | { readonly kind: "dual" };
  readonly alias: string | null;
  readonly on: Expression | null;
  readonly using: readonly string[];
};
export type TableName = { readonly database: string | null; readonly table: string };
export type Order = { readonly value: Expression; readonly direction: "ASC" | "DESC" | null };
export type Limit = { readonly count: string; readonly offset: string | null };
export type Window = {
  /** A window defined by the WINDOW clause. */
  readonly name: string | null;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly Order[];
  /** The printed text, with constant bounds. */
  readonly frame: string | null;
};

export type Expression =
  | { readonly kind: "column"; readonly path: readonly string[] }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "number"; readonly value: string }
  | { readonly kind: "keyword"; readonly value: "NULL" | "TRUE" | "FALSE" }
  | { readonly kind: "temporal"; readonly type: "DATE" | "TIME" | "TIMESTAMP"; readonly value: string }
  | { readonly kind: "unary"; readonly operator: "-" | "+" | "NOT"; readonly value: Expression }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
      readonly escape: string | null;
    }
  | {
      readonly kind: "between";
      readonly not: boolean;
      readonly value: Expression;
      readonly from: Expression;
      readonly to: Expression;
    }
  | {
      readonly kind: "in";
      readonly not: boolean;
      readonly value: Expression;
      readonly list: readonly Expression[] | Query;
    }
  | { readonly kind: "row"; readonly values: readonly Expression[] }
  | { readonly kind: "query"; readonly query: Query }
  | { readonly kind: "exists"; readonly not: boolean; readonly query: Query }
  | { readonly kind: "quantified"; readonly word: "ANY" | "ALL" | "SOME"; readonly query: Query }
  | {
      readonly kind: "case";
      readonly value: Expression | null;
      readonly when: readonly { readonly condition: Expression; readonly result: Expression }[];
      readonly else: Expression | null;
    }
  | {
      readonly kind: "cast";
      /** CONVERT USING has a character set instead of a type. */
      readonly word: "CAST" | "CONVERT" | "CONVERT USING";
      readonly value: Expression;
      readonly type: string;
    }
  | { readonly kind: "collate"; readonly value: Expression; readonly collation: string }
  | { readonly kind: "extract"; readonly unit: string; readonly value: Expression }
  | { readonly kind: "interval"; readonly unit: string; readonly value: Expression }
  | {
      readonly kind: "trim";
      readonly side: string | null;
      readonly remove: Expression | null;
      readonly value: Expression;
    }
  | { readonly kind: "position"; readonly find: Expression; readonly value: Expression }
  | { readonly kind: "call"; readonly call: Call; readonly over: Window | null };

export type Call = {
  readonly name: string;
  /** True if the call is written without parentheses, as in CURRENT_DATE. */
  readonly bare: boolean;
  readonly star: boolean;
  readonly distinct: boolean;
  readonly unit: string | null;
  readonly args: readonly Expression[];
  readonly orderBy: readonly Order[];
  readonly separator: string | null;
};
