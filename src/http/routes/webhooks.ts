// Routes of the tenant's webhooks, their secrets and their deliveries. Secrets are shown once.
import * as z from "zod";
import { deliveryLog, redeliver } from "../../jobs/webhooks/delivery-log.ts";
import { DEFAULT_GRACE_S, GRACE_S_MAX } from "../../jobs/webhooks/secrets.ts";
import {
  changeWebhook,
  createWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhook,
} from "../../jobs/webhooks/subscriptions.ts";
import type { AddressGuard } from "../../ports/fetcher.ts";
import { type SigningSecret, type Webhook, WebhookInput, WebhookPatch } from "../../schema/jobs/webhook.ts";
import { requireApprovalRight } from "../edge/approval-right.ts";
import type { Caller } from "../edge/caller.ts";
import type { Ctx } from "../env.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type ReadBody, type ReadWebhook, type Route, route } from "../route.ts";

/** `grace_s` is the number of seconds for which the old secret stays valid; 0 revokes it immediately. */
export const RotateBody = z.strictObject({ grace_s: z.int().min(0).max(GRACE_S_MAX).optional() });
const RedeliverBody = z.strictObject({ delivery: z.string().min(1).max(64) });

const notFound = ["webhook_not_found"] as const;
const addressProblems = ["blocked_address", "fetch_failed"] as const;

/** `guard` decides for the host which addresses a webhook may have. */
export const webhookRoutes = (guard: AddressGuard): readonly Route[] => [
  route(["post", "/v1/webhooks", "admin"], (c, { body }) => postWebhook(c, guard, body), {
    id: "createWebhook",
    summary: "Subscribe to events: a signed POST for each, at least once",
    description:
      "Signed according to Standard Webhooks. The secret is shown here and never again. `thread`: only events of this thread. `links` adds to `gate.opened` a link that answers the gate, and needs the scope `confirm`.",
    body: WebhookInput,
    example: { name: "desk", url: "https://example.com/hook", events: ["gate.opened", "run.delivered"] },
    responses: {
      201: { description: "The webhook and its secret.", schema: "WebhookSecretBody", headers: ["Location"] },
    },
    problems: [...addressProblems, "thread_not_found", "settings_moved"],
  }),
  route(["get", "/v1/webhooks", "admin"], getWebhooks, {
    id: "listWebhooks",
    summary: "List the webhooks of the tenant",
    responses: { 200: { description: "All of them, without secrets.", schema: "WebhookList" } },
  }),
  route(["get", "/v1/webhooks/:webhook", "admin"], getWebhook, {
    id: "getWebhook",
    summary: "Show a webhook",
    responses: { 200: { description: "The webhook, without secrets.", schema: "WebhookBody" } },
    problems: notFound,
  }),
  route(["patch", "/v1/webhooks/:webhook", "admin"], (c, read) => patchWebhook(c, guard, read), {
    id: "changeWebhook",
    summary: "Change a webhook, or switch it on or off",
    description: "A webhook that has `links` afterwards needs the scope `confirm`, unless it is only switched off.",
    body: WebhookPatch,
    example: { enabled: false },
    responses: { 200: { description: "The webhook after the change.", schema: "WebhookBody" } },
    problems: [...notFound, ...addressProblems, "settings_moved"],
  }),
  route(["delete", "/v1/webhooks/:webhook", "admin"], deleteWebhook, {
    id: "deleteWebhook",
    summary: "Remove a webhook; its pending deliveries are dropped and its links stop working",
    responses: { 204: { description: "The webhook was removed.", schema: null } },
    problems: [...notFound, "settings_moved"],
  }),
  route(["post", "/v1/webhooks/:webhook/rotate", "admin"], postRotate, {
    id: "rotateWebhook",
    summary: "Create a new secret; the old one also signs for `grace_s` seconds more (one day by default)",
    description: "A webhook with `links` needs the scope `confirm`.",
    body: RotateBody,
    example: { grace_s: 3600 },
    responses: { 200: { description: "The webhook and its new secret.", schema: "WebhookSecretBody" } },
    problems: [...notFound, "settings_moved"],
  }),
  route(["get", "/v1/webhooks/:webhook/deliveries", "admin"], getDeliveries, {
    id: "listDeliveries",
    summary: "List the newest hundred deliveries with their status",
    responses: { 200: { description: "Newest first.", schema: "DeliveryList" } },
    problems: notFound,
  }),
  route(["post", "/v1/webhooks/:webhook/redeliver", "admin"], postRedeliver, {
    id: "redeliver",
    summary: "Send a delivery again, under the same id",
    description: "A webhook with `links` needs the scope `confirm`.",
    body: RedeliverBody,
    example: { delivery: "dlv_00000000000000000000000000" },
    responses: { 202: { description: "The delivery is queued.", schema: z.object({ delivery: z.string() }) } },
    problems: [...notFound, "delivery_not_found", "thread_not_found"],
  }),
];

