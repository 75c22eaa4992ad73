// Runs the phases of a history with background runs: faults first, then workers finish without faults, then stopped
// runs are resumed.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import { dropRemovedThreads, redeliverIfSubscribed } from "../changes/settle-changes.ts";
import type { Person } from "../clients.ts";
import type { Network } from "../network.ts";
import type { DurableState } from "../server.ts";
import { finishThreads } from "../settle.ts";
import type { World } from "../world.ts";
import {
  addDiscoveredThreads,
  disableSchedules,
  findForgottenWork,
  firingSchedules,
  redeliverDeadLetters,
  resumeBackgroundRuns,
} from "./settle-jobs.ts";

export async function runJobPhases(
  world: World,
  network: Network,
  _durable: DurableState,
  data: MemoryData,
  people: readonly Person[],
  activity: Promise<unknown>,
  found: string[],
): Promise<void> {
  const boards = new Set(people.map(({ shared }) => shared));
  const interruptedFirings = new Set<string>();
  const runUntilDone = async (what: string, work: Promise<unknown>): Promise<void> => {
    let finished = false;
    void work.then(() => {
      finished = true;
    });
    const ended = await world.run(() => finished);
    if (ended !== "done") found.push(`I6 ${what} does not end: ${ended}`);
  };
  /** Runs until nothing is due. */
  const settleWork = async (when: string): Promise<void> => {
    const ended = await world.run(() => false);
    if (ended !== "stuck") found.push(`I11 workers do not finish ${when}`);
    found.push(...findForgottenWork(world, network, data, interruptedFirings));
  };
  await runUntilDone("the history", activity);
  world.stopFaults();
  // After a clock jump, the end of a schedule may be ten years away.
  if (world.clockJumped()) {
    for (const schedule of firingSchedules(data)) interruptedFirings.add(schedule);
    await runUntilDone("ending schedules", disableSchedules(network, data));
  }
  await settleWork("after the faults");
  // This includes requests whose client did not wait for the response.
  if (network.changes) dropRemovedThreads(data, boards);
  addDiscoveredThreads(world, data, boards);
  await runUntilDone("reviving", resumeBackgroundRuns(world, network, data, found, interruptedFirings));
  await settleWork("after resuming");
  await runUntilDone("completing threads", finishThreads(world, network, people, found));
  await settleWork("after completion");
  await runUntilDone(
    "sending dead letters",
    (network.changes ? redeliverIfSubscribed : redeliverDeadLetters)(network, data, found),
  );
  await settleWork("at the end");
  addDiscoveredThreads(world, data, boards);
}
