// Runs the Durable Object adapter on objects in this process. Each has its own SQLite database in memory, and the
// directory is synchronized as on the platform. The contract and the races run in the real runtime:
// test/hosts/cloudflare.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import {
  createDurableObjectStore,
  type DirectoryObject,
  type ObjectNamespaces,
  type ThreadObject,
} from "../../../src/adapters/store-durable-object/create-store.ts";
import { type DirectoryRows, directoryRows } from "../../../src/adapters/store-durable-object/directory-rows.ts";
import type { Namespace, ObjectStorage } from "../../../src/adapters/store-durable-object/platform.ts";
import { selfRows } from "../../../src/adapters/store-durable-object/self-rows.ts";
import {
  directoryChanges,
  METHODS_WITHOUT_SYNC,
  type Tables,
} from "../../../src/adapters/store-durable-object/sync-directory.ts";
import { threadRows } from "../../../src/adapters/store-durable-object/thread-rows.ts";
import { createDirectorySync } from "../../../src/hosts/cloudflare/directory-sync.ts";
import type { Result } from "../../../src/schema/problem.ts";
import { HANDLES, type RealStore } from "./mirror-store.ts";

/** Opens the store. `onCall` receives the name of each method of a thread's object that is called. */
export async function openDurableObjects(onCall: (method: string) => void = () => undefined): Promise<RealStore> {
  const databases: DatabaseSync[] = [];
  const openStorage = (): ObjectStorage => {
    const db = new DatabaseSync(":memory:");
    databases.push(db);
    return createStorage(db);
  };
  const directory = createNamespace(() => createDirectoryObject(openStorage()));
  const objects: ObjectNamespaces = {
    directory,
    threads: createNamespace(() => withCallsCounted(createThreadObject(openStorage, directory), onCall)),
  };
  return {
    name: "Durable Object",
    handles: Array.from({ length: HANDLES }, () => createDurableObjectStore(objects).threads),
    close: async () => {
      for (const db of databases) db.close();
    },
  };
}

const withCallsCounted = ({ rows }: ThreadObject, onCall: (method: string) => void): ThreadObject => ({
  rows: (at, method, args) => {
    onCall(method);
    return rows(at, method, args);
  },
});

function createNamespace<T>(create: () => T): Namespace<T> {
  const objects = new Map<unknown, T>();
  return {
    idFromName: (name) => name,
    get: (id) => {
      const object = objects.get(id) ?? create();
      objects.set(id, object);
      return object;
    },
  };
}

type Methods = Record<string, (...args: readonly unknown[]) => unknown>;

function createDirectoryObject(storage: ObjectStorage): DirectoryObject {
  const rows: DirectoryRows = directoryRows(storage);
  return {
    // Arguments and results are copied, as between objects of the platform.
    rows: async (method, args) =>
      structuredClone((rows as unknown as Methods)[method]?.(...structuredClone(args))) as never,
  };
}

/** Does what PawlThread does with its rows, without alarms and sockets. The workers of a history find what is due. */
function createThreadObject(openStorage: () => ObjectStorage, directory: Namespace<DirectoryObject>): ThreadObject {
  let tables: Tables | null = null;
  const open = (): Tables => {
    if (tables) return tables;
    const storage = openStorage();
    tables = { rows: threadRows(storage), self: selfRows(storage) };
    return tables;
  };
  const sync = createDirectorySync({
    target: () => ({ directory, prefix: "" }),
    tables: open,
    onSynced: async () => {
      if (open().rows.head() === null) tables = null;
    },
    onError: (_at, error) => {
      throw error;
    },
  });
  return {
    rows: async (at, method, args) => {
      const { rows, self } = open();
      const result = (rows as unknown as Methods)[method]?.(...structuredClone(args));
      if (METHODS_WITHOUT_SYNC.has(method) || !(result as Result<unknown>).ok) return structuredClone(result) as never;
      const { lists, waits } = directoryChanges(method, args);
      self.saveIdentity(at);
      if (lists) self.markDirty();
      if (lists || waits) await sync.sync(at);
      return structuredClone(result) as never;
    },
  };
}

function createStorage(db: DatabaseSync): ObjectStorage {
  const statements = new Map<string, StatementSync>();
  const prepare = (query: string): StatementSync => {
    const statement = statements.get(query) ?? db.prepare(query);
    statements.set(query, statement);
    return statement;
  };
  return {
    sql: {
      exec: (query, ...values) => {
        const rows = prepare(query).all(...values) as Record<string, string | number | null>[];
        return { toArray: () => rows.map((row) => ({ ...row })), rowsWritten: 0 };
      },
    },
    transactionSync: (work) => {
      db.exec("SAVEPOINT work");
      try {
        const result = work();
        db.exec("RELEASE work");
        return result;
      } catch (error) {
        db.exec("ROLLBACK TO work; RELEASE work");
        throw error;
      }
    },
    getAlarm: async () => null,
    setAlarm: async () => undefined,
    deleteAlarm: async () => undefined,
  };
}
