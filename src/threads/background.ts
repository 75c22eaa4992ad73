// Starts, pauses or stops the background run of a thread.
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Background } from "../schema/thread.ts";
import type { Advanced } from "../turn/advance.ts";
import type { Runtime, TurnRequest } from "../turn/runtime.ts";
import { storedTrace } from "../turn/trace-parent.ts";
import { changeState } from "./change-state.ts";

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
