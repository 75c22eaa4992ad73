// Defines what a toolkit may store beside threads: JSON documents with a version, saved by compare-and-set.
import type { TenantId } from "../schema/ids.ts";
import type { Result } from "../schema/problem.ts";

/** `kind` separates the documents of one toolkit from those of another and is stored with them. */
export type DocumentRef = { readonly tenant: TenantId; readonly kind: string; readonly id: string };
export type LoadedDocument = { readonly version: number; readonly value: unknown };
/** If `saved` is false, another writer was first, and `version` is the current one. */
export type SaveResult = { readonly saved: boolean; readonly version: number };

/** The document of a thread, whose id is that of the thread. */
export type ThreadDocument = { readonly kind: string; readonly value: unknown };

export type DocumentSave = { readonly at: DocumentRef; readonly value: unknown; readonly expectedVersion: number };

/** Restricted, because stores use the kind in table and key names. */
export const DOCUMENT_KIND = /^[a-z][a-z0-9_]{0,31}$/;

export interface DocumentStore {
  /** Names the database. A thread store with the same place can save a document in the commit of a record. */
  readonly place?: string;
  /** Returns the document, or null if there is none. The result is never older than an acknowledged save. */
  load(at: DocumentRef): Promise<Result<LoadedDocument | null>>;
  /** Replaces version `expectedVersion`; if it is 0, the document must not exist yet. If two saves race, exactly one wins. */
  save(at: DocumentRef, value: unknown, expectedVersion: number): Promise<Result<SaveResult>>;
  /** Copies the document with its version. False if there is nothing to copy or the target exists, so copying twice is harmless. */
  copy(from: DocumentRef, to: DocumentRef): Promise<Result<boolean>>;
  /** Succeeds if there is no document. */
  remove(at: DocumentRef): Promise<Result<void>>;
  close(): Promise<void>;
}
