// Sends one signed request to the endpoint of a webhook.
import type { Fetcher } from "../../ports/fetcher.ts";
import type { Webhook } from "../../schema/jobs/webhook.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { signedHeaders } from "./sign.ts";

const TIMEOUT_MS = 15_000;

export type WebhookPost = {
  /** Lets the receiver recognize a repeated request. */
  readonly id: string;
  readonly body: string;
  readonly timeout_ms?: number | undefined;
  readonly signal?: AbortSignal;
};

/** Only the status of the response counts: its body is not read, and redirects are not followed. */
export function postWebhook(
  rt: Pick<Runtime, "clock">,
  fetcher: Fetcher,
  { url, secrets }: Webhook,
  { id, body, timeout_ms = TIMEOUT_MS, signal }: WebhookPost,
): ReturnType<Fetcher["fetch"]> {
  const headers = { ...signedHeaders(secrets, id, rt.clock.now(), body), "content-type": "application/json" };
  const request = { url, method: "POST" as const, headers, body: new TextEncoder().encode(body) };
  return fetcher.fetch(request, {
    total_ms: timeout_ms,
    idle_ms: timeout_ms,
    max_bytes: 0,
    ...(signal && { signal }),
  });
}
