// Somebody else's server as the fetcher sees it: it keeps what it was sent and answers as the test says.
import type { AddressGuard, Fetcher, FetchRequest } from "../../src/ports/fetcher.ts";
import { fail, ok, type Result } from "../../src/schema/problem.ts";

export type Received = {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** A status, a status with headers, or no answer at all. */
export type Answer = number | { readonly status: number; readonly headers: Record<string, string> } | "down";

export type Endpoint = Fetcher &
  AddressGuard & { readonly received: Received[]; answer: (request: FetchRequest) => Answer };

export function anEndpoint(): Endpoint {
  const endpoint: Endpoint = {
    received: [],
    answer: () => 204,
    check: async () => ok(undefined),
    async fetch(request) {
      const said = endpoint.answer(request);
      if (said === "down") return down();
      const { url, headers = {}, body } = request;
      endpoint.received.push({ url, id: headers["webhook-id"] ?? "", body: new TextDecoder().decode(body), headers });
      const { status, headers: given } = typeof said === "number" ? { status: said, headers: {} } : said;
      const none = { redirects: [], content_type: null, body: new Uint8Array(), truncated: true };
      return ok({ url, status, headers: given, ...none });
    },
  };
  return endpoint;
}

const down = (): Result<never> => fail("fetch_failed", "The fetch failed.", { reason: "network" });
