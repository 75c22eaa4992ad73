// Checks a URL without resolving it: scheme, port, host name, and literal IP addresses.
import { isIP } from "node:net";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { isPublicAddress } from "./public-address.ts";

export type UrlPolicy = {
  /** As "host:port" or "address:port": exempt from the rules about names, ports and IP addresses. */
  readonly allow: ReadonlySet<string>;
  readonly ports: ReadonlySet<number>;
};

export type BlockReason = "url" | "scheme" | "credentials" | "port" | "name" | "address" | "downgrade" | "header";

export const blocked = (what: string, reason: BlockReason): Failed =>
  fail(
    "blocked_address",
    `${JSON.stringify(what.length > 200 ? `${what.slice(0, 197)}...` : what)} is not fetched (${reason}).`,
    { reason },
  );

const URL_CHARS_MAX = 4_096;
/** Names that denote this machine, this network or this cloud wherever they are resolved. */
const INTERNAL_HOST_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|localdomain)$/;

/** Does not check whether a literal IP address is public. `from` is the page that redirects, or null. */
export function checkUrl(text: string, policy: UrlPolicy, from: URL | null): Result<URL> {
  // The URL parser silently drops line breaks and tabs, so they are checked for first.
  if (text.length > URL_CHARS_MAX || hasForbiddenCharacter(text) || !URL.canParse(text, from?.href))
    return blocked(text, "url");
  const url = new URL(text, from?.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") return blocked(text, "scheme");
  if (url.username !== "" || url.password !== "") return blocked(withoutCredentials(url), "credentials");
  // Host names have no empty labels, and parsers disagree about names such as "127.0.0.1..".
  if (url.hostname.includes("..")) return blocked(text, "name");
  if (from?.protocol === "https:" && url.protocol === "http:") return blocked(text, "downgrade");
  const port = portOf(url);
  if (!policy.ports.has(port) && !allowsPort(policy, port)) return blocked(text, "port");
  const host = hostOf(url);
  if (policy.allow.has(`${host}:${port}`) || isIP(host) !== 0) return ok(url);
  if (!host.includes(".") || INTERNAL_HOST_NAMES.test(host)) return blocked(text, "name");
  return ok(url);
}

/** Also checks literal IP addresses, for hosts that cannot resolve names themselves. */
export function checkUrlAndAddress(text: string, policy: UrlPolicy, from: URL | null): Result<URL> {
  const url = checkUrl(text, policy, from);
  if (!url.ok) return url;
  const host = hostOf(url.value);
  const port = portOf(url.value);
  if (policy.allow.has(`${host}:${port}`)) return url;
  if (!policy.ports.has(port)) return blocked(text, "port");
  return isIP(host) === 0 || isPublicAddress(host) ? url : blocked(text, "address");
}

/** Makes no DNS query, which would reveal the host name even if the URL is never fetched. */
export function checkUrlText(text: string, policy: UrlPolicy): Result<void> {
  const url = checkUrl(text, policy, null);
  if (!url.ok) return url;
  const host = hostOf(url.value);
  const allowed = isIP(host) === 0 || policy.allow.has(`${host}:${portOf(url.value)}`) || isPublicAddress(host);
  return allowed ? ok(undefined) : blocked(text, "address");
}

/** Drops IPv6 brackets and the trailing dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

export const portOf = (url: URL): number => Number(url.port) || (url.protocol === "https:" ? 443 : 80);

const allowsPort = (policy: UrlPolicy, port: number): boolean =>
  [...policy.allow].some((entry) => entry.endsWith(`:${port}`));

function hasForbiddenCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit === 0x5c || (unit >= 0x7f && unit < 0xa0)) return true;
  }
  return !text.isWellFormed();
}

function withoutCredentials(url: URL): string {
  const clean = new URL(url.href);
  clean.username = "";
  clean.password = "";
  return clean.href;
}
