// Hooks for data that belongs to a thread but is stored outside its log: a fork copies it, and a removal deletes it.
import type { TenantId, ThreadRef } from "../schema/ids.ts";
import type { CreateInput } from "../schema/input.ts";
import type { Result } from "../schema/problem.ts";
import type { ThreadDocument } from "./documents.ts";

export interface Companions {
  /** Called before a thread is created. Returning a problem refuses the thread. */
  created?(tenant: TenantId, input: CreateInput): Promise<Result<void>>;
  /** Called before the forked thread is visible. Copies the current data, not that of the forked turn. Idempotent. */
  forked(from: ThreadRef, to: ThreadRef): Promise<Result<void>>;
  /** Called before the log is removed, so that an interrupted removal can be repeated. Idempotent. */
  removed(at: ThreadRef): Promise<Result<void>>;
  /** Returns the data as JSON by the name of its owner. */
  exported?(at: ThreadRef): Promise<Result<Readonly<Record<string, unknown>>>>;
  /** Called before the imported thread is visible. May run twice. */
  imported?(at: ThreadRef, data: Readonly<Record<string, unknown>>): Promise<Result<void>>;
  /**
   * Called instead of `imported` where it exists. Returns the documents whose id is that of the thread, and the import stores them together with the
   * records.
   */
  staged?(at: ThreadRef, data: Readonly<Record<string, unknown>>): Promise<Result<readonly ThreadDocument[]>>;
  /** Called if the import of this data was refused. Removes what the import stored, unless it has changed since. Idempotent. */
  withdrawn?(at: ThreadRef, data: Readonly<Record<string, unknown>>): Promise<Result<void>>;
}

const NOTHING = { ok: true, value: undefined } as const;

export const noCompanions: Companions = { forked: async () => NOTHING, removed: async () => NOTHING };
