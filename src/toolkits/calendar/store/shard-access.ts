// Reads and rewrites the shards of one version of a calendar.
import { ok, type Result } from "../../../schema/problem.ts";
import type { StoredObject } from "../events/stored-object.ts";
import type { CalendarHead, CalendarRef, Shards } from "./head.ts";
import type { PartStore } from "./part-store.ts";
import { KEPT, shardOf } from "./shards.ts";

export type ShardAccess = {
  /** Returns the current objects of these shards, and all recently changed objects. */
  readonly read: (names: readonly string[]) => Promise<Result<StoredObject[]>>;
  readonly names: () => string[];
  readonly write: (name: string, items: readonly unknown[]) => Promise<Result<string[]>>;
  /** Writes the recently changed objects to their shards, and returns the new shards. */
  readonly fold: (recent: CalendarHead["recent"]) => Promise<Result<Shards>>;
};

type Opened = {
  readonly parts: PartStore;
  readonly at: CalendarRef;
  readonly head: CalendarHead;
  readonly version: number;
};

export function createShardAccess({ parts, at, head, version }: Opened): ShardAccess {
  const stored = async (names: readonly string[]): Promise<Result<readonly StoredObject[]>> => {
    const ids = names.flatMap((name) => head.shards[name] ?? []);
    const read = await parts.read(at.tenant, ids);
    return read.ok ? ok(read.value as readonly StoredObject[]) : read;
  };

  const write: ShardAccess["write"] = (name, items) =>
    parts.write(at.tenant, `${at.calendar}.${version + 1}.${name}`, items);

  return {
    write,
    names: () => Object.keys(head.shards).filter((name) => name !== KEPT),
    async read(names) {
      const read = await stored(names);
      if (!read.ok) return read;
      const unchanged = read.value.filter(({ key }) => !(key in head.recent));
      return ok([...unchanged, ...Object.values(head.recent).flatMap(({ object }) => object ?? [])]);
    },
    async fold(recent) {
      let shards = head.shards;
      for (const [name, changed] of byShard(recent, head.time_zone)) {
        const read = await stored([name]);
        if (!read.ok) return read;
        const kept = read.value.filter(({ key }) => !(key in recent));
        const written = await write(name, [...kept, ...changed]);
        if (!written.ok) return written;
        shards = withShard(shards, name, written.value);
      }
      return ok(shards);
    },
  };
}

/** The shards that the recent objects come from or go to, each with its new objects. */
function byShard(recent: CalendarHead["recent"], zone: string): Map<string, StoredObject[]> {
  const shards = new Map<string, StoredObject[]>();
  for (const { object, stored_in } of Object.values(recent)) {
    if (stored_in !== null && !shards.has(stored_in)) shards.set(stored_in, []);
    if (object === null) continue;
    const name = shardOf(object, zone);
    shards.set(name, [...(shards.get(name) ?? []), object]);
  }
  return shards;
}

export function withShard(shards: Shards, name: string, ids: readonly string[]): Shards {
  const { [name]: _replaced, ...others } = shards;
  return ids.length > 0 ? { ...others, [name]: [...ids] } : others;
}
