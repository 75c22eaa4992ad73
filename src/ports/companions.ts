// What belongs to a thread but is kept beside its log: a fork takes a copy along, a removal takes it away.
import type { ThreadRef } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";

export interface Companions {
  /** Before the forked thread can be seen. Copies what there is now, not what was there at the turn. Twice is harmless. */
  forked(from: ThreadRef, to: ThreadRef): Promise<Result<void>>;
  /** Before the log goes: a removal that broke off in between can be asked for again. Twice is harmless. */
  removed(at: ThreadRef): Promise<Result<void>>;
}

const NOTHING = { ok: true, value: undefined } as const;

export const noCompanions: Companions = { forked: async () => NOTHING, removed: async () => NOTHING };
