// Wakes the parent of a child that has come to rest. A lost wake-up costs only time, because the parent also polls.
import type { ThreadRef } from "../../schema/ids.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { wakeUpAt } from "../../turn/commit/wake-up.ts";
import type { Runtime } from "../../turn/runtime.ts";

export async function wakeParent(rt: Runtime, { tenant }: ThreadRef, { child, machine }: ThreadState): Promise<void> {
  if (!child || (machine.state !== "rest" && machine.state !== "failed")) return;
  await rt.store.putDelivery(wakeUpAt({ tenant, thread: child.parent }, rt.clock.now()));
}
