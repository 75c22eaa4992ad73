// Changes the state of a thread outside of a turn. Adds one record without a model call.
import { retryConflict } from "../ports/retry.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Thread, ThreadRecord } from "../schema/record.ts";
import type { Background, ThreadState } from "../schema/thread.ts";
import type { TurnResult } from "../schema/turn-result.ts";
import { replay } from "../turn/admit/replay.ts";
import type { Advanced } from "../turn/advance.ts";
import { commit } from "../turn/commit/commit.ts";
import { type Amendment, amend, draftTurn } from "../turn/commit/draft.ts";
import { loadThread } from "../turn/load.ts";
import type { Runtime, TurnRequest } from "../turn/runtime.ts";
import { storedTrace } from "../turn/trace-parent.ts";
import { nextAction, threadView, turnResultOf } from "../turn/view.ts";

/**
 * Retries on conflicts, because the change does not depend on the rest of the state. If `change` returns null, a record is written only to bind an
 * idempotency key, because every record supersedes the turn in progress.
 */
export const changeState = (
  rt: Runtime,
  request: TurnRequest,
  change: (state: ThreadState) => Result<Amendment | null>,
): Promise<Result<Advanced>> =>
  retryConflict("thread_moved", async () => {
    const thread = await loadThread(rt, request.at);
    if (!thread.ok) return thread;
    const before = await replay(rt, request, thread.value);
    if (!before.ok) return before;
    const answer = (records: readonly ThreadRecord[], replayed: boolean): Result<Advanced> =>
      ok({ records, outcome: turnResultOf(request.at.thread, records), replayed });
    if (before.value.kind === "answered") return answer(before.value.records, true);
    const amendment = change(thread.value.state);
    if (!amendment.ok) return amendment;
    if (!request.key && amendment.value === null)
      return ok({ records: [], outcome: unchanged(request, thread.value), replayed: false });
    const ctx = { rt, request, thread: thread.value };
    const committed = await commit(ctx, amend(draftTurn(ctx), amendment.value ?? {}));
    return committed.ok ? answer([committed.value.record], false) : committed;
  });

const unchanged = ({ at }: TurnRequest, { version, state, entries }: Thread): TurnResult => ({
  kind: "advanced",
  thread: threadView(at.thread, version, state, entries.at(-1)?.entry.at ?? state.created_at),
  turn: null,
  next: nextAction(state),
});

/** Starts, pauses or stops the background run. */
export const setBackground = (rt: Runtime, request: TurnRequest, wanted: Background): Promise<Result<Advanced>> =>
  changeState(rt, request, ({ background }) => {
    if (wanted.status !== "on" && background === null) {
      return fail("nothing_to_do", "The thread does not run in the background.");
    }
    // The same request may arrive twice, for example after a double click.
    const isSame = background?.status === wanted.status && background.reason === wanted.reason;
    const trace = wanted.status === "on" ? { trace_parent: undefined, ...storedTrace(request) } : {};
    return ok(isSame ? null : { state: { background: wanted, ...trace } });
  });

/** The title stays, whatever the goals of later runs. */
export const renameThread = (rt: Runtime, request: TurnRequest, title: string): Promise<Result<Advanced>> =>
  changeState(rt, request, (state) =>
    ok(state.title === title ? null : { state: { title }, entry: { renamed: title } }),
  );
