// Decides where a request may go, based on every address its host name resolves to.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { isPublicAddress } from "./public-address.ts";
import { blocked, hostOf, portOf, type UrlPolicy } from "./url-policy.ts";

export type AddressPolicy = UrlPolicy & { readonly resolve: Resolve };
export type Resolve = (name: string) => Promise<readonly string[]>;

/** A checked destination. Connections go only to these addresses. */
export type Target = {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
};

export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);

/** Resolves the name once. If any of its addresses is neither public nor allowed, the request is blocked. */
export async function resolveTarget(url: URL, policy: AddressPolicy, signal: AbortSignal): Promise<Result<Target>> {
  const host = hostOf(url);
  const port = portOf(url);
  const addresses = isIP(host) !== 0 ? [host] : await rejectOnAbort(policy.resolve(host), signal);
  if (addresses.length === 0) return fail("fetch_failed", `${host} has no address.`, { reason: "dns" });
  if (!policy.allow.has(`${host}:${port}`)) {
    const portAllowed = policy.ports.has(port);
    const hasForbiddenAddress = addresses.some(
      (address) => !policy.allow.has(`${address}:${port}`) && !(portAllowed && isPublicAddress(address)),
    );
    if (hasForbiddenAddress) return blocked(url.href, "address");
  }
  return ok({ url, host, port, addresses });
}

/** The system resolver cannot be cancelled, so the caller stops waiting for it instead. */
async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}
