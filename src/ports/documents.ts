// Defines what a toolkit may store beside threads: JSON documents with a version, saved by compare-and-set.
import type { TenantId } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";

/** Identifies a document. `kind` separates the documents of one toolkit from those of another and is stored with them. */
export type DocumentRef = { readonly tenant: TenantId; readonly kind: string; readonly id: string };
export type LoadedDocument = { readonly version: number; readonly value: unknown };
/** The result of a save. If `saved` is false, another writer was first, and `version` is the current one. */
export type SaveResult = { readonly saved: boolean; readonly version: number };

/** The document of a thread, whose id is that of the thread. */
export type ThreadDocument = { readonly kind: string; readonly value: unknown };

/** A save that a store makes in the same commit as other changes. */
export type DocumentSave = { readonly at: DocumentRef; readonly value: unknown; readonly expectedVersion: number };

/** Matches a valid kind. Its letters are restricted, because stores use it in table and key names. */
export const DOCUMENT_KIND = /^[a-z][a-z0-9_]{0,31}$/;

export interface DocumentStore {
  /** Names the database. A thread store with the same place can save a document in the commit of a record. */
  readonly place?: string;
  /** Returns the document, or null if there is none. The result is never older than an acknowledged save. */
  load(at: DocumentRef): Promise<Result<LoadedDocument | null>>;
  /**
   * Replaces version `expectedVersion` with the next one. If `expectedVersion` is 0, the document must not exist yet. If two saves race, exactly one
   * wins.
   */
  save(at: DocumentRef, value: unknown, expectedVersion: number): Promise<Result<SaveResult>>;
  /**
   * Copies the document with its version. Returns false and changes nothing if there is nothing to copy or the target exists, so copying twice is
   * harmless.
   */
  copy(from: DocumentRef, to: DocumentRef): Promise<Result<boolean>>;
  /** Removes a document. Succeeds if there is none. */
  remove(at: DocumentRef): Promise<Result<void>>;
  close(): Promise<void>;
}
