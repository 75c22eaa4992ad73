// Refuses background runs if the process has no job worker, because they would never start.
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";

/** A runtime without `worker` belongs to a host that runs workers elsewhere, perhaps in another process. */
export const requireWorker = ({ worker }: Pick<Runtime, "worker">): Result<void> =>
  worker === undefined || worker.running
    ? ok(undefined)
    : fail("no_worker", "No job worker runs in this process, so a background run would never advance.");
