// Kills this process at a named point, for tests. FAULT_AT=point:n selects the point and, by default 1, the pass through it.
import { FAULT_POINTS, type Faults, noFaults } from "../../ports/faults.ts";
import type { Environment } from "./config.ts";

export function faultsFromEnvironment(env: Environment): Faults {
  const faultAt = env.FAULT_AT;
  if (!faultAt) return noFaults;
  const [point, nth = "1"] = faultAt.split(":");
  if (!FAULT_POINTS.some((known) => known === point))
    throw new Error(`FAULT_AT: no point named ${point}; known: ${FAULT_POINTS.join(", ")}`);
  let passes = 0;
  return {
    at(passed) {
      if (passed !== point || ++passes !== Number(nth)) return;
      // Killed with a signal, because a regular exit could still flush, close or send something.
      process.kill(process.pid, "SIGKILL");
    },
  };
}
