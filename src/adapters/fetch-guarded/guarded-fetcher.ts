// Fetches public pages for a model. Checks every hop before connecting, and limits size, time and redirects.
import type { IncomingMessage } from "node:http";
import type { AddressGuard, Fetcher } from "../../ports/fetcher.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { type Connection, DEFAULT_LIMITS, followRedirects, type Limits, stoppedFailure } from "./follow-redirects.ts";
import { type AddressPolicy, type Resolve, resolveTarget, systemResolve } from "./policy.ts";
import { ACCEPT_ENCODING, type Body, readBody } from "./read-body.ts";
import { checkHeaders } from "./request-headers.ts";
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
        return await followRedirects(request.url, outgoing, limits.max_redirects, pinnedConnection(policy, limits));
      } catch (error) {
        return failureOf(error, callerSignal?.aborted ?? false, deadline.aborted);
      }
    },
  };
}

const pinnedConnection = (policy: AddressPolicy, limits: Limits): Connection<OutgoingRequest> => ({
  check: (text, from) => checkUrl(text, policy, from),
  async send(url, outgoing) {
    const target = await resolveTarget(url, policy, outgoing.signal);
    if (!target.ok) return target;
    const response = await sendRequest(target.value, outgoing);
    return ok({
      status: response.statusCode ?? 0,
      headers: Object.entries(response.headers),
      location: locationOf(response),
      discard: () => response.destroy(),
      readBody: () => bodyOf(response, limits.max_bytes),
    });
  },
});

/** Node decodes headers as Latin-1, but many servers send Location as UTF-8. */
function locationOf(response: IncomingMessage): string | null {
  const { location } = response.headers;
  return location === undefined ? null : Buffer.from(location, "latin1").toString("utf8");
}

async function bodyOf(response: IncomingMessage, max_bytes: number): Promise<Result<Body>> {
  const body = max_bytes === 0 ? null : await readBody(response, max_bytes);
  if (body) return ok(body);
  response.destroy();
  if (max_bytes === 0) return ok({ bytes: new Uint8Array(), truncated: true });
  return fail("fetch_failed", "The page uses an unsupported content encoding.", { reason: "encoding" });
}

function failureOf(error: unknown, aborted: boolean, timedOut: boolean): Failed {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const stopped = stoppedFailure(aborted, timedOut, error instanceof IdleError);
  if (stopped) return stopped;
  if (typeof code !== "string") throw error;
  const reason = DNS_CODES.includes(code) ? "dns" : DECOMPRESSION_ERROR_CODE.test(code) ? "encoding" : "network";
  return fail("fetch_failed", `The fetch failed (${code}).`, { reason, code });
}
