// Defines webhooks (subscriptions to events) and inbound webhooks (which external event becomes which input). Stored in the tenant's settings.
import * as z from "zod";
import { idPattern, Name, ThreadId } from "../ids.ts";
import { CreateInput } from "../input.ts";

export const WEBHOOK_EVENTS = [
  "gate.opened",
  "run.delivered",
  "run.aborted",
  "thread.failed",
  "turn.committed",
] as const;
export const WebhookEvent = z.enum(WEBHOOK_EVENTS);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

export const WebhookId = z.string().regex(idPattern("whk"), "must be whk_ and 26 characters");
export const InboundWebhookId = z.string().regex(idPattern("hok"), "must be hok_ and 26 characters");

/** A symmetric secret has to be stored. It is shown only once, when it is created. */
export const SigningSecret = z.object({
  secret: z.string(),
  created_at: z.iso.datetime(),
  /** Null for the current secret, which is valid until it is rotated. */
  expires_at: z.iso.datetime().nullable(),
});
export type SigningSecret = z.infer<typeof SigningSecret>;

export const WebhookInput = z.strictObject({
  /** The name that records show as the actor. */
  name: Name,
  url: z.string().min(1).max(2_048),
  /** The events that are sent. With an empty list, this webhook receives only what tools send. */
  events: z
    .array(WebhookEvent)
    .max(WEBHOOK_EVENTS.length)
    .refine((events) => new Set(events).size === events.length, "each at most once"),
  /** Limits the subscription to one thread. Without it, events of all threads are sent. */
  thread: ThreadId.nullable().optional(),
  /** Adds a link to `gate.opened` that lets its holder answer the gate. */
  links: z.boolean().optional(),
  enabled: z.boolean().optional(),
});
export type WebhookInput = z.infer<typeof WebhookInput>;
export type WebhookCreateParams = z.input<typeof WebhookInput>;
export const WebhookPatch = WebhookInput.omit({ thread: true }).partial();
export type WebhookPatch = z.infer<typeof WebhookPatch>;

export const Webhook = z.object({
  id: WebhookId,
  name: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent),
  thread: ThreadId.nullable(),
  links: z.boolean(),
  enabled: z.boolean(),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  /** Newest first. */
  secrets: z.array(SigningSecret),
});
export type Webhook = z.infer<typeof Webhook>;

/** The event is appended to the text or goal. */
export const InboundWebhookAction = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("message"), thread: ThreadId, text: z.string().min(1).max(2_048) }),
  z.strictObject({
    kind: z.literal("thread"),
    create: CreateInput.omit({ run: true, auto_approve: true }).extend({ goal: z.string().min(1).max(2_048) }),
  }),
]);
export type InboundWebhookAction = z.infer<typeof InboundWebhookAction>;

export const InboundWebhookInput = z.strictObject({
  name: Name,
  what: InboundWebhookAction,
  enabled: z.boolean().optional(),
});
export type InboundWebhookInput = z.infer<typeof InboundWebhookInput>;
export type InboundWebhookCreateParams = z.input<typeof InboundWebhookInput>;
export const InboundWebhookPatch = InboundWebhookInput.partial();
export type InboundWebhookPatch = z.infer<typeof InboundWebhookPatch>;

export const InboundWebhook = z.object({
  id: InboundWebhookId,
  name: z.string(),
  what: InboundWebhookAction,
  enabled: z.boolean(),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  /** Hash of the token in the URL. The token is a secret, so it is not stored. */
  token_sha256: z.string(),
  secrets: z.array(SigningSecret),
});
export type InboundWebhook = z.infer<typeof InboundWebhook>;

/** One line of the log per delivery, with its newest attempt. */
export const DeliveryLogEntry = z.object({
  id: z.string(),
  thread: z.string(),
  type: WebhookEvent,
  version: z.int(),
  seq: z.int(),
  status: z.enum(["delivered", "retrying", "dead"]),
  attempts: z.int(),
  at: z.iso.datetime(),
  /** Null if there was no response. */
  http_status: z.int().nullable(),
  reason: z.string().nullable(),
  next_at: z.iso.datetime().nullable(),
});
export type DeliveryLogEntry = z.infer<typeof DeliveryLogEntry>;

export const InboundEventEntry = z.object({
  id: z.string(),
  /** The sender's id of the event, or null if the event was refused before the id was known. */
  event: z.string().nullable(),
  at: z.iso.datetime(),
  /** Null if the event was refused. */
  thread: z.string().nullable(),
  problem: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type InboundEventEntry = z.infer<typeof InboundEventEntry>;