export const secretsView = (secrets: readonly SigningSecret[]) =>
  secrets.map(({ created_at, expires_at }) => ({ created_at, expires_at }));
const webhookView = (webhook: Webhook) => ({ ...webhook, secrets: secretsView(webhook.secrets) });

/** Links answer gates, so a webhook with links needs an additional scope. `change` contains only the changed fields. */
const requireLinkScope = (caller: Caller, { links = false }: { links?: boolean | undefined }, change?: WebhookPatch) =>
  requireApprovalRight(caller, { kind: "webhook", webhook: { links }, ...(change ? { change } : {}) });

async function postWebhook(c: Ctx, guard: AddressGuard, input: WebhookInput): Promise<Answer> {
  const caller = c.get("caller");
  const allowed = requireLinkScope(caller, input);
  if (!allowed.ok) return allowed;
  const options = { tenant: caller.tenant, actor: caller.name, input };
  const created = await createWebhook(c.get("options").rt, guard, options);
  if (!created.ok) return created;
  const { webhook, secret } = created.value;
  const headers = { location: `/v1/webhooks/${webhook.id}` };
  return respondJson(c, { webhook: webhookView(webhook), secret }, 201, headers);
}

async function getWebhooks(c: Ctx): Promise<Answer> {
  const listed = await listWebhooks(c.get("options").rt, c.get("caller").tenant);
  if (!listed.ok) return listed;
  const { items, damaged } = listed.value;
  return respondJson(c, { webhooks: items.map(webhookView), ...(damaged.length > 0 ? { damaged } : {}) });
}

async function getWebhook(c: Ctx, { webhook }: ReadWebhook): Promise<Answer> {
  const found = await findWebhook(c.get("options").rt, c.get("caller").tenant, webhook);
  return found.ok ? respondJson(c, { webhook: webhookView(found.value) }) : found;
}

async function patchWebhook(
  c: Ctx,
  guard: AddressGuard,
  { webhook, body: change }: ReadWebhook & ReadBody<typeof WebhookPatch>,
): Promise<Answer> {
  const caller = c.get("caller");
  const allow = (after: Webhook) => requireLinkScope(caller, after, change);
  const changed = await changeWebhook(c.get("options").rt, guard, caller.tenant, webhook, change, allow);
  return changed.ok ? respondJson(c, { webhook: webhookView(changed.value) }) : changed;
}

async function deleteWebhook(c: Ctx, { webhook }: ReadWebhook): Promise<Answer> {
  const removed = await removeWebhook(c.get("options").rt, c.get("caller").tenant, webhook);
  return removed.ok ? c.body(null, 204) : removed;
}

async function postRotate(
  c: Ctx,
  { webhook, body: { grace_s = DEFAULT_GRACE_S } }: ReadWebhook & ReadBody<typeof RotateBody>,
): Promise<Answer> {
  const { rt } = c.get("options");
  const caller = c.get("caller");
  const rotated = await rotateWebhook(rt, caller.tenant, webhook, grace_s, (after) => requireLinkScope(caller, after));
  if (!rotated.ok) return rotated;
  return respondJson(c, { webhook: webhookView(rotated.value.item), secret: rotated.value.secret });
}

async function getDeliveries(c: Ctx, { webhook }: ReadWebhook): Promise<Answer> {
  const { rt } = c.get("options");
  const { tenant } = c.get("caller");
  const found = await findWebhook(rt, tenant, webhook);
  if (!found.ok) return found;
  const deliveries = await deliveryLog(rt, tenant, webhook);
  return deliveries.ok ? respondJson(c, { deliveries: deliveries.value }) : deliveries;
}

async function postRedeliver(c: Ctx, { webhook, body }: ReadWebhook & ReadBody<typeof RedeliverBody>): Promise<Answer> {
  const { rt } = c.get("options");
  const { tenant } = c.get("caller");
  const found = await findWebhook(rt, tenant, webhook);
  if (!found.ok) return found;
  const allowed = requireLinkScope(c.get("caller"), found.value);
  if (!allowed.ok) return allowed;
  const put = await redeliver(rt, tenant, webhook, body.delivery);
  return put.ok ? respondJson(c, { delivery: put.value.id }, 202) : put;
}
