// Exports a thread as text: its stored rows and blobs up to the current head, and the data of toolkits. Read-only.
import { upgradeState } from "../migrate/upgrade.ts";
import { isoTime } from "../ports/clock.ts";
import type { StoredRecord } from "../ports/thread-store.ts";
import { type ExportBlob, writeExport } from "../schema/export.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";
import { forEachBlob } from "./thread-blobs.ts";

const PAGE_SIZE = 100;

export async function exportThread(
  rt: Pick<Runtime, "store" | "clock" | "hash" | "companions">,
  at: ThreadRef,
): Promise<Result<string>> {
  const head = await rt.store.load(at, 1);
  if (!head.ok) return head;
  const { version, state: text } = head.value.head;
  const state = upgradeState(text);
  if (!state.ok) return state;
  // A thread with a running call is refused. Otherwise, two stores would both try to settle the call.
  if (state.value.machine.at === "acting")
    return fail("turn_running", "A call is still running; advance the thread once more, then export it.", {
      retry_after_s: 1,
    });
  const rows = await rowsUpTo(rt, at, version);
  if (!rows.ok) return rows;
  const blobs: ExportBlob[] = [];
  const read = await forEachBlob(rt, at, rows.value, async (hash, blob) => {
    blobs.push({ hash, text: blob });
    return ok(undefined);
  });
  if (!read.ok) return read;
  const toolkits = (await rt.companions.exported?.(at)) ?? ok({});
  if (!toolkits.ok) return toolkits;
  const exported_at = isoTime(rt.clock.now());
  const contents = { thread: at.thread, exported_at, rows: rows.value, blobs, toolkits: toolkits.value };
  return ok(writeExport(contents, rt.hash.sha256));
}

/** Reads the rows up to a version. Records committed after the export started are not included. */
async function rowsUpTo(
  rt: Pick<Runtime, "store">,
  at: ThreadRef,
  version: number,
): Promise<Result<readonly StoredRecord[]>> {
  const rows: StoredRecord[] = [];
  while (rows.length <= version) {
    const page = await rt.store.records(at, {
      after: rows.length - 1,
      limit: Math.min(PAGE_SIZE, version + 1 - rows.length),
    });
    if (!page.ok) return page;
    // The thread was removed while it was read.
    if (page.value.length === 0) return fail("thread_not_found", `Thread ${at.thread} does not exist any more.`);
    rows.push(...page.value);
  }
  return ok(rows);
}
