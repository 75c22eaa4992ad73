// Fetches public pages for a model. Checks every hop before connecting, and limits size, time and redirects.
import type { IncomingMessage } from "node:http";
import { type AddressGuard, type Fetcher, type FetchOptions, followsRedirects } from "../../ports/fetcher.ts";
import { type Failed, fail, ok } from "../../schema/problem.ts";
import { type AddressPolicy, type Resolve, resolveTarget, systemResolve } from "./policy.ts";
import { ACCEPT_ENCODING, type Body, readBody } from "./read-body.ts";
import { checkHeaders, crossOriginHeaders } from "./request-headers.ts";
import { IdleError, type OutgoingRequest, sendRequest } from "./send-request.ts";
import { checkUrl, checkUrlText } from "./url-policy.ts";

export type GuardedFetcherOptions = {
  /** Endpoints allowed even though they are not public, as "host:port" or "address:port". */
  readonly allow?: readonly string[];
  /** Defaults to 80 and 443. */
  readonly ports?: readonly number[];
  readonly resolve?: Resolve;
  readonly ca?: string;
  readonly userAgent?: string;
};

type Limits = Required<Omit<FetchOptions, "signal">>;
const DEFAULT_LIMITS: Limits = { max_bytes: 2_097_152, total_ms: 20_000, idle_ms: 10_000, max_redirects: 5 };
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];
const DNS_CODES = ["ENOTFOUND", "EAI_AGAIN", "ENODATA"];
const DECOMPRESSION_ERROR_CODE = /^(Z_|ERR__ERROR|ERR_BROTLI)/;

export function createGuardedFetcher(options: GuardedFetcherOptions = {}): Fetcher & AddressGuard {
  const policy: AddressPolicy = {
    allow: new Set(options.allow?.map((entry) => entry.toLowerCase())),
    ports: new Set(options.ports ?? [80, 443]),
    resolve: options.resolve ?? systemResolve,
  };
  const ca = options.ca ?? null;
  const base = { accept: "*/*", "user-agent": options.userAgent ?? "pawl", "accept-encoding": ACCEPT_ENCODING };
  return {
    checkText: (text) => checkUrlText(text, policy),
    async check(text) {
      const url = checkUrl(text, policy, null);
      if (!url.ok) return url;
      const deadline = AbortSignal.timeout(DEFAULT_LIMITS.idle_ms);
      try {
        const target = await resolveTarget(url.value, policy, deadline);
        return target.ok ? ok(undefined) : target;
      } catch (error) {
        return failureOf(error, false, deadline.aborted);
      }
    },
    async fetch(request, { signal: callerSignal, ...overrides } = {}) {
      const limits: Limits = { ...DEFAULT_LIMITS, ...overrides };
      const headers = checkHeaders(request.headers ?? {});
      if (!headers.ok) return headers;
      const deadline = AbortSignal.timeout(limits.total_ms);
      const signal = callerSignal ? AbortSignal.any([callerSignal, deadline]) : deadline;
      const outgoing: OutgoingRequest = {
        method: request.method ?? "GET",
        headers: { ...base, ...headers.value },
        body: request.body ?? null,
        ca,
        idleMs: limits.idle_ms,
        signal,
      };
      try {
        return await followRedirects(request.url, outgoing, limits, policy);
      } catch (error) {
        return failureOf(error, callerSignal?.aborted ?? false, deadline.aborted);
      }
    },
  };
}

async function followRedirects(start: string, first: OutgoingRequest, limits: Limits, policy: AddressPolicy) {
  let outgoing = first;
  let from: URL | null = null;
  let next = start;
  const redirects: string[] = [];
  for (;;) {
    const url = checkUrl(next, policy, from);
    if (!url.ok) return url;
    const target = await resolveTarget(url.value, policy, outgoing.signal);
    if (!target.ok) return target;
    if (from && from.origin !== url.value.origin)
      outgoing = { ...outgoing, headers: crossOriginHeaders(outgoing.headers) };
    const response = await sendRequest(target.value, outgoing);
    const location = locationOf(response);
    const follows = followsRedirects(outgoing.method) && REDIRECT_STATUSES.includes(response.statusCode ?? 0);
    if (!follows || location === null) return pageOf(url.value, redirects, response, limits);
    response.destroy();
    redirects.push(url.value.href);
    if (redirects.length > limits.max_redirects) {
      return fail("fetch_failed", `More than ${limits.max_redirects} redirects.`, { reason: "redirects" });
    }
    from = url.value;
    next = location;
  }
}

const NO_BODY: Body = { bytes: new Uint8Array(), truncated: true };

/** Node decodes headers as Latin-1, but many servers send Location as UTF-8. */
function locationOf(response: IncomingMessage): string | null {
  const { location } = response.headers;
  return location === undefined ? null : Buffer.from(location, "latin1").toString("utf8");
}

async function pageOf(url: URL, redirects: readonly string[], response: IncomingMessage, limits: Limits) {
  const body = limits.max_bytes === 0 ? NO_BODY : await readBody(response, limits.max_bytes);
  if (!body || body === NO_BODY) response.destroy();
  if (!body) return fail("fetch_failed", "The page uses an unsupported content encoding.", { reason: "encoding" });
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (typeof value === "string" && name !== "set-cookie") headers[name] = value;
  }
  return ok({
    url: url.href,
    redirects,
    status: response.statusCode ?? 0,
    headers,
    content_type: response.headers["content-type"] ?? null,
    body: body.bytes,
    truncated: body.truncated,
  });
}

function failureOf(error: unknown, aborted: boolean, timedOut: boolean): Failed {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (aborted) return fail("fetch_failed", "The fetch was aborted.", { reason: "aborted" });
  if (timedOut) return fail("fetch_failed", "The fetch took too long.", { reason: "timeout" });
  if (error instanceof IdleError)
    return fail("fetch_failed", "The server sent no data within the idle timeout.", { reason: "idle" });
  if (typeof code !== "string") throw error;
  const reason = DNS_CODES.includes(code) ? "dns" : DECOMPRESSION_ERROR_CODE.test(code) ? "encoding" : "network";
  return fail("fetch_failed", `The fetch failed (${code}).`, { reason, code });
}
