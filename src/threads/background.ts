// Switching a thread to driving itself, pausing it, giving up on it. A record of its own, without a model call.
import type { TurnOutcome } from "../schema/outcome.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Thread } from "../schema/record.ts";
import type { Background } from "../schema/thread.ts";
import { replay } from "../turn/admit/replay.ts";
import type { Advanced } from "../turn/advance.ts";
import { commit } from "../turn/commit/commit.ts";
import { amend, draftTurn } from "../turn/commit/draft.ts";
import { loadThread } from "../turn/load.ts";
import type { Runtime, TurnCall } from "../turn/runtime.ts";
import { nextOf, outcomeOf, threadView } from "../turn/view.ts";

const TRIES = 20;

/** Wins over whatever else is committed meanwhile: the wish does not depend on where the thread is. */
export async function setBackground(rt: Runtime, call: TurnCall, wanted: Background): Promise<Result<Advanced>> {
  for (let tries = 0; ; tries++) {
    const thread = await loadThread(rt, call.at);
    if (!thread.ok) return thread;
    const before = await replay(rt, call, thread.value);
    if (!before.ok) return before;
    if (before.value.kind === "answered") {
      const { records } = before.value;
      return ok({ records, outcome: outcomeOf(call.at.thread, records), replayed: true });
    }
    const { state } = thread.value;
    if (wanted.status !== "on" && state.background === null) {
      return fail("nothing_to_do", "The thread does not run in the background.");
    }
    // Said twice, as by a double click: a record more would cost the turn at work its place. Under a key it binds the key.
    if (!call.key && state.background?.status === wanted.status && state.background.reason === wanted.reason)
      return ok({ records: [], outcome: unchanged(call, thread.value), replayed: false });
    const draft = amend(draftTurn(rt, call, thread.value), { state: { background: wanted } });
    const committed = await commit(rt, call, thread.value, draft);
    if (committed.ok) {
      const records = [committed.value.record];
      return ok({ records, outcome: outcomeOf(call.at.thread, records), replayed: false });
    }
    if (committed.problem.code !== "thread_moved" || tries >= TRIES) return committed;
  }
}

const unchanged = ({ at }: TurnCall, { version, state, entries }: Thread): TurnOutcome => ({
  kind: "advanced",
  thread: threadView(at.thread, version, state, entries.at(-1)?.entry.at ?? state.created_at),
  turn: null,
  next: nextOf(state),
});
