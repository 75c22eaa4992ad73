// Exports a thread as text: its stored rows and blobs up to the current head, and the data of toolkits. Read-only.
import { upgradeState } from "../migrate/upgrade.ts";
import { isoTime } from "../ports/clock.ts";
import { writeExport } from "../schema/export.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";
import { readThreadRows } from "./thread-blobs.ts";

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
  const content = await readThreadRows(rt, at, version);
  if (!content.ok) return content;
  const toolkits = (await rt.companions.exported?.(at)) ?? ok({});
  if (!toolkits.ok) return toolkits;
  const exported_at = isoTime(rt.clock.now());
  const contents = { thread: at.thread, exported_at, ...content.value, toolkits: toolkits.value };
  return ok(writeExport(contents, rt.hash.sha256));
}
