// Tests the statements that the SQLite store prepares.
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { unwrap } from "../support/runtime.ts";

test("no statement has a bare parameter as its limit, because SQLite prepares such a statement again for every call", async () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  try {
    const store = unwrap(await createSqliteStore({ path: ":memory:" }));
    await store.close();
    const statements = prepare.mock.calls.map(([sql]) => sql);
    expect(statements.filter((sql) => /\bLIMIT\b/.test(sql)).length).toBeGreaterThan(5);
    expect(statements.filter((sql) => /\bLIMIT\s+[?$]/.test(sql))).toEqual([]);
  } finally {
    prepare.mockRestore();
  }
});
