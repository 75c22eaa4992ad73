// Sends one request to one checked target over a new connection pinned to the checked addresses. It uses no proxy.
import type { IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { FetchMethod } from "../../ports/fetcher.ts";
import type { Target } from "./policy.ts";

export type OutgoingRequest = {
  readonly method: FetchMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Additional trusted certificates, for hosts with their own certificate authority. */
  readonly ca: string | null;
  readonly idleMs: number;
  readonly signal: AbortSignal;
};

export class IdleError extends Error {}

export async function sendRequest(target: Target, outgoing: OutgoingRequest): Promise<IncomingMessage> {
  const { url, host, port } = target;
  const secure = url.protocol === "https:";
  // Both modules are loaded on the first request, because loading them takes a tenth of the package's import time.
  const { Agent, request: createRequest } = secure ? await import("node:https") : await import("node:http");
  const options: RequestOptions = {
    host,
    port,
    path: `${url.pathname}${url.search}`,
    method: outgoing.method,
    headers: { ...outgoing.headers, host: url.host, connection: "close" },
    setHost: false,
    lookup: pinnedLookup(target.addresses),
    signal: outgoing.signal,
    agent: new Agent({ keepAlive: false }),
    ...(secure && isIP(host) === 0 ? { servername: host } : {}),
    ...(secure && outgoing.ca !== null ? { ca: outgoing.ca } : {}),
  };
  return new Promise((resolve, reject) => {
    const request = createRequest(options);
    let response: IncomingMessage | null = null;
    request.once("response", (incoming) => {
      response = incoming;
      resolve(incoming);
    });
    // Uses `on` instead of `once`, because a second error without a listener would end the process.
    request.on("error", reject);
    // The timeout applies from connecting until the body is read.
    request.setTimeout(outgoing.idleMs, () => (response ?? request).destroy(new IdleError("idle")));
    request.end(outgoing.body ?? undefined);
  });
}

/** Returns the checked addresses instead of resolving the name again, because the answer could have changed. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = all;
    if (options.all) callback(null, all);
    else if (first) callback(null, first.address, first.family);
    else callback(new Error("no address"), "", 4);
  };
}
