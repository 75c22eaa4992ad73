// Implements the client's methods for background runs, schedules, webhooks and inbound webhooks.
import type { Schedule, ScheduleCreateParams, ScheduleUpdateParams } from "../schema/jobs/schedule.ts";
import type {
  DeliveryLogEntry,
  InboundEventEntry,
  InboundWebhook,
  InboundWebhookCreateParams,
  SigningSecret,
  Webhook,
  WebhookCreateParams,
} from "../schema/jobs/webhook.ts";
import type { Result } from "../schema/problem.ts";
import type { ThreadView } from "../schema/turn-result.ts";

type RequestJson = <T>(
  method: string,
  path: string,
  body?: unknown,
  options?: { readonly key?: string },
) => Promise<Result<T>>;

/** A secret without its value, which is returned only by the request that creates it. */
type SecretView = Omit<SigningSecret, "secret">;
export type ScheduleView = Omit<Schedule, "schema" | "written">;
export type WebhookView = Omit<Webhook, "secrets"> & { readonly secrets: readonly SecretView[] };
export type InboundWebhookView = Omit<InboundWebhook, "secrets" | "token_sha256"> & {
  readonly secrets: readonly SecretView[];
};
/** The name of `InboundWebhookView` in 0.1. */
export type HookView = InboundWebhookView;

type ScheduleBody = { readonly schedule: ScheduleView };
type WebhookBody = { readonly webhook: WebhookView };
type InboundWebhookBody = { readonly hook: InboundWebhookView };
type SecretBody = { readonly secret: string };

export type BackgroundRun = {
  readonly background: ThreadView["background"];
  /** The number of failed attempts to run the current turn. */
  readonly attempts: number;
  readonly next_at: string | null;
};
export const jobMethods = (requestJson: RequestJson) => ({
  /** The status, the number of failed attempts and the time of the next attempt of a background run. */
  backgroundRun: (thread: string) => requestJson<BackgroundRun>("GET", `/v1/threads/${thread}/run`),
  schedules: scheduleMethods(requestJson),
  /** Methods for webhooks, which send events of this server to other systems. */
  webhooks: webhookMethods(requestJson),
  /** Methods for inbound webhooks, which receive events from other systems. */
  inboundWebhooks: inboundWebhookMethods(requestJson, "/v1/inbound-webhooks"),
  /** The name of `inboundWebhooks` in 0.1. Its methods use the path that servers of 0.1 have. */
  hooks: inboundWebhookMethods(requestJson, "/v1/hooks"),
});

const scheduleMethods = (requestJson: RequestJson) => ({
  /** Creates a schedule. A repeated request with the same idempotency key returns the same schedule. */
  create: (input: ScheduleCreateParams, options: { readonly key?: string } = {}) =>
    requestJson<ScheduleBody>("POST", "/v1/schedules", input, options),
  list: () => requestJson<{ schedules: ScheduleView[] }>("GET", "/v1/schedules"),
  /** Returns the next five due times of a schedule with this `when`, without creating it. */
  preview: (when: ScheduleCreateParams["when"]) =>
    requestJson<{ times: string[] }>("GET", `/v1/schedules/preview?when=${encodeURIComponent(JSON.stringify(when))}`),
  get: (id: string) => requestJson<ScheduleBody>("GET", `/v1/schedules/${id}`),
  /** Changes a schedule. Omitted fields keep their values. */
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
  /** Replaces the secret. The old one stays valid for `grace_s` seconds, which default to one day. */
  rotate: (id: string, grace_s?: number) =>
    requestJson<WebhookBody & SecretBody>("POST", `/v1/webhooks/${id}/rotate`, graceBody(grace_s)),
  deliveries: (id: string) => requestJson<{ deliveries: DeliveryLogEntry[] }>("GET", `/v1/webhooks/${id}/deliveries`),
  redeliver: (id: string, delivery: string) =>
    requestJson<{ delivery: string }>("POST", `/v1/webhooks/${id}/redeliver`, { delivery }),
});

const inboundWebhookMethods = (requestJson: RequestJson, base: string) => ({
  /** Creates an inbound webhook. Other systems send their events to the returned `path`. */
  create: (input: InboundWebhookCreateParams) =>
    requestJson<InboundWebhookBody & SecretBody & { readonly path: string }>("POST", base, input),
  list: () => requestJson<{ hooks: InboundWebhookView[] }>("GET", base),
  get: (id: string) => requestJson<InboundWebhookBody>("GET", `${base}/${id}`),
  change: (id: string, change: Partial<InboundWebhookCreateParams>) =>
    requestJson<InboundWebhookBody>("PATCH", `${base}/${id}`, change),
  remove: (id: string) => requestJson<void>("DELETE", `${base}/${id}`),
  rotate: (id: string, grace_s?: number) =>
    requestJson<InboundWebhookBody & SecretBody>("POST", `${base}/${id}/rotate`, graceBody(grace_s)),
  /** Returns the newest events that the webhook received, including those it refused. */
  events: (id: string) => requestJson<{ events: InboundEventEntry[] }>("GET", `${base}/${id}/events`),
  /** Processes a logged event again, as a new one. */
  redeliver: (id: string, event: string) =>
    requestJson<{ thread: string }>("POST", `${base}/${id}/events/${event}/redeliver`),
});

const graceBody = (grace_s: number | undefined) => (grace_s === undefined ? {} : { grace_s });
