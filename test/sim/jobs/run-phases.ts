// The course of a history with background runs: the storm, the calm in which workers finish, and what is left is revived.
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
  const runUntilDone = async (what: string, work: Promise<unknown>): Promise<void> => {
    let finished = false;
    void work.then(() => {
      finished = true;
    });
    const ended = await world.run(() => finished);
    if (ended !== "done") found.push(`I6 ${what} does not end: ${ended}`);
  };
  /** Until nothing is due for anybody. */
  const settleWork = async (when: string): Promise<void> => {
    const ended = await world.run(() => false);
    if (ended !== "stuck") found.push(`I11 workers find no end ${when}`);
    found.push(...findForgottenWork(world, network, data));
  };
  await runUntilDone("the history", activity);
  world.stopFaults();
  // After a jump the end of a schedule may be ten years away.
  if (world.clockJumped()) await runUntilDone("ending schedules", disableSchedules(network, data));
  await settleWork("after the storm");
  // By now also what somebody asked for and did not wait for.
  if (network.changes) dropRemovedThreads(data, boards);
  addDiscoveredThreads(data, boards);
  await runUntilDone("reviving", resumeBackgroundRuns(network, data, found));
  await settleWork("after reviving");
  await runUntilDone("driving home", finishThreads(world, network, people, found));
  await settleWork("at home");
  await runUntilDone(
    "sending dead letters",
    (network.changes ? redeliverIfSubscribed : redeliverDeadLetters)(network, data, found),
  );
  await settleWork("in the end");
  addDiscoveredThreads(data, boards);
}
