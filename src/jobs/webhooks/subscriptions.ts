// Manages webhook subscriptions, which are stored in the tenant's settings and changed by compare-and-set.
import { isoTime } from "../../ports/clock.ts";
import type { AddressGuard } from "../../ports/fetcher.ts";
import type { TenantId, ThreadRef } from "../../schema/ids.ts";
import type { Webhook, WebhookInput, WebhookPatch } from "../../schema/jobs/webhook.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { changeSettings } from "../change-settings.ts";
import { createDocument, documentThreadRef } from "../documents.ts";
import { createSigningSecret } from "./secrets.ts";
import { type Allow, ifAllowed, settingsList } from "./settings-list.ts";

/** Limits the webhooks, because every turn loads all of them and a commit can hold about fifty rows, two for each matching subscription. */
export const WEBHOOKS_MAX = 50;
const TENANT_WIDE_WEBHOOKS_MAX = 10;
const WEBHOOKS_PER_THREAD_MAX = 8;

export type CreateWebhookOptions = {
  readonly tenant: TenantId;
  readonly actor: string;
  readonly input: WebhookInput;
};

/** The secret is returned here once and never again. */
export type WebhookWithSecret = { readonly webhook: Webhook; readonly secret: string };

export async function createWebhook(
  rt: Runtime,
  guard: AddressGuard,
  { tenant, actor, input }: CreateWebhookOptions,
): Promise<Result<WebhookWithSecret>> {
  const allowed = await guard.check(input.url);
  if (!allowed.ok) return allowed;
  const { thread = null } = input;
  const threadCheck = thread ? await rt.store.load({ tenant, thread }, 1) : ok(undefined);
  if (!threadCheck.ok) return threadCheck;
  const secret = createSigningSecret(rt);
  const webhook: Webhook = {
    id: rt.ids.make("whk"),
    name: input.name,
    url: input.url,
    events: input.events,
    thread,
    links: input.links ?? false,
    enabled: input.enabled ?? true,
    created_at: isoTime(rt.clock.now()),
    created_by: actor,
    secrets: [secret],
  };
  // Creates the delivery log first, because a log without a subscription does no harm.
  const logCreated = await createDocument(rt, documentThreadRef(tenant, webhook.id), {});
  if (!logCreated.ok) return logCreated;
  const saved = await changeSettings(rt, tenant, (settings) => {
    const failure = limitProblem(settings.webhooks, webhook) ?? nameProblem(settings.webhooks, webhook);
    return failure ?? ok({ ...settings, webhooks: [...settings.webhooks, webhook] });
  });
  return saved.ok ? ok({ webhook, secret: secret.secret }) : saved;
}

function limitProblem(existing: readonly Webhook[], { thread }: Webhook) {
  const sameScope = existing.filter((other) => other.thread === thread).length;
  const max = thread === null ? TENANT_WIDE_WEBHOOKS_MAX : WEBHOOKS_PER_THREAD_MAX;
  if (existing.length < WEBHOOKS_MAX && sameScope < max) return null;
  const scope = thread === null ? "for all threads" : "for one thread";
  return fail("request_invalid", `At most ${max} webhooks ${scope}, and ${WEBHOOKS_MAX} together.`);
}

const nameProblem = (existing: readonly Webhook[], { id, name }: Pick<Webhook, "id" | "name">) =>
  existing.some((other) => other.name === name && other.id !== id)
    ? fail("request_invalid", `name: a webhook named ${name} already exists.`, { field: "name" })
    : null;

const webhooks = settingsList<Webhook>({
  name: "webhooks",
  notFound: (id) => fail("webhook_not_found", `There is no webhook ${id.slice(0, 40)}.`),
  conflict: nameProblem,
});

/** For a time after a rotation, deliveries are signed with the old secret, too, so that the receiver can switch. */
export const { list: listWebhooks, find: findWebhook, update: updateWebhook, rotate: rotateWebhook } = webhooks;

export async function changeWebhook(
  rt: Runtime,
  guard: AddressGuard,
  tenant: TenantId,
  id: string,
  change: WebhookPatch,
  allow: Allow<Webhook> = () => ok(undefined),
): Promise<Result<Webhook>> {
  const allowed = change.url === undefined ? ok(undefined) : await guard.check(change.url);
  if (!allowed.ok) return allowed;
  return updateWebhook(rt, tenant, id, (current) => ifAllowed(allow, { ...current, ...change } as Webhook));
}

/** Pending deliveries of the webhook are dropped when they become due. */
export async function removeWebhook(rt: Runtime, tenant: TenantId, id: string): Promise<Result<void>> {
  const saved = await webhooks.remove(rt, tenant, id);
  if (!saved.ok) return saved;
  const removed = await rt.store.remove(documentThreadRef(tenant, id));
  return removed.ok || removed.problem.code === "thread_not_found" ? ok(undefined) : removed;
}

/** A removed thread has no more events, and its webhooks should not count towards the limit. */
export async function removeThreadWebhooks(rt: Runtime, { tenant, thread }: ThreadRef): Promise<Result<void>> {
  const listed = await listWebhooks(rt, tenant);
  if (!listed.ok) return listed;
  for (const { id } of listed.value.items.filter((webhook) => webhook.thread === thread)) {
    const removed = await removeWebhook(rt, tenant, id);
    if (!removed.ok && removed.problem.code !== "webhook_not_found") return removed;
  }
  return ok(undefined);
}
