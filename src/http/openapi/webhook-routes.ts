// The routes of webhooks, hooks and links, described.
import { z } from "zod";
import { InboundWebhookInput, InboundWebhookPatch, WebhookInput, WebhookPatch } from "../../schema/jobs/webhook.ts";
import { RedeliverBody, RotateBody } from "../routes/webhooks.ts";
import {
  DeliveryList,
  InboundWebhookBody,
  InboundWebhookList,
  InboundWebhookSecretBody,
  NewInboundWebhookBody,
  WebhookBody,
  WebhookList,
  WebhookSecretBody,
} from "./response-schemas.ts";
import type { RouteDescription } from "./route-description.ts";

const webhookNotFound = ["webhook_not_found"] as const;
const inboundWebhookNotFound = ["hook_not_found"] as const;
const addressProblems = ["blocked_address", "fetch_failed"] as const;

const OUTGOING_WEBHOOKS: Readonly<Record<string, RouteDescription>> = {
  "POST /v1/webhooks": {
    id: "createWebhook",
    summary: "Be told of events: a signed POST for each, at least once",
    description:
      "Signed as Standard Webhooks says. The secret is told here and never again. `thread`: of this thread only. `links` lets `gate.opened` carry a link by which the gate is answered, and needs the scope `confirm`.",
    body: WebhookInput,
    example: { name: "desk", url: "https://example.com/hook", events: ["gate.opened", "run.delivered"] },
    responses: {
      201: { description: "The webhook and its secret.", schema: WebhookSecretBody, headers: ["Location"] },
    },
    problems: [...addressProblems, "thread_not_found", "settings_moved"],
  },
  "GET /v1/webhooks": {
    id: "listWebhooks",
    summary: "The webhooks of the tenant",
    responses: { 200: { description: "All of them, without secrets.", schema: WebhookList } },
  },
  "GET /v1/webhooks/:webhook": {
    id: "getWebhook",
    summary: "One webhook",
    responses: { 200: { description: "The webhook, without secrets.", schema: WebhookBody } },
    problems: webhookNotFound,
  },
  "PATCH /v1/webhooks/:webhook": {
    id: "changeWebhook",
    summary: "Change a webhook, or switch it off and on",
    description: "A webhook that has `links` afterwards needs the scope `confirm`, unless it is only switched off.",
    body: WebhookPatch,
    example: { enabled: false },
    responses: { 200: { description: "The webhook as it is now.", schema: WebhookBody } },
    problems: [...webhookNotFound, ...addressProblems, "settings_moved"],
  },
  "DELETE /v1/webhooks/:webhook": {
    id: "deleteWebhook",
    summary: "Remove a webhook; what waits for it is dropped, and its links are void",
    responses: { 204: { description: "Gone.", schema: null } },
    problems: [...webhookNotFound, "settings_moved"],
  },
  "POST /v1/webhooks/:webhook/rotate": {
    id: "rotateWebhook",
    summary: "A new secret; the old one signs along for `grace_s` (a day unless said)",
    description: "A webhook with `links` needs the scope `confirm`.",
    body: RotateBody,
    example: { grace_s: 3600 },
    responses: { 200: { description: "The webhook and its new secret.", schema: WebhookSecretBody } },
    problems: [...webhookNotFound, "settings_moved"],
  },
  "GET /v1/webhooks/:webhook/deliveries": {
    id: "listDeliveries",
    summary: "What became of the newest hundred deliveries",
    responses: { 200: { description: "Newest first.", schema: DeliveryList } },
    problems: webhookNotFound,
  },
  "POST /v1/webhooks/:webhook/redeliver": {
    id: "redeliver",
    summary: "Send a delivery once more, under the same id",
    description: "A webhook with `links` needs the scope `confirm`.",
    body: RedeliverBody,
    example: { delivery: "dlv_00000000000000000000000000" },
    responses: { 202: { description: "It waits to be sent.", schema: z.object({ delivery: z.string() }) } },
    problems: [...webhookNotFound, "delivery_not_found", "thread_not_found"],
  },
};

