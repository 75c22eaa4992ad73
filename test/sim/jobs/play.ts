// The course of a history with background runs: the storm, the calm in which workers finish, and what is left is revived.
import type { MemoryData } from "../../../src/adapters/store-memory.ts";
import { driveHome } from "../calm.ts";
import { forgetRemoved, reviveAll } from "../changes/calm.ts";
import type { Network } from "../network.ts";
import type { Person } from "../people.ts";
import type { Durable } from "../server.ts";
import type { World } from "../world.ts";
import { endSchedules, findThreads, forgotten, goOn, revive } from "./calm.ts";

export async function playJobs(
  world: World,
  network: Network,
  _durable: Durable,
  data: MemoryData,
  people: readonly Person[],
  lives: Promise<unknown>,
  found: string[],
): Promise<void> {
  const boards = new Set(people.map(({ board }) => board));
  const during = async (what: string, work: Promise<unknown>): Promise<void> => {
    let over = false;
    void work.then(() => {
      over = true;
    });
    const ended = await world.run(() => over);
    if (ended !== "done") found.push(`I6 ${what} does not end: ${ended}`);
  };
  /** Until nothing is due for anybody. */
  const settle = async (when: string): Promise<void> => {
    const ended = await world.run(() => false);
    if (ended !== "stuck") found.push(`I11 workers find no end ${when}`);
    found.push(...forgotten(world, network, data));
  };
  await during("the history", lives);
  world.calm();
  // After a jump the end of a schedule may be ten years away.
  if (world.jumped()) await during("ending schedules", endSchedules(network, data));
  await settle("after the storm");
  // By now also what somebody asked for and did not wait for.
  if (network.changes) forgetRemoved(data, boards);
  findThreads(data, boards);
  await during("reviving", goOn(network, data, found));
  await settle("after reviving");
  await during("driving home", driveHome(world, network, people, found));
  await settle("at home");
  await during("sending dead letters", (network.changes ? reviveAll : revive)(network, data, found));
  await settle("in the end");
  findThreads(data, boards);
}
