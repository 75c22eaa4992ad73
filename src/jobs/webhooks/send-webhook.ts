// One try to deliver: claim the row, make the body from the record, sign, post, and write down what became of it.
// At least once: whoever dies between the answer and the note sends again, under the same id.
import { z } from "zod";
import { isoTime } from "../../ports/clock.ts";
import type { Fetcher } from "../../ports/fetcher.ts";
import { type Delivery, NEVER_DUE } from "../../ports/thread-store.ts";
import { type DeliveryLogEntry, type Webhook, WebhookEvent } from "../../schema/jobs/webhook.ts";
import { ok, type Problem, type Result } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { leaseDelivery } from "../lease.ts";
import type { LinkSettings } from "./confirm-links.ts";
import { recordDelivery } from "./delivery-log.ts";
import { buildPayload } from "./payload.ts";
import { signedHeaders } from "./sign.ts";
import { findWebhook, updateWebhook } from "./subscriptions.ts";

export type SendWebhookOptions = {
  readonly fetcher: Fetcher;
  readonly links: LinkSettings | null;
  readonly owner: string;
  /** How long an endpoint may take to answer. */
  readonly timeout_ms?: number;
};

export type WebhookResult =
  | { readonly kind: "taken" | "gone" | "delivered" }
  | { readonly kind: "retry"; readonly reason: string; readonly due_at: number }
  | { readonly kind: "dead"; readonly reason: string };

const Row = z.object({
  kind: z.literal("webhook"),
  webhook: z.string(),
  version: z.int(),
  seq: z.int(),
  type: WebhookEvent,
  /** When it was tried first. */
  since: z.number().optional(),
});
type Row = z.infer<typeof Row>;

const LEASE_MS = 60_000;
const TIMEOUT_MS = 15_000;
const RETRY_DELAY_MS = 5_000;
const RETRY_DELAY_MAX_MS = 4 * 3_600_000;
/** With the difference that each pause is given. */
export const LONGEST_WAIT_MS = 1.2 * RETRY_DELAY_MAX_MS;
/** A day after the first try nobody waits any more. */
const RETRY_WINDOW_MS = 86_400_000;

export async function sendWebhook(rt: Runtime, due: Delivery, options: SendWebhookOptions): Promise<WebhookResult> {
  const row = Row.parse(JSON.parse(due.body));
  const now = rt.clock.now();
  const attempted: Row = { ...row, since: row.since ?? now };
  const leased = leaseDelivery(rt, due, LEASE_MS, { ...attempted, owner: options.owner });
  const acquired = await rt.store.settleDelivery(due, leased);
  if (!acquired.ok || !acquired.value) return { kind: "taken" };
  const webhook = await findWebhook(rt, due.tenant, row.webhook);
  if (!webhook.ok) {
    if (webhook.problem.code !== "webhook_not_found")
      return scheduleRetry(rt, leased, attempted, null, problemReason(webhook.problem));
    await rt.store.settleDelivery(leased, null);
    return { kind: "gone" };
  }
  if (!webhook.value.enabled) return deadLetter(rt, leased, attempted, null, "the webhook is switched off");
  const at = { tenant: due.tenant, thread: due.thread };
  const body = await buildPayload(rt, at, row, webhook.value, options.links);
  if (!body.ok) return scheduleRetry(rt, leased, attempted, null, problemReason(body.problem));
  if (body.value === null) {
    await rt.store.settleDelivery(leased, null);
    return { kind: "gone" };
  }
  const response = await post(rt, options, webhook.value, due.id, body.value);
  return settleResponse(rt, leased, attempted, response);
}

type PostResponse = Result<{ status: number; headers: Readonly<Record<string, string>> }>;

/** The answer's status is all that counts; its body is not read, and a redirect is not followed. */
function post(
  rt: Runtime,
  options: SendWebhookOptions,
  webhook: Webhook,
  id: string,
  body: string,
): Promise<PostResponse> {
  const headers = {
    ...signedHeaders(webhook.secrets, id, rt.clock.now(), body),
    "content-type": "application/json",
  };
  const request = { url: webhook.url, method: "POST" as const, headers, body: new TextEncoder().encode(body) };
  const timeout = options.timeout_ms ?? TIMEOUT_MS;
  return options.fetcher.fetch(request, { total_ms: timeout, idle_ms: timeout, max_bytes: 0 });
}

