// Implements the DynamoDB store: threads, settings, documents and claims in one table, shared by any number of
// processes.
import type { Claims } from "../../ports/claims.ts";
import type { DocumentStore } from "../../ports/documents.ts";
import type { SettingsStore } from "../../ports/settings-store.ts";
import type { ThreadStore } from "../../ports/thread-store.ts";
import type { Result } from "../../schema/problem.ts";
import { blobMethods } from "./blobs/blobs.ts";
import { createPendingBlobs } from "./blobs/pending-blobs.ts";
import type { Call } from "./calls/calls.ts";
import { createClaims } from "./claims.ts";
import { createFromSnapshotOn } from "./create-from-snapshot.ts";
import { createDocumentStore } from "./document-store.ts";
import { outboxMethods } from "./outbox.ts";
import { createKnownHeads } from "./records/known-heads.ts";
import { listMethods } from "./records/metas.ts";
import { readMethods } from "./records/read-records.ts";
import { createRemove } from "./records/removal.ts";
import { writeMethods } from "./records/write-records.ts";
import { createRetry, machineClock, type RetryOptions } from "./retry.ts";
import { createSettingsStore } from "./settings-store.ts";
import { createSharedSecret } from "./shared-secret.ts";
import { createSingleUseStore, type SingleUseStore } from "./single-use-store.ts";
import type { OpenTable } from "./table.ts";

export type TableOptions = RetryOptions & {
  readonly table: string;
  /** The maximum age of cached settings, which another process may have changed. Default: 0, which caches nothing. */
  readonly settings_max_age_ms?: number;
};

export type DynamoStore = {
  readonly threads: ThreadStore;
  readonly settings: SettingsStore;
  readonly documents: DocumentStore;
  readonly claims: Claims;
  /** For tickets and similar secrets, which any process may redeem. */
  readonly once: SingleUseStore;
  /** The same secret for every process on this table. The first process that needs it creates it. */
  readonly secret: () => Promise<Result<string>>;
};

/** Opens the store. It connects on the first request. */
export function openDynamoStore(options: TableOptions & { readonly call: Call }): DynamoStore {
  const clock = options.clock ?? machineClock;
  const table: OpenTable = {
    call: options.call,
    name: options.table,
    clock,
    retryUnavailable: createRetry(options),
  };
  return {
    threads: createThreadStore(table),
    settings: createSettingsStore(table, options.settings_max_age_ms ?? 0),
    documents: createDocumentStore(table),
    claims: createClaims(table),
    once: createSingleUseStore(table),
    secret: createSharedSecret(table),
  };
}

function createThreadStore(table: OpenTable): ThreadStore {
  const known = createKnownHeads(table.clock);
  const pending = createPendingBlobs(() => table.clock.now());
  const blobs = blobMethods(table, pending);
  const writes = writeMethods(table, { known, pending, putBlob: blobs.putBlob });
  return {
    ...readMethods(table, known),
    create: writes.create,
    append: writes.append,
    appendsBlobs: true,
    checksFollows: true,
    ...listMethods(table),
    ...blobs,
    createFromSnapshot: createFromSnapshotOn(table, {
      putBlob: blobs.putBlob,
      createWithOutbox: writes.createWithOutbox,
      known,
      waiting: pending,
    }),
    ...outboxMethods(table),
    remove: createRemove(table, known, pending),
    async close() {},
  };
}
