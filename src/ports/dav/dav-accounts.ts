// Collections of iCalendar objects on CalDAV servers, by account name. URLs and passwords never leave the adapter.
import type { Result } from "../../schema/problem.ts";

export type DavCollection = { readonly url: string; readonly name: string };
export type DavObject = { readonly href: string; readonly etag: string | null; readonly text: string };
/** `conflict`: the server has another version than the given one, or already has the object. Nothing was written. */
export type DavWrite = { readonly kind: "written"; readonly etag: string | null } | { readonly kind: "conflict" };

export interface DavAccounts {
  names(): readonly string[];
  collections(account: string): Promise<Result<readonly DavCollection[]>>;
  /** Returns all objects of the collection and the tag of its current state, or null if that tag is still `tag`. */
  objects(
    account: string,
    collection: string,
    tag: string | null,
  ): Promise<Result<{ readonly tag: string | null; readonly objects: readonly DavObject[] } | null>>;
  /** Returns null if the server has no such object. */
  get(account: string, href: string): Promise<Result<DavObject | null>>;
  /** Replaces the version `etag`. If it is null, the object must not exist yet. Fails with `outcome_unknown` if the server did not answer. */
  put(account: string, href: string, text: string, etag: string | null): Promise<Result<DavWrite>>;
  /** Removes the version `etag`. An object that is already gone counts as written. */
  remove(account: string, href: string, etag: string | null): Promise<Result<DavWrite>>;
}