const INBOUND_WEBHOOKS: Readonly<Record<string, RouteDescription>> = {
  "POST /v1/hooks": {
    id: "createHook",
    summary: "An address for the events of another system",
    description:
      "Address and secret are told here and never again. An event becomes a message to a thread, or a thread of its own, and a worker goes on from there.",
    body: InboundWebhookInput,
    example: { name: "payments", what: { kind: "thread", create: { goal: "A payment came in. File it." } } },
    responses: {
      201: {
        description: "The hook, its address and its secret.",
        schema: NewInboundWebhookBody,
        headers: ["Location"],
      },
    },
    problems: ["thread_not_found", "tool_unknown", "input_too_large", "settings_moved"],
  },
  "GET /v1/hooks": {
    id: "listHooks",
    summary: "The hooks of the tenant",
    responses: { 200: { description: "All of them, without addresses and secrets.", schema: InboundWebhookList } },
  },
  "GET /v1/hooks/:hook": {
    id: "getHook",
    summary: "One hook",
    responses: { 200: { description: "The hook, without address and secrets.", schema: InboundWebhookBody } },
    problems: inboundWebhookNotFound,
  },
  "PATCH /v1/hooks/:hook": {
    id: "changeHook",
    summary: "Change a hook, or switch it off and on",
    body: InboundWebhookPatch,
    example: { enabled: false },
    responses: { 200: { description: "The hook as it is now.", schema: InboundWebhookBody } },
    problems: [...inboundWebhookNotFound, "thread_not_found", "tool_unknown", "input_too_large", "settings_moved"],
  },
  "DELETE /v1/hooks/:hook": {
    id: "deleteHook",
    summary: "Remove a hook; its address is void",
    responses: { 204: { description: "Gone.", schema: null } },
    problems: [...inboundWebhookNotFound, "settings_moved"],
  },
  "POST /v1/hooks/:hook/rotate": {
    id: "rotateHook",
    summary: "A new secret; the old one is taken for `grace_s` longer (a day unless said)",
    body: RotateBody,
    example: { grace_s: 3600 },
    responses: { 200: { description: "The hook and its new secret.", schema: InboundWebhookSecretBody } },
    problems: [...inboundWebhookNotFound, "settings_moved"],
  },
  "POST /v1/hooks/:hook": {
    id: "sendEvent",
    summary: "Bring an event: the address is the one that was told at create",
    description:
      "Needs no key, but `webhook-id`, `webhook-timestamp` (within five minutes) and `webhook-signature` as Standard Webhooks says. Any body up to 1 MB; the thread sees the first 12 KB of it, as data. The same `webhook-id` again is the same event.",
    responses: {
      202: {
        description: "A worker takes it from here.",
        schema: z.object({ thread: z.string() }),
        headers: ["Idempotency-Replayed"],
      },
    },
    problems: [
      ...inboundWebhookNotFound,
      "signature_invalid",
      "body_too_large",
      "body_invalid",
      "content_type_unsupported",
      "request_timeout",
      "rate_limited",
      "thread_not_found",
      "idempotency_mismatch",
      "store_unavailable",
    ],
  },
};

const htmlBody = { schema: z.string(), type: "text/html" } as const;
const linkProblems = ["link_invalid", "gate_closed", "gate_expired", "thread_not_found", "store_unavailable"] as const;

const CONFIRM_LINKS: Readonly<Record<string, RouteDescription>> = {
  "GET /confirm/:token": {
    id: "showLink",
    summary: "What will happen, as a page. Looking at it changes nothing",
    description: "Problems are told as pages too.",
    responses: { 200: { description: "The page with its form.", ...htmlBody } },
    html_problems: true,
    problems: linkProblems,
  },
  "POST /confirm/:token": {
    id: "answerLink",
    summary: "Answer the gate with the form of the page",
    description:
      "Takes `decision` (approve, reject) and `reason` as a form. Stands in the record as `link:` and the name of the webhook.",
    responses: { 200: { description: "It is answered.", ...htmlBody } },
    html_problems: true,
    problems: [
      ...linkProblems,
      "request_invalid",
      "content_type_unsupported",
      "body_too_large",
      "digest_mismatch",
      "thread_moved",
      "turn_running",
      "tool_disabled",
      "tool_changed",
      "tool_denied",
    ],
  },
};

export const WEBHOOK_ROUTES: Readonly<Record<string, RouteDescription>> = {
  ...OUTGOING_WEBHOOKS,
  ...INBOUND_WEBHOOKS,
  ...CONFIRM_LINKS,
};
