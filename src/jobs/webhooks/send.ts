// One try to deliver: claim the row, make the body from the record, sign, post, and write down what became of it.
// At least once: whoever dies between the answer and the note sends again, under the same id.
import { z } from "zod";
import { isoTime } from "../../ports/clock.ts";
import type { Fetcher } from "../../ports/fetcher.ts";
import { type Delivery, NEVER_DUE } from "../../ports/thread-store.ts";
import { type DeliveryLine, type Webhook, WebhookEvent } from "../../schema/jobs/webhook.ts";
import type { Problem, Result } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { claim } from "../claim.ts";
import { noteDelivery } from "./delivery-log.ts";
import type { LinkKey } from "./links.ts";
import { payloadOf } from "./payload.ts";
import { signedHeaders } from "./sign.ts";
import { findWebhook, updateWebhook } from "./subscriptions.ts";

export type SendParts = {
  readonly fetcher: Fetcher;
  readonly links: LinkKey | null;
  readonly owner: string;
  /** How long an endpoint may take to answer. */
  readonly patience_ms?: number;
};

export type Sent =
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
const PATIENCE_MS = 15_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 4 * 3_600_000;
/** A day after the first try nobody waits any more. */
const GIVE_UP_MS = 86_400_000;

export async function sendWebhook(rt: Runtime, due: Delivery, parts: SendParts): Promise<Sent> {
  const row = Row.parse(JSON.parse(due.body));
  const now = rt.clock.now();
  const mine: Row = { ...row, since: row.since ?? now };
  const held = claim(rt, due, LEASE_MS, { ...mine, owner: parts.owner });
  const claimed = await rt.store.settleDelivery(due, held);
  if (!claimed.ok || !claimed.value) return { kind: "taken" };
  const webhook = await findWebhook(rt, due.tenant, row.webhook);
  if (!webhook.ok) {
    if (webhook.problem.code !== "webhook_not_found")
      return later(rt, held, mine, null, problemReason(webhook.problem));
    await rt.store.settleDelivery(held, null);
    return { kind: "gone" };
  }
  if (!webhook.value.enabled) return bury(rt, held, mine, null, "the webhook is switched off");
  const at = { tenant: due.tenant, thread: due.thread };
  const body = await payloadOf(rt, at, row, webhook.value, parts.links);
  if (!body.ok) return later(rt, held, mine, null, problemReason(body.problem));
  if (body.value === null) {
    await rt.store.settleDelivery(held, null);
    return { kind: "gone" };
  }
  const answer = await post(rt, parts, webhook.value, due.id, body.value);
  return settle(rt, held, mine, answer);
}

type Posted = Result<{ status: number; headers: Readonly<Record<string, string>> }>;

/** The answer's status is all that counts; its body is not read, and a redirect is not followed. */
function post(rt: Runtime, parts: SendParts, webhook: Webhook, id: string, body: string): Promise<Posted> {
  const headers = {
    ...signedHeaders(webhook.secrets, id, rt.clock.now(), body),
    "content-type": "application/json",
  };
  const request = { url: webhook.url, method: "POST" as const, headers, body: new TextEncoder().encode(body) };
  const patience = parts.patience_ms ?? PATIENCE_MS;
  return parts.fetcher.fetch(request, { total_ms: patience, idle_ms: patience, max_bytes: 0 });
}

async function settle(rt: Runtime, held: Delivery, row: Row, answer: Posted): Promise<Sent> {
  if (!answer.ok) return later(rt, held, row, null, problemReason(answer.problem));
  const { status, headers } = answer.value;
  if (status >= 200 && status < 300) {
    await note(rt, held, row, { status: "delivered", http_status: status, reason: null, next_at: null });
    await rt.store.settleDelivery(held, null);
    return { kind: "delivered" };
  }
  if (status === 410) {
    const off = await updateWebhook(rt, held.tenant, row.webhook, (webhook) => ({ ...webhook, enabled: false }));
    // Not switched off: then it is not given up either. Asked again, the endpoint says the same.
    if (!off.ok && off.problem.code !== "webhook_not_found")
      return later(rt, held, row, status, `answered ${status}, and ${problemReason(off.problem)}`);
    return bury(rt, held, row, status, "the endpoint is gone; the webhook was switched off");
  }
  const reason =
    status >= 300 && status < 400 ? `answered ${status}; redirects are not followed` : `answered ${status}`;
  return later(rt, held, row, status, reason, secondsOf(headers["retry-after"]));
}

/** Never the words of a problem: an address may hold a secret. */
const problemReason = ({ code, details }: Problem): string =>
  typeof details?.reason === "string" ? `${code} (${details.reason})` : code;

const secondsOf = (retry_after: string | undefined): number =>
  retry_after && /^\d{1,6}$/.test(retry_after) ? Number(retry_after) : 0;

async function later(
  rt: Runtime,
  held: Delivery,
  row: Row,
  http_status: number | null,
  reason: string,
  wait_s = 0,
): Promise<Sent> {
  const now = rt.clock.now();
  const last = (row.since ?? now) + GIVE_UP_MS;
  if (now >= last) return bury(rt, held, row, http_status, reason);
  const pause = Math.max(pauseAfter(rt, held), Math.min(wait_s * 1000, LONGEST_PAUSE_MS));
  const due_at = Math.min(now + pause, last);
  await note(rt, held, row, { status: "retrying", http_status, reason, next_at: isoTime(due_at) });
  await rt.store.settleDelivery(held, { ...held, due_at, body: JSON.stringify(row) });
  return { kind: "retry", reason, due_at };
}

/** Three times as long each time, and a little different for each, so that not all come back together. */
function pauseAfter(rt: Runtime, { id, attempts }: Delivery): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 3 ** (attempts - 1));
  const drawn = Number.parseInt(rt.hash.sha256(`${id} ${attempts}`).slice(0, 8), 16) / 0xffffffff;
  return Math.round(pause * (0.8 + 0.4 * drawn));
}

/** Kept and never due: somebody may look at it, and send it again. */
async function bury(rt: Runtime, held: Delivery, row: Row, http_status: number | null, reason: string): Promise<Sent> {
  const noted = await note(rt, held, row, { status: "dead", http_status, reason, next_at: null });
  // Nobody would find it again: so it stays claimed, and is tried once more when the claim is over.
  if (!noted) return { kind: "retry", reason, due_at: held.due_at };
  await rt.store.settleDelivery(held, { ...held, due_at: NEVER_DUE, body: JSON.stringify({ ...row, reason }) });
  return { kind: "dead", reason };
}

const note = (
  rt: Runtime,
  { tenant, thread, id, attempts }: Delivery,
  { webhook, type, version, seq }: Row,
  facts: Pick<DeliveryLine, "status" | "http_status" | "reason" | "next_at">,
): Promise<boolean> =>
  noteDelivery(rt, tenant, webhook, {
    id,
    thread,
    type,
    version,
    seq,
    attempts,
    at: isoTime(rt.clock.now()),
    ...facts,
  });
