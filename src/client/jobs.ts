// The client's methods for schedules, webhooks and inbound webhooks: one per route.

import type { Schedule, ScheduleCreateParams, ScheduleUpdateParams } from "../schema/jobs/schedule.ts";
import type {
  DeliveryLogEntry,
  InboundWebhook,
  InboundWebhookCreateParams,
  SigningSecret,
  Webhook,
  WebhookCreateParams,
} from "../schema/jobs/webhook.ts";
import type { Result } from "../schema/problem.ts";

type RequestJson = <T>(
  method: string,
  path: string,
  body?: unknown,
  options?: { readonly key?: string },
) => Promise<Result<T>>;

/** Secrets are returned once, when they are created; later only their age. */
type SecretView = Omit<SigningSecret, "secret">;
export type ScheduleView = Omit<Schedule, "schema" | "written">;
export type WebhookView = Omit<Webhook, "secrets"> & { readonly secrets: readonly SecretView[] };
export type HookView = Omit<InboundWebhook, "secrets" | "token_sha256"> & { readonly secrets: readonly SecretView[] };

type ScheduleBody = { readonly schedule: ScheduleView };
type WebhookBody = { readonly webhook: WebhookView };
type HookBody = { readonly hook: HookView };
type SecretBody = { readonly secret: string };

export const jobMethods = (requestJson: RequestJson) => ({
  schedules: scheduleMethods(requestJson),
  /** Subscriptions to events. */
  webhooks: webhookMethods(requestJson),
  /** Inbound webhooks: URLs that external systems send events to. */
  hooks: inboundWebhookMethods(requestJson),
});

const scheduleMethods = (requestJson: RequestJson) => ({
  /** The same key returns the existing schedule. */
  create: (input: ScheduleCreateParams, options: { readonly key?: string } = {}) =>
    requestJson<ScheduleBody>("POST", "/v1/schedules", input, options),
  list: () => requestJson<{ schedules: ScheduleView[] }>("GET", "/v1/schedules"),
  get: (id: string) => requestJson<ScheduleBody>("GET", `/v1/schedules/${id}`),
  /** Omitted fields are unchanged. */
  change: (id: string, change: ScheduleUpdateParams) =>
    requestJson<ScheduleBody>("PATCH", `/v1/schedules/${id}`, change),
  remove: (id: string) => requestJson<void>("DELETE", `/v1/schedules/${id}`),
});

const webhookMethods = (requestJson: RequestJson) => ({
  create: (input: WebhookCreateParams) => requestJson<WebhookBody & SecretBody>("POST", "/v1/webhooks", input),
  list: () => requestJson<{ webhooks: WebhookView[] }>("GET", "/v1/webhooks"),
  get: (id: string) => requestJson<WebhookBody>("GET", `/v1/webhooks/${id}`),
  change: (id: string, change: Partial<Omit<WebhookCreateParams, "thread">>) =>
    requestJson<WebhookBody>("PATCH", `/v1/webhooks/${id}`, change),
  remove: (id: string) => requestJson<void>("DELETE", `/v1/webhooks/${id}`),
  /** The old secret also signs for `grace_s` more seconds; a day by default. */
  rotate: (id: string, grace_s?: number) =>
    requestJson<WebhookBody & SecretBody>("POST", `/v1/webhooks/${id}/rotate`, graceBody(grace_s)),
  deliveries: (id: string) => requestJson<{ deliveries: DeliveryLogEntry[] }>("GET", `/v1/webhooks/${id}/deliveries`),
  redeliver: (id: string, delivery: string) =>
    requestJson<{ delivery: string }>("POST", `/v1/webhooks/${id}/redeliver`, { delivery }),
});

const inboundWebhookMethods = (requestJson: RequestJson) => ({
  /** `path`: the path that its events are posted to. */
  create: (input: InboundWebhookCreateParams) =>
    requestJson<HookBody & SecretBody & { readonly path: string }>("POST", "/v1/hooks", input),
  list: () => requestJson<{ hooks: HookView[] }>("GET", "/v1/hooks"),
  get: (id: string) => requestJson<HookBody>("GET", `/v1/hooks/${id}`),
  change: (id: string, change: Partial<InboundWebhookCreateParams>) =>
    requestJson<HookBody>("PATCH", `/v1/hooks/${id}`, change),
  remove: (id: string) => requestJson<void>("DELETE", `/v1/hooks/${id}`),
  rotate: (id: string, grace_s?: number) =>
    requestJson<HookBody & SecretBody>("POST", `/v1/hooks/${id}/rotate`, graceBody(grace_s)),
});

const graceBody = (grace_s: number | undefined) => (grace_s === undefined ? {} : { grace_s });
