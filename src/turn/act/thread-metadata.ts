// Reads the metadata that a thread was created with. It never changes.
import { ok, type Result } from "../../schema/problem.ts";
import type { TurnContext } from "../context.ts";
import { readRecords } from "../load.ts";

export type ThreadMetadata = Readonly<Record<string, unknown>>;

/** Threads of the first release, and those whose metadata did not fit into the state, have it only in their first record. */
export async function threadMetadata({ rt, request, thread }: TurnContext): Promise<Result<ThreadMetadata>> {
  const { metadata = {}, toolkits } = thread.state;
  if (toolkits !== null && metadata !== null) return ok(metadata);
  const loaded = thread.entries.find(({ version }) => version === 0);
  if (loaded) return ok(loaded.entry.create?.metadata ?? {});
  const records = await readRecords(rt, request.at, 0, 0);
  return records.ok ? ok(records.value[0]?.entry.create?.metadata ?? {}) : records;
}
