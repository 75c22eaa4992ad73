// The client's methods for schedules, webhooks and hooks: one per route.

import type { Schedule, ScheduleChange, ScheduleWish } from "../schema/jobs/schedule.ts";
import type { DeliveryLine, Hook, HookWish, SigningSecret, Webhook, WebhookWish } from "../schema/jobs/webhook.ts";
import type { Result } from "../schema/problem.ts";

type Json = <T>(
  method: string,
  path: string,
  body?: unknown,
  options?: { readonly key?: string },
) => Promise<Result<T>>;

/** Secrets are told once, when they are made; afterwards only how old they are. */
type SecretView = Omit<SigningSecret, "secret">;
export type ScheduleView = Omit<Schedule, "schema" | "written">;
export type WebhookView = Omit<Webhook, "secrets"> & { readonly secrets: readonly SecretView[] };
export type HookView = Omit<Hook, "secrets" | "token_sha256"> & { readonly secrets: readonly SecretView[] };

type ScheduleBody = { readonly schedule: ScheduleView };
type WebhookBody = { readonly webhook: WebhookView };
type HookBody = { readonly hook: HookView };
type Told = { readonly secret: string };

export const jobMethods = (json: Json) => ({
  schedules: scheduleMethods(json),
  /** Who is told of what happens here. */
  webhooks: webhookMethods(json),
  /** Addresses by which others bring their events. */
  hooks: hookMethods(json),
});

const scheduleMethods = (json: Json) => ({
  /** The same key gives the schedule that is there. */
  create: (wish: ScheduleWish, options: { readonly key?: string } = {}) =>
    json<ScheduleBody>("POST", "/v1/schedules", wish, options),
  list: () => json<{ schedules: ScheduleView[] }>("GET", "/v1/schedules"),
  get: (id: string) => json<ScheduleBody>("GET", `/v1/schedules/${id}`),
  /** What is not named stays as it is. */
  change: (id: string, change: ScheduleChange) => json<ScheduleBody>("PATCH", `/v1/schedules/${id}`, change),
  remove: (id: string) => json<void>("DELETE", `/v1/schedules/${id}`),
});

const webhookMethods = (json: Json) => ({
  create: (wish: WebhookWish) => json<WebhookBody & Told>("POST", "/v1/webhooks", wish),
  list: () => json<{ webhooks: WebhookView[] }>("GET", "/v1/webhooks"),
  get: (id: string) => json<WebhookBody>("GET", `/v1/webhooks/${id}`),
  change: (id: string, change: Partial<Omit<WebhookWish, "thread">>) =>
    json<WebhookBody>("PATCH", `/v1/webhooks/${id}`, change),
  remove: (id: string) => json<void>("DELETE", `/v1/webhooks/${id}`),
  /** The old secret signs along for `grace_s` more; a day unless said. */
  rotate: (id: string, grace_s?: number) =>
    json<WebhookBody & Told>("POST", `/v1/webhooks/${id}/rotate`, graceOf(grace_s)),
  deliveries: (id: string) => json<{ deliveries: DeliveryLine[] }>("GET", `/v1/webhooks/${id}/deliveries`),
  redeliver: (id: string, delivery: string) =>
    json<{ delivery: string }>("POST", `/v1/webhooks/${id}/redeliver`, { delivery }),
});

const hookMethods = (json: Json) => ({
  /** `path`: where its events are posted. */
  create: (wish: HookWish) => json<HookBody & Told & { readonly path: string }>("POST", "/v1/hooks", wish),
  list: () => json<{ hooks: HookView[] }>("GET", "/v1/hooks"),
  get: (id: string) => json<HookBody>("GET", `/v1/hooks/${id}`),
  change: (id: string, change: Partial<HookWish>) => json<HookBody>("PATCH", `/v1/hooks/${id}`, change),
  remove: (id: string) => json<void>("DELETE", `/v1/hooks/${id}`),
  rotate: (id: string, grace_s?: number) => json<HookBody & Told>("POST", `/v1/hooks/${id}/rotate`, graceOf(grace_s)),
});

const graceOf = (grace_s: number | undefined) => (grace_s === undefined ? {} : { grace_s });
