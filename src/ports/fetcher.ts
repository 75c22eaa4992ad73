// Defines network requests on behalf of a model. The adapter guarantees that they reach only public addresses and those that the operator allows.
import type { Result } from "../schema/problem.ts";

/** PROPFIND and REPORT are read requests of WebDAV servers. */
export type FetchMethod = "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "PROPFIND" | "REPORT";

/** Only a request that changes nothing and has no body may be repeated at another URL. */
export const followsRedirects = (method: FetchMethod): boolean => method === "GET" || method === "HEAD";

export type FetchRequest = {
  readonly url: string;
  readonly method?: FetchMethod;
  /** Sent only to the first origin; a redirect to another origin drops them. Headers that control the connection are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a request other than GET and HEAD. A request with a body never follows a redirect. */
  readonly body?: Uint8Array;
};

export type FetchOptions = {
  /** Limit of the decoded body. A longer one is truncated, and `truncated` is set. With 0, the body is neither read nor awaited. */
  readonly max_bytes?: number;
  /** Timeout for the whole request: name resolution, connections, redirects and body. */
  readonly total_ms?: number;
  /** Maximum time without receiving any byte. */
  readonly idle_ms?: number;
  readonly max_redirects?: number;
  readonly signal?: AbortSignal;
};

export type FetchedPage = {
  /** The final URL after redirects. */
  readonly url: string;
  readonly redirects: readonly string[];
  readonly status: number;
  /** Headers by lower-case name. Cookies are omitted. */
  readonly headers: Readonly<Record<string, string>>;
  readonly content_type: string | null;
  readonly body: Uint8Array;
  readonly truncated: boolean;
};

export interface Fetcher {
  /** Fails with `blocked_address` before connecting to a forbidden address, or with `fetch_failed` if an allowed one fails. */
  fetch(request: FetchRequest, options?: FetchOptions): Promise<Result<FetchedPage>>;
  /** Fails with `blocked_address` if the text of the URL alone shows that it is never fetched. Resolves no name. */
  checkText?(url: string): Result<void>;
}

/** Checks whether a URL could ever be fetched, before it is stored. Every fetch applies the same rules again. */
export interface AddressGuard {
  /** Fails with `blocked_address`, or with `fetch_failed` for a name without an address. Opens no connection. */
  check(url: string): Promise<Result<void>>;
}
