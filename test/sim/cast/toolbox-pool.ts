// Reuses toolboxes between processes and histories, because deriving the schemas of their tools costs more than a
// history.
import type { Toolbox } from "../../../src/tools/toolbox.ts";

/** A free toolbox has no owner, so that it does not hold the history that it served. */
type Pooled<Owner> = { readonly toolbox: Toolbox; owner: Owner | null; free: boolean };

export type ToolboxPool<Owner> = {
  readonly borrow: (owner: Owner) => Toolbox;
  /** Returns all toolboxes to the pool at the end of a history. */
  readonly returnAll: () => void;
};

/** Creates a pool. `build` creates tools that look up their current owner on every call. */
export function createToolboxPool<Owner>(build: (owner: () => Owner) => Toolbox): ToolboxPool<Owner> {
  const pool: Pooled<Owner>[] = [];
  return {
    borrow(owner) {
      const free = pool.find((pooled) => pooled.free);
      if (free) {
        free.owner = owner;
        free.free = false;
        return free.toolbox;
      }
      const made: Pooled<Owner> = { owner, free: false, toolbox: build(() => ownerOf(made)) };
      pool.push(made);
      return made.toolbox;
    },
    returnAll() {
      for (const pooled of pool) Object.assign(pooled, { free: true, owner: null });
    },
  };
}

function ownerOf<Owner>({ owner }: Pooled<Owner>): Owner {
  if (owner === null) throw new Error("the toolbox is free");
  return owner;
}
