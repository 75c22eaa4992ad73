// Fetches with the platform's own fetch by the rules of guarded-fetcher.ts, for hosts that cannot choose the IP address
// of a connection. Checks the text of the URL at every hop; only the platform knows which IP address a name resolves
// to.
import {
  type AddressGuard,
  type Fetcher,
  type FetchOptions,
  type FetchRequest,
  followsRedirects,
} from "../../ports/fetcher.ts";
import { type Failed, fail, ok } from "../../schema/problem.ts";
import { checkHeaders, crossOriginHeaders } from "./request-headers.ts";
import { checkUrlAndAddress, checkUrlText, type UrlPolicy } from "./url-policy.ts";

export type PlatformFetcherOptions = {
  /** Endpoints allowed even though they are not public, as "host:port" or "address:port". */
  readonly allow?: readonly string[];
  readonly userAgent?: string;
  /** Defaults to 80 and 443. */
  readonly ports?: readonly number[];
};

type Limits = Required<Omit<FetchOptions, "signal">>;
const DEFAULT_LIMITS: Limits = { max_bytes: 2_097_152, total_ms: 20_000, idle_ms: 10_000, max_redirects: 5 };
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

type OutgoingRequest = {
  readonly method: NonNullable<FetchRequest["method"]>;
  readonly headers: Record<string, string>;
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
        return await followRedirects(request.url, outgoing, limits, policy, idleTimer);
      } catch (error) {
        return failureOf(error, callerSignal?.aborted ?? false, deadline.aborted, idleTimer.signal.aborted);
      } finally {
        idleTimer.stop();
      }
    },
  };
}

async function followRedirects(
  start: string,
  first: OutgoingRequest,
  limits: Limits,
  policy: UrlPolicy,
  idleTimer: IdleTimer,
) {
  let outgoing = first;
  let from: URL | null = null;
  let next = start;
  const redirects: string[] = [];
  for (;;) {
    const url = checkUrlAndAddress(next, policy, from);
    if (!url.ok) return url;
    if (from && from.origin !== url.value.origin)
      outgoing = { ...outgoing, headers: crossOriginHeaders(outgoing.headers) };
    idleTimer.reset();
    // The platform must not follow redirects itself, because that would skip the checks.
    const response = await fetch(url.value.href, { ...outgoing, redirect: "manual" });
    const location = response.headers.get("location");
    const follows = followsRedirects(outgoing.method) && REDIRECT_STATUSES.includes(response.status);
    if (!follows || location === null) return pageOf(url.value, redirects, response, limits, idleTimer);
    await response.body?.cancel();
    redirects.push(url.value.href);
    if (redirects.length > limits.max_redirects) {
      return fail("fetch_failed", `More than ${limits.max_redirects} redirects.`, { reason: "redirects" });
    }
    from = url.value;
    next = location;
  }
}

async function pageOf(
  url: URL,
  redirects: readonly string[],
  response: Response,
  limits: Limits,
  idleTimer: IdleTimer,
) {
  const { bytes, truncated } = await readUpTo(response, limits.max_bytes, idleTimer);
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) if (name !== "set-cookie") headers[name] = value;
  return ok({
    url: url.href,
    redirects,
    status: response.status,
    headers,
    content_type: response.headers.get("content-type"),
    body: bytes,
    truncated,
  });
}

/** Reads up to `max` bytes. The platform decompresses chunk by chunk, so memory use stays within the limit. */
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

/** Aborts after `idle_ms` without data. */
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
  if (aborted) return fail("fetch_failed", "The fetch was aborted.", { reason: "aborted" });
  if (timedOut) return fail("fetch_failed", "The fetch took too long.", { reason: "timeout" });
  if (idle) return fail("fetch_failed", "The server sent no data within the idle timeout.", { reason: "idle" });
  const name = error instanceof Error ? error.name : "unknown";
  return fail("fetch_failed", `The fetch failed (${name}).`, { reason: "network" });
}
