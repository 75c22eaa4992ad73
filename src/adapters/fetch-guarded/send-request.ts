// One request to one checked target: a fresh connection, pinned to the checked addresses, no proxy, no reuse.
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Target } from "./policy.ts";

export type OutgoingRequest = {
  readonly method: "GET" | "HEAD" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** More certificates to trust, for hosts with an authority of their own. */
  readonly ca: string | null;
  readonly idleMs: number;
  readonly signal: AbortSignal;
};

/** Nothing came for too long. */
export class IdleError extends Error {}

export function sendRequest(target: Target, outgoing: OutgoingRequest): Promise<http.IncomingMessage> {
  const { url, host, port } = target;
  const secure = url.protocol === "https:";
  const options: https.RequestOptions = {
    host,
    port,
    path: `${url.pathname}${url.search}`,
    method: outgoing.method,
    headers: { ...outgoing.headers, host: url.host, connection: "close" },
    setHost: false,
    lookup: pinnedLookup(target.addresses),
    signal: outgoing.signal,
    agent: secure ? new https.Agent({ keepAlive: false }) : new http.Agent({ keepAlive: false }),
    ...(secure && isIP(host) === 0 ? { servername: host } : {}),
    ...(secure && outgoing.ca !== null ? { ca: outgoing.ca } : {}),
  };
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request(options);
    let response: http.IncomingMessage | null = null;
    request.once("response", (incoming) => {
      response = incoming;
      resolve(incoming);
    });
    // Not once: an error after the first, without a listener, would end the process.
    request.on("error", reject);
    // Counts from the connection on and also while the body is read.
    request.setTimeout(outgoing.idleMs, () => (response ?? request).destroy(new IdleError("idle")));
    request.end(outgoing.body ?? undefined);
  });
}

/** Between the check and the connection no name is asked for again: an answer could have changed. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = all;
    if (options.all) callback(null, all);
    else if (first) callback(null, first.address, first.family);
    else callback(new Error("no address"), "", 4);
  };
}