async function settleResponse(rt: Runtime, leased: Delivery, row: Row, response: PostResponse): Promise<WebhookResult> {
  if (!response.ok) return scheduleRetry(rt, leased, row, null, problemReason(response.problem));
  const { status, headers } = response.value;
  if (status >= 200 && status < 300) {
    await logAttempt(rt, leased, row, { status: "delivered", http_status: status, reason: null, next_at: null });
    await rt.store.settleDelivery(leased, null);
    return { kind: "delivered" };
  }
  if (status === 410) {
    const disabled = await updateWebhook(rt, leased.tenant, row.webhook, (webhook) =>
      ok({ ...webhook, enabled: false }),
    );
    // Not switched off: then it is not given up either. Asked again, the endpoint says the same.
    if (!disabled.ok && disabled.problem.code !== "webhook_not_found")
      return scheduleRetry(rt, leased, row, status, `answered ${status}, and ${problemReason(disabled.problem)}`);
    return deadLetter(rt, leased, row, status, "the endpoint is gone; the webhook was switched off");
  }
  const reason =
    status >= 300 && status < 400 ? `answered ${status}; redirects are not followed` : `answered ${status}`;
  return scheduleRetry(rt, leased, row, status, reason, parseRetryAfter(headers["retry-after"]));
}

/** Never the words of a problem: an address may hold a secret. */
const problemReason = ({ code, details }: Problem): string =>
  typeof details?.reason === "string" ? `${code} (${details.reason})` : code;

const parseRetryAfter = (retry_after: string | undefined): number =>
  retry_after && /^\d{1,6}$/.test(retry_after) ? Number(retry_after) : 0;

async function scheduleRetry(
  rt: Runtime,
  leased: Delivery,
  row: Row,
  http_status: number | null,
  reason: string,
  wait_s = 0,
): Promise<WebhookResult> {
  const now = rt.clock.now();
  const retryUntil = (row.since ?? now) + RETRY_WINDOW_MS;
  if (now >= retryUntil) return deadLetter(rt, leased, row, http_status, reason);
  const delay = Math.max(retryDelay(rt, leased), Math.min(wait_s * 1000, RETRY_DELAY_MAX_MS));
  const due_at = Math.min(now + delay, retryUntil);
  await logAttempt(rt, leased, row, { status: "retrying", http_status, reason, next_at: isoTime(due_at) });
  await rt.store.settleDelivery(leased, { ...leased, due_at, body: JSON.stringify(row) });
  return { kind: "retry", reason, due_at };
}

/** Three times as long each time, and a little different for each, so that not all come back together. */
function retryDelay(rt: Runtime, { id, attempts }: Delivery): number {
  const baseDelay = Math.min(RETRY_DELAY_MAX_MS, RETRY_DELAY_MS * 3 ** (attempts - 1));
  const jitter = Number.parseInt(rt.hash.sha256(`${id} ${attempts}`).slice(0, 8), 16) / 0xffffffff;
  return Math.round(baseDelay * (0.8 + 0.4 * jitter));
}

/** Kept and never due: somebody may look at it, and send it again. */
async function deadLetter(
  rt: Runtime,
  leased: Delivery,
  row: Row,
  http_status: number | null,
  reason: string,
): Promise<WebhookResult> {
  const logged = await logAttempt(rt, leased, row, { status: "dead", http_status, reason, next_at: null });
  // Nobody would find it again: so it stays claimed, and is tried once more when the claim is over.
  if (!logged) return { kind: "retry", reason, due_at: leased.due_at };
  await rt.store.settleDelivery(leased, { ...leased, due_at: NEVER_DUE, body: JSON.stringify({ ...row, reason }) });
  return { kind: "dead", reason };
}

const logAttempt = (
  rt: Runtime,
  { tenant, thread, id, attempts }: Delivery,
  { webhook, type, version, seq }: Row,
  result: Pick<DeliveryLogEntry, "status" | "http_status" | "reason" | "next_at">,
): Promise<boolean> =>
  recordDelivery(rt, tenant, webhook, {
    id,
    thread,
    type,
    version,
    seq,
    attempts,
    at: isoTime(rt.clock.now()),
    ...result,
  });
