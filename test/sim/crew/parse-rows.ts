// Reads the states of stored rows. Checks read the newest rows of all threads repeatedly while a history runs.
import { upgradeState } from "../../../src/migrate/upgrade.ts";
import type { StoredRecord } from "../../../src/ports/thread-store.ts";
import type { ThreadId } from "../../../src/schema/ids.ts";
import type { ThreadState } from "../../../src/schema/thread.ts";
import { unwrap } from "../../support/runtime.ts";
import type { World } from "../world.ts";

/** Returns the state of a row of the thread `key`, "tenant/thread". */
export function stateOf({ rows }: Pick<World, "rows">, key: string, { state, version }: StoredRecord): ThreadState {
  const thread = key.slice(key.indexOf("/") + 1) as ThreadId;
  return unwrap(upgradeState(state, { cache: rows, thread, version }));
}
