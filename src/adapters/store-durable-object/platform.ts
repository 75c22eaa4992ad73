// The part of the platform's storage that this adapter uses; the rest of it stays unknown here.
export type SqlValue = string | number | null;
export type SqlCursor = { readonly toArray: () => Record<string, SqlValue>[]; readonly rowsWritten: number };
export type ObjectStorage = {
  readonly sql: { readonly exec: (query: string, ...values: SqlValue[]) => SqlCursor };
  /** All or nothing: a throw rolls back. */
  readonly transactionSync: <T>(work: () => T) => T;
  readonly getAlarm: () => Promise<number | null>;
  readonly setAlarm: (at: number) => Promise<void>;
  readonly deleteAlarm: () => Promise<void>;
};

/** Objects are found by name. What crosses is copied, so only plain values do. */
export type Namespace<T> = { readonly idFromName: (name: string) => unknown; readonly get: (id: unknown) => T };
