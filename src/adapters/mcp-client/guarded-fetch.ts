// Implements fetch for the MCP client with a guarded fetcher. A response is read as a whole.
import type { Fetcher } from "../../ports/fetcher.ts";
import type { Problem } from "../../schema/problem.ts";

const MAX_BYTES = 8_388_608;

export class FetchProblem extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export type GuardedFetchOptions = {
  readonly fetcher: Fetcher;
  readonly url: string;
  /** Headers of the requests to the server. Its authorization server does not get them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
};

export type GuardedFetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

export function guardedFetch({ fetcher, url, headers, timeout_ms }: GuardedFetchOptions): GuardedFetch {
  const { origin } = new URL(url);
  return async (input, init = {}) => {
    const method = init.method ?? "GET";
    const sent = Object.fromEntries(new Headers(init.headers));
    // The event stream of a GET never ends. Servers may refuse it with 405, so clients do not depend on it.
    if (method === "GET" && sent.accept?.includes("text/event-stream")) return new Response(null, { status: 405 });
    delete sent["content-length"];
    const request = {
      url: String(input),
      method: method as "GET" | "POST" | "DELETE",
      headers: { ...sent, ...(new URL(input).origin === origin && headers) },
      // The SDK sends JSON as text, and forms of OAuth as URLSearchParams.
      ...(init.body && { body: new TextEncoder().encode(String(init.body)) }),
    };
    const limits = { max_bytes: MAX_BYTES, total_ms: timeout_ms, idle_ms: timeout_ms };
    const fetched = await fetcher.fetch(request, { ...limits, ...(init.signal ? { signal: init.signal } : {}) });
    if (!fetched.ok) throw new FetchProblem(fetched.problem);
    const { status, headers: answered, body, truncated } = fetched.value;
    if (truncated) throw new Error(`The answer of the server has more than ${MAX_BYTES} bytes.`);
    const { "content-encoding": _, "content-length": __, "transfer-encoding": ___, ...kept } = answered;
    return new Response(isBodyless(status) ? null : body.slice(), { status, headers: kept });
  };
}

const isBodyless = (status: number): boolean => status === 204 || status === 205 || status === 304;
