// Starts, pauses or stops the background run of a thread. Adds one record, without a model call.
import { retryConflict } from "../ports/retry.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Thread, ThreadRecord } from "../schema/record.ts";
import type { Background } from "../schema/thread.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import { replay } from "../turn/admit/replay.ts";
import type { Advanced } from "../turn/advance.ts";
import { commit } from "../turn/commit/commit.ts";
import { amend, draftTurn } from "../turn/commit/draft.ts";
import { loadThread } from "../turn/load.ts";
import type { Runtime, TurnRequest } from "../turn/runtime.ts";
import { nextAction, threadView, turnResultOf } from "../turn/view.ts";

/** Retried on conflicts, because it does not depend on the rest of the thread's state. */
export const setBackground = (rt: Runtime, request: TurnRequest, wanted: Background): Promise<Result<Advanced>> =>
  retryConflict("thread_moved", async () => {
    const thread = await loadThread(rt, request.at);
    if (!thread.ok) return thread;
    const before = await replay(rt, request, thread.value);
    if (!before.ok) return before;
    const answer = (records: readonly ThreadRecord[], replayed: boolean): Result<Advanced> =>
      ok({ records, outcome: turnResultOf(request.at.thread, records), replayed });
    if (before.value.kind === "answered") return answer(before.value.records, true);
    const { background } = thread.value.state;
    if (wanted.status !== "on" && background === null) {
      return fail("nothing_to_do", "The thread does not run in the background.");
    }
    // Repeated, for example by a double click: another record would supersede the turn in progress. With a key it is recorded, to bind the key.
    if (!request.key && background?.status === wanted.status && background.reason === wanted.reason)
      return ok({ records: [], outcome: unchanged(request, thread.value), replayed: false });
    const ctx = { rt, request, thread: thread.value };
    const committed = await commit(ctx, amend(draftTurn(ctx), { state: { background: wanted } }));
    return committed.ok ? answer([committed.value.record], false) : committed;
  });

const unchanged = ({ at }: TurnRequest, { version, state, entries }: Thread): TurnResult => ({
  kind: "advanced",
  thread: threadView(at.thread, version, state, entries.at(-1)?.entry.at ?? state.created_at),
  turn: null,
  next: nextAction(state),
});
