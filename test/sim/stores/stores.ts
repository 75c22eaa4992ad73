// Lists the stores that a history can run on. By default a share of the histories runs on SQLite and the others only in
// memory.
import { roll, STREAMS } from "../random.ts";
import type { RealStore } from "./mirror-store.ts";

export const STORE_KINDS = ["memory", "sqlite", "dynamodb", "durable_object"] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

const SQLITE_SHARE = 0.01;

export const defaultStore = (seed: number): StoreKind =>
  roll(seed, STREAMS.sqlite, 0) < SQLITE_SHARE ? "sqlite" : "memory";

/** Loads a store on demand, because most runs need none of them. */
export async function openStore(kind: StoreKind): Promise<RealStore | null> {
  switch (kind) {
    case "memory":
      return null;
    case "sqlite":
      return (await import("./sqlite.ts")).openSqlite();
    case "dynamodb":
      return (await import("./dynamodb.ts")).openDynamoTable();
    case "durable_object":
      return (await import("./durable-object.ts")).openDurableObjects();
  }
}
