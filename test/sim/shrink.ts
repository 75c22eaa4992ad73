// Reduces a failing history by dropping actions and faults one by one, as long as it still fails in the same way.
import { type HistoryOptions, runHistory } from "./history.ts";
import type { HistoryPlan } from "./world.ts";

/** Returns the violated invariant, for example "I3" for "I3 thr_…: …". */
export const violationCode = (violation: string): string => /^(?:I\d+|bug)/.exec(violation)?.[0] ?? violation;

/** Reduces a plan with at most `runs` histories. */
export async function shrink(plan: HistoryPlan, options: HistoryOptions = {}, runs = 400): Promise<HistoryPlan> {
  const original = await runHistory(plan, options);
  const [first] = original.violations;
  if (first === undefined) return plan;
  const kind = violationCode(first);
  let runsLeft = runs;
  let best = plan;
  const stillFails = async (smaller: HistoryPlan): Promise<boolean> => {
    if (runsLeft-- <= 0) return false;
    const { violations } = await runHistory(smaller, options);
    return violations.some((violation) => violationCode(violation) === kind);
  };
  for (const action of original.actions) {
    const smaller = { ...best, drop_actions: [...(best.drop_actions ?? []), action] };
    if (await stillFails(smaller)) best = smaller;
  }
  // Dropping an action changes the later faults, so the candidates are recomputed after every success.
  for (let tried = 0; runsLeft > 0; ) {
    const { fired } = await runHistory(best, options);
    const fault = fired[tried];
    if (fault === undefined) break;
    const smaller = { ...best, drop_faults: [...(best.drop_faults ?? []), fault] };
    if (await stillFails(smaller)) best = smaller;
    else tried += 1;
  }
  return best;
}
