// Follows redirects for both fetchers. Every hop is checked before it is sent, and no credential reaches another
// origin.
import { type FetchedPage, type FetchMethod, type FetchOptions, followsRedirects } from "../../ports/fetcher.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { crossOriginHeaders } from "./request-headers.ts";

export type Limits = Required<Omit<FetchOptions, "signal">>;
export const DEFAULT_LIMITS: Limits = { max_bytes: 2_097_152, total_ms: 20_000, idle_ms: 10_000, max_redirects: 5 };
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

export type HopResponse = {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: unknown]>;
  readonly location: string | null;
  readonly discard: () => unknown;
  readonly readBody: () => Promise<Result<{ readonly bytes: Uint8Array; readonly truncated: boolean }>>;
};

type Outgoing = { readonly method: FetchMethod; readonly headers: Readonly<Record<string, string>> };

export type Connection<O extends Outgoing> = {
  /** `from` is the page that redirects, or null for the first request. */
  readonly check: (text: string, from: URL | null) => Result<URL>;
  readonly send: (url: URL, outgoing: O) => Promise<Result<HopResponse>>;
};

export async function followRedirects<O extends Outgoing>(
  start: string,
  first: O,
  max_redirects: number,
  { check, send }: Connection<O>,
): Promise<Result<FetchedPage>> {
  let outgoing = first;
  let from: URL | null = null;
  let next = start;
  const redirects: string[] = [];
  for (;;) {
    const url = check(next, from);
    if (!url.ok) return url;
    if (from && from.origin !== url.value.origin)
      outgoing = { ...outgoing, headers: crossOriginHeaders(outgoing.headers) };
    const sent = await send(url.value, outgoing);
    if (!sent.ok) return sent;
    const { status, location, discard } = sent.value;
    const follows = followsRedirects(outgoing.method) && REDIRECT_STATUSES.includes(status);
    if (!follows || location === null) return pageOf(url.value, redirects, sent.value);
    await discard();
    redirects.push(url.value.href);
    if (redirects.length > max_redirects)
      return fail("fetch_failed", `More than ${max_redirects} redirects.`, { reason: "redirects" });
    from = url.value;
    next = location;
  }
}

async function pageOf(url: URL, redirects: readonly string[], response: HopResponse): Promise<Result<FetchedPage>> {
  const read = await response.readBody();
  if (!read.ok) return read;
  const { bytes: body, truncated } = read.value;
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers)
    if (typeof value === "string" && name !== "set-cookie") headers[name] = value;
  const content_type = headers["content-type"] ?? null;
  return ok({ url: url.href, redirects, status: response.status, headers, content_type, body, truncated });
}

export function stoppedFailure(aborted: boolean, timedOut: boolean, idle: boolean): Failed | null {
  if (aborted) return fail("fetch_failed", "The fetch was aborted.", { reason: "aborted" });
  if (timedOut) return fail("fetch_failed", "The fetch took too long.", { reason: "timeout" });
  return idle ? fail("fetch_failed", "The server sent no data within the idle timeout.", { reason: "idle" }) : null;
}
