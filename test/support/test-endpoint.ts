// Simulates an external server behind the fetcher port: records requests and responds as the test specifies.
import type { AddressGuard, Fetcher, FetchRequest } from "../../src/ports/fetcher.ts";
import { fail, ok, type Result } from "../../src/schema/problem.ts";

export type ReceivedRequest = {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** A status, a status with headers, or no response. */
export type EndpointResponse = number | { readonly status: number; readonly headers: Record<string, string> } | "down";

export type Endpoint = Fetcher &
  AddressGuard & { readonly received: ReceivedRequest[]; respond: (request: FetchRequest) => EndpointResponse };

export function createTestEndpoint(): Endpoint {
  const endpoint: Endpoint = {
    received: [],
    respond: () => 204,
    check: async () => ok(undefined),
    async fetch(request) {
      const response = endpoint.respond(request);
      if (response === "down") return connectionFailed();
      const { url, headers = {}, body } = request;
      endpoint.received.push({ url, id: headers["webhook-id"] ?? "", body: new TextDecoder().decode(body), headers });
      const { status, headers: given } = typeof response === "number" ? { status: response, headers: {} } : response;
      const none = { redirects: [], content_type: null, body: new Uint8Array(), truncated: true };
      return ok({ url, status, headers: given, ...none });
    },
  };
  return endpoint;
}

const connectionFailed = (): Result<never> => fail("fetch_failed", "The fetch failed.", { reason: "network" });
