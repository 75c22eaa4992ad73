// Runs as a separate process: a job worker for threads that delegate, on a SQLite file, until it is killed. The
// argument is the file.

import { systemClock } from "../../src/adapters/clock-system.ts";
import { createIds } from "../../src/adapters/ids-random.ts";
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { runSlice } from "../../src/jobs/run-slice.ts";
import { startWorker } from "../../src/jobs/worker.ts";
import { call, createCrewRuntime, DONE } from "./crew.ts";
import { driveOptions } from "./drive-options.ts";
import { unwrap } from "./runtime.ts";

const TASKS = Array.from({ length: 8 }, (_, i) => ({ task: `Task ${i}`, budget: { turns: 6 } }));

export async function startCrewWorker(path: string, owner: string) {
  const { threads: store } = unwrap(await createSqliteStore({ path }));
  const rt = createCrewRuntime(
    (goal, seen) => {
      if (goal !== "Parent") return DONE;
      return seen === 0 ? call("delegate_parallel", { tasks: TASKS }) : DONE;
    },
    { workers: true, change: { store } },
  );
  const real = { ...rt, clock: systemClock, ids: createIds(systemClock) };
  const none = async () => ({ kind: "none" });
  const worker = startWorker(real, {
    concurrency: 4,
    poll_ms: 20,
    // The model is slow: a slice of one turn takes 20 ms, so that there is time to stop a process in the middle of the
    // work.
    handlers: {
      wake: async (due) => {
        await systemClock.sleep(20, new AbortController().signal);
        return runSlice(real, due, driveOptions({ owner, lease_ms: 1_500, slice_turns: 1 }));
      },
      tick: none,
      webhook: none,
    },
    onError: () => undefined,
  });
  return { rt: real, worker, store };
}

const [path] = process.argv.slice(2);
if (process.argv[1]?.endsWith("crew-worker-process.ts") && path) {
  await startCrewWorker(path, "other");
  process.stdout.write("started\n");
}
