// Background runs need a job worker. Without one a request would be accepted and nothing would ever happen.
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";

/** A runtime without `worker` belongs to a host that runs workers itself, perhaps in another process. */
export const requireWorker = ({ worker }: Pick<Runtime, "worker">): Result<void> =>
  worker === undefined || worker.running
    ? ok(undefined)
    : fail("no_worker", "No job worker runs in this process, so a background run would never advance.");
