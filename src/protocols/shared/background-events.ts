// Streams a run that job workers advance. The request runs the first turn itself, so that the client learns of a
// refusal.
import { createTurnRequest } from "../../http/turn-request.ts";
import { endsRequest } from "../../turn/commit/commit.ts";
import { advanceWith, type ProtocolRun, type RunEvent, type RunStart, runThread } from "./run-thread.ts";

/** Yields the first turn of a background run and, with `follow`, the turns of the job workers that continue it. */
export async function* backgroundEvents(run: ProtocolRun, start: RunStart, follow: boolean): AsyncGenerator<RunEvent> {
  const { options, caller, at, isAbandoned } = run;
  const fields = { ...start, options: { ...start.options, in_background: true, isAbandoned } };
  const request = createTurnRequest(options, caller, at, fields);
  const advanced = await advanceWith(options.rt, { ...request, last_turn: false });
  if (!advanced.ok) return yield { type: "problem", problem: advanced.problem };
  const { records } = advanced.value;
  for (const record of records) yield { type: "record", record };
  const last = records.at(-1);
  if (follow && last && !endsRequest(last.state, last.entry))
    yield* runThread(run, { input: null, version: last.version });
}
