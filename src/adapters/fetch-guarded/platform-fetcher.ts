// Fetches with the platform's own fetch by the rules of guarded-fetcher.ts, for hosts that cannot choose the IP address
// of a connection. Only the platform knows which IP address a name resolves to.
import type { AddressGuard, Fetcher, FetchMethod } from "../../ports/fetcher.ts";
import { type Failed, fail, ok } from "../../schema/problem.ts";
import { type Connection, DEFAULT_LIMITS, followRedirects, type Limits, stoppedFailure } from "./follow-redirects.ts";
import { checkHeaders } from "./request-headers.ts";
import { checkUrlAndAddress, checkUrlText, type UrlPolicy } from "./url-policy.ts";

export type PlatformFetcherOptions = {
  /** Endpoints allowed even though they are not public, as "host:port" or "address:port". */
  readonly allow?: readonly string[];
  readonly userAgent?: string;
  /** Defaults to 80 and 443. */
  readonly ports?: readonly number[];
};

type OutgoingRequest = {
  readonly method: FetchMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
  readonly signal: AbortSignal;
};

export function createPlatformFetcher(options: PlatformFetcherOptions = {}): Fetcher & AddressGuard {
  const policy: UrlPolicy = {
    allow: new Set(options.allow?.map((entry) => entry.toLowerCase())),
    ports: new Set(options.ports ?? [80, 443]),
  };
  const base = { accept: "*/*", "user-agent": options.userAgent ?? "pawl" };
  return {
    checkText: (text) => checkUrlText(text, policy),
    async check(text) {
      const checked = checkUrlAndAddress(text, policy, null);
      return checked.ok ? ok(undefined) : checked;
    },
    async fetch(request, { signal: callerSignal, ...overrides } = {}) {
      const limits: Limits = { ...DEFAULT_LIMITS, ...overrides };
      const headers = checkHeaders(request.headers ?? {});
      if (!headers.ok) return headers;
      const deadline = AbortSignal.timeout(limits.total_ms);
      const idleTimer = createIdleTimer(limits.idle_ms);
      const outgoing: OutgoingRequest = {
        method: request.method ?? "GET",
        headers: { ...base, ...headers.value },
        body: request.body ? new Uint8Array(request.body) : null,
        signal: AbortSignal.any([deadline, idleTimer.signal, ...(callerSignal ? [callerSignal] : [])]),
      };
      try {
        const connection = platformConnection(policy, limits, idleTimer);
        return await followRedirects(request.url, outgoing, limits.max_redirects, connection);
      } catch (error) {
        return failureOf(error, callerSignal?.aborted ?? false, deadline.aborted, idleTimer.signal.aborted);
      } finally {
        idleTimer.stop();
      }
    },
  };
}

const platformConnection = (policy: UrlPolicy, limits: Limits, idleTimer: IdleTimer): Connection<OutgoingRequest> => ({
  check: (text, from) => checkUrlAndAddress(text, policy, from),
  async send(url, outgoing) {
    idleTimer.reset();
    // The platform must not follow redirects itself, because that would skip the checks.
    const response = await fetch(url.href, { ...outgoing, redirect: "manual" });
    return ok({
      status: response.status,
      headers: response.headers,
      location: response.headers.get("location"),
      discard: () => response.body?.cancel(),
      readBody: async () => ok(await readUpTo(response, limits.max_bytes, idleTimer)),
    });
  },
});

/** The platform decompresses chunk by chunk, so memory use stays within the limit. */
async function readUpTo({ body }: Response, max: number, idleTimer: IdleTimer) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const finish = (truncated: boolean) => ({ bytes: new Uint8Array(Buffer.concat(chunks)), truncated });
  if (!body) return finish(max === 0);
  const reader = body.getReader();
  for (;;) {
    if (max === 0) break;
    const { done, value } = await reader.read();
    idleTimer.reset();
    if (done) return finish(false);
    const remaining = max - size;
    chunks.push(value.subarray(0, remaining));
    size += Math.min(value.length, remaining);
    if (value.length > remaining) break;
  }
  await reader.cancel();
  return finish(true);
}

type IdleTimer = { readonly signal: AbortSignal; readonly reset: () => void; readonly stop: () => void };

function createIdleTimer(idle_ms: number): IdleTimer {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  const reset = (): void => {
    stop();
    timer = setTimeout(() => controller.abort(), idle_ms);
  };
  return { signal: controller.signal, reset, stop };
}

/** Any other error is a connection error, because the request itself was checked before it was sent. */
function failureOf(error: unknown, aborted: boolean, timedOut: boolean, idle: boolean): Failed {
  const stopped = stoppedFailure(aborted, timedOut, idle);
  if (stopped) return stopped;
  const name = error instanceof Error ? error.name : "unknown";
  return fail("fetch_failed", `The fetch failed (${name}).`, { reason: "network" });
}
