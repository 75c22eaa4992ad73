// The routes of webhooks, hooks and links, described.
import { z } from "zod";
import { HookInput, HookPatch, WebhookInput, WebhookPatch } from "../../schema/jobs/webhook.ts";
import { Redeliver, Rotate } from "../routes/webhooks.ts";
import {
  DeliveryList,
  HookBody,
  HookList,
  HookSecretBody,
  NewHookBody,
  WebhookBody,
  WebhookList,
  WebhookSecretBody,
} from "./bodies.ts";
import type { Operation } from "./operation.ts";

const unknownWebhook = ["webhook_not_found"] as const;
const unknownHook = ["hook_not_found"] as const;
const address = ["blocked_address", "fetch_failed"] as const;

const WEBHOOKS: Readonly<Record<string, Operation>> = {
  "POST /v1/webhooks": {
    id: "createWebhook",
    summary: "Be told of events: a signed POST for each, at least once",
    says: "Signed as Standard Webhooks says. The secret is told here and never again. `thread`: of this thread only. `links` lets `gate.opened` carry a link by which the gate is answered, and needs the scope `confirm`.",
    body: WebhookInput,
    example: { name: "desk", url: "https://example.com/hook", events: ["gate.opened", "run.delivered"] },
    answers: { 201: { says: "The webhook and its secret.", schema: WebhookSecretBody, headers: ["Location"] } },
    problems: [...address, "thread_not_found", "settings_moved"],
  },
  "GET /v1/webhooks": {
    id: "listWebhooks",
    summary: "The webhooks of the tenant",
    answers: { 200: { says: "All of them, without secrets.", schema: WebhookList } },
  },
  "GET /v1/webhooks/:webhook": {
    id: "getWebhook",
    summary: "One webhook",
    answers: { 200: { says: "The webhook, without secrets.", schema: WebhookBody } },
    problems: unknownWebhook,
  },
  "PATCH /v1/webhooks/:webhook": {
    id: "changeWebhook",
    summary: "Change a webhook, or switch it off and on",
    body: WebhookPatch,
    example: { enabled: false },
    answers: { 200: { says: "The webhook as it is now.", schema: WebhookBody } },
    problems: [...unknownWebhook, ...address, "settings_moved"],
  },
  "DELETE /v1/webhooks/:webhook": {
    id: "deleteWebhook",
    summary: "Remove a webhook; what waits for it is dropped, and its links are void",
    answers: { 204: { says: "Gone.", schema: null } },
    problems: [...unknownWebhook, "settings_moved"],
  },
  "POST /v1/webhooks/:webhook/rotate": {
    id: "rotateWebhook",
    summary: "A new secret; the old one signs along for `grace_s` (a day unless said)",
    body: Rotate,
    example: { grace_s: 3600 },
    answers: { 200: { says: "The webhook and its new secret.", schema: WebhookSecretBody } },
    problems: [...unknownWebhook, "settings_moved"],
  },
  "GET /v1/webhooks/:webhook/deliveries": {
    id: "listDeliveries",
    summary: "What became of the newest hundred deliveries",
    answers: { 200: { says: "Newest first.", schema: DeliveryList } },
    problems: unknownWebhook,
  },
  "POST /v1/webhooks/:webhook/redeliver": {
    id: "redeliver",
    summary: "Send a delivery once more, under the same id",
    body: Redeliver,
    example: { delivery: "dlv_00000000000000000000000000" },
    answers: { 202: { says: "It waits to be sent.", schema: z.object({ delivery: z.string() }) } },
    problems: [...unknownWebhook, "delivery_not_found", "thread_not_found"],
  },
};

const HOOKS: Readonly<Record<string, Operation>> = {
  "POST /v1/hooks": {
    id: "createHook",
    summary: "An address for the events of another system",
    says: "Address and secret are told here and never again. An event becomes a message to a thread, or a thread of its own, and a worker goes on from there.",
    body: HookInput,
    example: { name: "payments", what: { kind: "thread", create: { goal: "A payment came in. File it." } } },
    answers: { 201: { says: "The hook, its address and its secret.", schema: NewHookBody, headers: ["Location"] } },
    problems: ["thread_not_found", "tool_unknown", "input_too_large", "settings_moved"],
  },
  "GET /v1/hooks": {
    id: "listHooks",
    summary: "The hooks of the tenant",
    answers: { 200: { says: "All of them, without addresses and secrets.", schema: HookList } },
  },
  "GET /v1/hooks/:hook": {
    id: "getHook",
    summary: "One hook",
    answers: { 200: { says: "The hook, without address and secrets.", schema: HookBody } },
    problems: unknownHook,
  },
  "PATCH /v1/hooks/:hook": {
    id: "changeHook",
    summary: "Change a hook, or switch it off and on",
    body: HookPatch,
    example: { enabled: false },
    answers: { 200: { says: "The hook as it is now.", schema: HookBody } },
    problems: [...unknownHook, "thread_not_found", "tool_unknown", "input_too_large", "settings_moved"],
  },
  "DELETE /v1/hooks/:hook": {
    id: "deleteHook",
    summary: "Remove a hook; its address is void",
    answers: { 204: { says: "Gone.", schema: null } },
    problems: [...unknownHook, "settings_moved"],
  },
  "POST /v1/hooks/:hook/rotate": {
    id: "rotateHook",
    summary: "A new secret; the old one is taken for `grace_s` longer (a day unless said)",
    body: Rotate,
    example: { grace_s: 3600 },
    answers: { 200: { says: "The hook and its new secret.", schema: HookSecretBody } },
    problems: [...unknownHook, "settings_moved"],
  },
  "POST /v1/hooks/:hook": {
    id: "sendEvent",
    summary: "Bring an event: the address is the one that was told at create",
    says: "Needs no key, but `webhook-id`, `webhook-timestamp` (within five minutes) and `webhook-signature` as Standard Webhooks says. Any body up to 1 MB; the thread sees the first 12 KB of it, as data. The same `webhook-id` again is the same event.",
    answers: {
      202: {
        says: "A worker takes it from here.",
        schema: z.object({ thread: z.string() }),
        headers: ["Idempotency-Replayed"],
      },
    },
    problems: [
      ...unknownHook,
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

const page = { schema: z.string(), type: "text/html" } as const;
const linkProblems = ["link_invalid", "gate_closed", "gate_expired", "thread_not_found", "store_unavailable"] as const;

const LINKS: Readonly<Record<string, Operation>> = {
  "GET /confirm/:token": {
    id: "showLink",
    summary: "What will happen, as a page. Looking at it changes nothing",
    says: "Problems are told as pages too.",
    answers: { 200: { says: "The page with its form.", ...page } },
    pages: true,
    problems: linkProblems,
  },
  "POST /confirm/:token": {
    id: "answerLink",
    summary: "Answer the gate with the form of the page",
    says: "Takes `decision` (approve, reject) and `reason` as a form. Stands in the record as `link:` and the name of the webhook.",
    answers: { 200: { says: "It is answered.", ...page } },
    pages: true,
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

export const WEBHOOK_OPERATIONS: Readonly<Record<string, Operation>> = { ...WEBHOOKS, ...HOOKS, ...LINKS };
