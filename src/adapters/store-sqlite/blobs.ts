// Stores large strings of a thread by their hash. The first content stored under a hash is kept.
import { blobTooLarge } from "../../ports/row-limits.ts";
import type { ThreadStore } from "../../ports/thread-store.ts";
import { fail, ok } from "../../schema/problem.ts";
import type { ForkRows } from "./forks.ts";
import type { OpenFile } from "./open.ts";

export const PUT_BLOB = `
INSERT INTO blobs (tenant, thread, hash, body) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (tenant, thread, hash) DO NOTHING`;

const GET = "SELECT body FROM blobs WHERE tenant = ?1 AND thread = ?2 AND hash = ?3";

export function blobMethods({ db, read, write }: OpenFile, forks: ForkRows): Pick<ThreadStore, "putBlob" | "getBlob"> {
  const put = db.prepare(PUT_BLOB);
  const get = db.prepare(GET);
  return {
    async putBlob(at, hash, text) {
      const tooLarge = blobTooLarge(text);
      if (tooLarge) return tooLarge;
      return write(() => {
        put.run(at.tenant, at.thread, hash, text);
        return ok(undefined);
      });
    },
    getBlob: (at, hash) =>
      read(() => {
        let row = get.get(at.tenant, at.thread, hash);
        if (row === undefined) for (const { thread } of forks.originsOf(at)) row ??= get.get(at.tenant, thread, hash);
        if (row === undefined) return fail("blob_not_found", `Thread ${at.thread} has no blob ${hash}.`);
        return ok(String(row.body));
      }),
  };
}
