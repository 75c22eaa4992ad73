// Getting something from the network on behalf of a model. The promise is what it never reaches: anything not public.
import type { Result } from "../schema/problem.ts";

export type FetchRequest = {
  readonly url: string;
  readonly method?: "GET" | "HEAD" | "POST";
  /** Sent to the first origin only; a redirect elsewhere keeps none of them. Headers that steer the connection are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  /** With POST. A POST never follows a redirect. */
  readonly body?: Uint8Array;
};

export type FetchOptions = {
  /** Of the decoded body; more is cut off and `truncated` says so. 0: it is not read at all, nor waited for. */
  readonly max_bytes?: number;
  /** For everything together: names, connections, redirects, body. */
  readonly total_ms?: number;
  /** Without a single byte arriving. */
  readonly idle_ms?: number;
  readonly max_redirects?: number;
  readonly signal?: AbortSignal;
};

export type FetchedPage = {
  /** Where it came from in the end. */
  readonly url: string;
  readonly redirects: readonly string[];
  readonly status: number;
  /** Lower-case names; cookies are left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly content_type: string | null;
  readonly body: Uint8Array;
  readonly truncated: boolean;
};

export interface Fetcher {
  /** `blocked_address` before any connection to a forbidden place, `fetch_failed` if an allowed one does not work. */
  fetch(request: FetchRequest, options?: FetchOptions): Promise<Result<FetchedPage>>;
}

/** Tells before anything is stored whether it could ever be fetched. The same rules hold again at every fetch. */
export interface AddressGuard {
  /** `blocked_address`, or `fetch_failed` for a name that has no address. Connects to nothing. */
  check(url: string): Promise<Result<void>>;
}
