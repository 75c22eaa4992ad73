// Implements the thread store on one open SQLite file. Removal is here, because it touches all tables.
import type { ThreadStore } from "../../ports/thread-store.ts";
import { ok } from "../../schema/problem.ts";
import { blobMethods } from "./blobs.ts";
import { notFound } from "./failures.ts";
import { type ForkRows, forkRows } from "./forks.ts";
import { listMethods, metaRows } from "./metas.ts";
import type { OpenFile } from "./open.ts";
import { outboxMethods, outboxRows } from "./outbox.ts";
import { recordMethods } from "./records.ts";

export function createThreadStore(file: OpenFile): ThreadStore {
  const outbox = outboxRows(file);
  const forks = forkRows(file.db);
  return {
    ...recordMethods(file, { metas: metaRows(file), outbox, forks }),
    ...listMethods(file),
    ...blobMethods(file, forks),
    ...outboxMethods(file, outbox),
    remove: createRemove(file, forks),
    close: async () => file.close(),
  };
}

function createRemove({ db, write, rowCache }: OpenFile, forks: ForkRows): ThreadStore["remove"] {
  const [records, ...others] = ["records", "metas", "blobs", "outbox"].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE tenant = ?1 AND thread = ?2`),
  );
  return (at) =>
    write(
      () => {
        rowCache.invalidate(at);
        forks.handOver(at);
        const removed = records?.run(at.tenant, at.thread).changes ?? 0;
        for (const rows of others) rows.run(at.tenant, at.thread);
        return removed === 0 ? notFound(at) : ok(undefined);
      },
      () => rowCache.invalidate(at),
    );
}
