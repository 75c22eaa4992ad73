// Yields a run that job workers advance. In a new thread, its first record begins it. In any other thread, the request
// itself runs the first turn, so that a refusal is part of its response.
import { createTurnRequest } from "../../http/turn-request.ts";
import { endsRequest } from "../../turn/commit/commit.ts";
import type { PreparedRun } from "./prepare-run.ts";
import { advanceWith, type ProtocolRun, type RunEvent, runThread } from "./run-thread.ts";

/** With `follow`, also yields the records of the job workers that continue the run. */
export async function* backgroundEvents(
  run: ProtocolRun,
  { start, begun }: PreparedRun,
  follow: boolean,
): AsyncGenerator<RunEvent> {
  const { options, caller, at, isAbandoned } = run;
  if (begun) {
    yield { type: "record", record: begun };
    if (follow) yield* runThread(run, start);
    return;
  }
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
