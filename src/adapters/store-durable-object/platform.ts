// Defines the subset of the platform's storage types that this adapter uses.
export type SqlValue = string | number | null;
export type SqlCursor = { readonly toArray: () => Record<string, SqlValue>[]; readonly rowsWritten: number };
export type ObjectStorage = {
  readonly sql: { readonly exec: (query: string, ...values: SqlValue[]) => SqlCursor };
  /** Runs the work atomically. An exception rolls it back. */
  readonly transactionSync: <T>(work: () => T) => T;
  readonly getAlarm: () => Promise<number | null>;
  readonly setAlarm: (at: number) => Promise<void>;
  readonly deleteAlarm: () => Promise<void>;
};

/** Finds objects by name. Arguments and results are copied, so they must be plain values. */
export type Namespace<T> = { readonly idFromName: (name: string) => unknown; readonly get: (id: unknown) => T };
