// Kills this process at a named point for tests: FAULT_AT=point:nth selects the point and the pass. Has no effect
// without the variable.
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
      // The process is killed, because an exit could still flush, close or answer something.
      process.kill(process.pid, "SIGKILL");
    },
  };
}
