// What a toolkit may store beside threads: JSON documents with a version, saved by compare-and-set.
import type { TenantId } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";

/** `kind` separates the documents of one toolkit from those of another. It is part of what is stored. */
export type DocumentRef = { readonly tenant: TenantId; readonly kind: string; readonly id: string };
export type LoadedDocument = { readonly version: number; readonly value: unknown };
/** `saved: false`: another writer was first, and `version` is the current one. */
export type SaveResult = { readonly saved: boolean; readonly version: number };

/** Describes a save that a store makes in the same commit as other changes. */
export type DocumentSave = { readonly at: DocumentRef; readonly value: unknown; readonly expectedVersion: number };

/** Stores use the kind in table and key names, so its letters are restricted. */
export const DOCUMENT_KIND = /^[a-z][a-z0-9_]{0,31}$/;

export interface DocumentStore {
  /** Names the database. A thread store with the same place can save a document in the commit of a record. */
  readonly place?: string;
  /** Null when there is none; never older than an acknowledged save. */
  load(at: DocumentRef): Promise<Result<LoadedDocument | null>>;
  /** Saves version n+1 only over version n (0: there must be none yet). Of two racing saves exactly one wins. */
  save(at: DocumentRef, value: unknown, expectedVersion: number): Promise<Result<SaveResult>>;
  /**
   * Copies the document with its version. False, and nothing changes, when there is nothing to copy or the target
   * exists: copying twice is harmless.
   */
  copy(from: DocumentRef, to: DocumentRef): Promise<Result<boolean>>;
  /** Removing a document that does not exist succeeds. */
  remove(at: DocumentRef): Promise<Result<void>>;
  close(): Promise<void>;
}
