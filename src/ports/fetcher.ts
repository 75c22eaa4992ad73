// Network requests on behalf of a model. The guarantee: it never reaches an address that is not public.
import type { Result } from "../schema/problem.ts";

/** PROPFIND and REPORT are read requests of WebDAV servers. */
export type FetchMethod = "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "PROPFIND" | "REPORT";

/** Only a request that changes nothing and has no body may be repeated at another address. */
export const followsRedirects = (method: FetchMethod): boolean => method === "GET" || method === "HEAD";

export type FetchRequest = {
  readonly url: string;
  readonly method?: FetchMethod;
  /** The request headers. They are sent to the first origin only; a redirect to another origin drops them. Headers that control the connection are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a request other than GET and HEAD; a request with a body never follows a redirect. */
  readonly body?: Uint8Array;
};

export type FetchOptions = {
  /** Limit of the decoded body; a longer one is truncated and `truncated` is set. 0: the body is neither read nor awaited. */
  readonly max_bytes?: number;
  /** Timeout for everything together: name resolution, connections, redirects, body. */
  readonly total_ms?: number;
  /** Timeout without receiving any byte. */
  readonly idle_ms?: number;
  readonly max_redirects?: number;
  readonly signal?: AbortSignal;
};

export type FetchedPage = {
  /** The final URL after redirects. */
  readonly url: string;
  readonly redirects: readonly string[];
  readonly status: number;
  /** Lower-case names; cookies are omitted. */
  readonly headers: Readonly<Record<string, string>>;
  readonly content_type: string | null;
  readonly body: Uint8Array;
  readonly truncated: boolean;
};

export interface Fetcher {
  /** `blocked_address` before connecting to a forbidden address, `fetch_failed` if an allowed one fails. */
  fetch(request: FetchRequest, options?: FetchOptions): Promise<Result<FetchedPage>>;
  /** `blocked_address` if the text of the URL alone shows that it is never fetched. Resolves no name. */
  checkText?(url: string): Result<void>;
}

/** Checks before storing a URL whether it could ever be fetched. Every fetch applies the same rules again. */
export interface AddressGuard {
  /** `blocked_address`, or `fetch_failed` for a name without an address. Opens no connection. */
  check(url: string): Promise<Result<void>>;
}
