// Where a request may go, decided on the parsed URL and on every address its name has.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { isPublicAddress } from "./public-address.ts";

export type Policy = {
  /** "host:port" or "address:port" that may be reached although the rules below forbid it. */
  readonly allow: ReadonlySet<string>;
  readonly ports: ReadonlySet<number>;
  readonly resolve: Resolve;
};
export type Resolve = (name: string) => Promise<readonly string[]>;

/** A checked place: the connection is made to one of these addresses and to nothing else. */
export type Target = {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
};

export type BlockReason = "url" | "scheme" | "credentials" | "port" | "name" | "address" | "downgrade" | "header";

export const blocked = (what: string, reason: BlockReason): Failed =>
  fail(
    "blocked_address",
    `${JSON.stringify(what.length > 200 ? `${what.slice(0, 197)}...` : what)} is not fetched (${reason}).`,
    {
      reason,
    },
  );

const URL_CHARS_MAX = 4_096;
/** Names that mean this machine, this network or this cloud wherever they are asked. */
const INNER_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|localdomain)$/;

export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);

/** Only words are looked at here; `from` is the page that redirects. */
export function checkUrl(text: string, policy: Policy, from: URL | null): Result<URL> {
  // The URL parser drops line breaks and tabs without a word, so they are looked for before it.
  if (text.length > URL_CHARS_MAX || hasForbiddenCharacter(text) || !URL.canParse(text, from?.href))
    return blocked(text, "url");
  const url = new URL(text, from?.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") return blocked(text, "scheme");
  if (url.username !== "" || url.password !== "") return blocked(withoutCredentials(url), "credentials");
  if (from?.protocol === "https:" && url.protocol === "http:") return blocked(text, "downgrade");
  const port = portOf(url);
  if (!policy.ports.has(port) && !allowsPort(policy, port)) return blocked(text, "port");
  const host = hostOf(url);
  if (policy.allow.has(`${host}:${port}`) || isIP(host) !== 0) return ok(url);
  if (!host.includes(".") || INNER_NAMES.test(host)) return blocked(text, "name");
  return ok(url);
}

/** Asks for the name's addresses once; one that is not public spoils all. */
export async function findTarget(url: URL, policy: Policy, signal: AbortSignal): Promise<Result<Target>> {
  const host = hostOf(url);
  const port = portOf(url);
  const addresses = isIP(host) !== 0 ? [host] : await untilAborted(policy.resolve(host), signal);
  if (addresses.length === 0) return fail("fetch_failed", `${host} has no address.`, { reason: "dns" });
  if (!policy.allow.has(`${host}:${port}`)) {
    const open = policy.ports.has(port);
    const refused = addresses.some(
      (address) => !policy.allow.has(`${address}:${port}`) && !(open && isPublicAddress(address)),
    );
    if (refused) return blocked(url.href, "address");
  }
  return ok({ url, host, port, addresses });
}

/** Lower case, without brackets and without the dot at the end that means the same name. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

const portOf = (url: URL): number => Number(url.port) || (url.protocol === "https:" ? 443 : 80);

const allowsPort = (policy: Policy, port: number): boolean =>
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

/** The system's resolver cannot be stopped, but nobody has to wait for it. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}
