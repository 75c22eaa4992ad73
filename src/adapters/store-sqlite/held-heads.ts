// Remembers the newest record of threads whose rows their caller holds itself, so that a turn need not read it back.

/** Enough for more threads than a caller holds. The one that was stored first is dropped. */
const HEADS_MAX = 10_000;

export type Head = { readonly version: number; readonly commit_id: string };

export type HeldHeads = {
  /** Returns the head if no other connection has committed since it was stored. */
  readonly get: (key: string, data_version: unknown) => Head | null;
  readonly set: (key: string, head: Head, data_version: unknown) => void;
  readonly delete: (key: string) => void;
};

export function createHeldHeads(max = HEADS_MAX): HeldHeads {
  const heads = new Map<string, Head & { readonly data_version: unknown }>();
  return {
    get(key, data_version) {
      const head = heads.get(key);
      return head !== undefined && head.data_version === data_version ? head : null;
    },
    set(key, { version, commit_id }, data_version) {
      heads.set(key, { version, commit_id, data_version });
      if (heads.size <= max) return;
      for (const oldest of heads.keys()) {
        heads.delete(oldest);
        return;
      }
    },
    delete: (key) => void heads.delete(key),
  };
}
