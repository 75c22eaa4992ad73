// Routes that manage inbound webhooks and receive their events. A webhook's token and secret are shown once.
import * as z from "zod";
import {
  changeInboundWebhook,
  createInboundWebhook,
  findInboundWebhook,
  findInboundWebhookByToken,
  listInboundWebhooks,
  removeInboundWebhook,
  rotateInboundWebhook,
} from "../../jobs/webhooks/inbound-webhooks.ts";
import { receiveEvent } from "../../jobs/webhooks/receive-event.ts";
import { DEFAULT_GRACE_S } from "../../jobs/webhooks/secrets.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { type InboundWebhook, InboundWebhookInput, InboundWebhookPatch } from "../../schema/jobs/webhook.ts";
import type { Result } from "../../schema/problem.ts";
import { requireApprovalRight } from "../edge/approval-right.ts";
import { readText } from "../edge/body.ts";
import type { Ctx } from "../env.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type ReadBody, type Route, route } from "../route.ts";
import { createTurnRequest } from "../turn-request.ts";
import { RotateBody, secretsView } from "./webhooks.ts";

export const PATH = "/v1/inbound-webhooks";
/** The path of these routes in 0.1. */
const OLD_PATH = "/v1/hooks";
export const notFound = ["hook_not_found"] as const;

const CURRENT: readonly Route[] = [
  route(["post", PATH, "admin"], postInboundWebhook, {
    id: "createInboundWebhook",
    summary: "Create a URL to which another system sends events",
    description:
      "The URL and the secret are shown here and never again. An event becomes a message to a thread, or starts a thread, and a job worker continues from there. Client tools that are trusted more than by default need the scope `confirm`.",
    body: InboundWebhookInput,
    example: { name: "payments", what: { kind: "thread", create: { goal: "A payment came in. File it." } } },
    responses: {
      201: {
        description: "The inbound webhook, its path and its secret.",
        schema: "NewInboundWebhookBody",
        headers: ["Location"],
      },
    },
    problems: ["thread_not_found", "tool_unknown", "input_too_large", "settings_moved"],
  }),
  route(["get", PATH, "admin"], getInboundWebhooks, {
    id: "listInboundWebhooks",
    summary: "List the inbound webhooks of the tenant",
    responses: { 200: { description: "All of them, without tokens and secrets.", schema: "InboundWebhookList" } },
  }),
  route(["get", `${PATH}/:hook`, "admin"], getInboundWebhook, {
    id: "getInboundWebhook",
    summary: "Show an inbound webhook",
    responses: { 200: { description: "The webhook, without token and secrets.", schema: "InboundWebhookBody" } },
    problems: notFound,
  }),
  route(["patch", `${PATH}/:hook`, "admin"], patchInboundWebhook, {
    id: "changeInboundWebhook",
    summary: "Change an inbound webhook, or switch it on or off",
    body: InboundWebhookPatch,
    example: { enabled: false },
    responses: { 200: { description: "The webhook after the change.", schema: "InboundWebhookBody" } },
    problems: [...notFound, "thread_not_found", "tool_unknown", "input_too_large", "settings_moved"],
  }),
  route(["delete", `${PATH}/:hook`, "admin"], deleteInboundWebhook, {
    id: "deleteInboundWebhook",
    summary: "Remove an inbound webhook; its URL stops working",
    responses: { 204: { description: "The webhook was removed.", schema: null } },
    problems: [...notFound, "settings_moved"],
  }),
  route(["post", `${PATH}/:hook/rotate`, "admin"], postInboundWebhookRotate, {
    id: "rotateInboundWebhook",
    summary: "Create a new secret; the old one is accepted for `grace_s` seconds more (one day by default)",
    body: RotateBody,
    example: { grace_s: 3600 },
    responses: { 200: { description: "The webhook and its new secret.", schema: "InboundWebhookSecretBody" } },
    problems: [...notFound, "settings_moved"],
  }),
  route(["post", `${PATH}/:hook`, null], postInboundEvent, {
    id: "sendInboundEvent",
    summary: "Send an event to the path that was shown at creation",
    description:
      "Needs no key, but the headers `webhook-id`, `webhook-timestamp` (within five minutes) and `webhook-signature` of Standard Webhooks. Any body up to 1 MB; the thread gets its first 12 KB as data. A repeated `webhook-id` is the same event.",
    responses: {
      202: {
        description: "The event was accepted; a job worker continues.",
        schema: z.object({ thread: z.string() }),
        headers: ["Idempotency-Replayed"],
      },
    },
    problems: [
      ...notFound,
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
  }),
];

/** Operation ids of 0.1, which generated clients use as method names. */
const OLD_IDS: Readonly<Record<string, string>> = {
  createInboundWebhook: "createHook",
  listInboundWebhooks: "listHooks",
  getInboundWebhook: "getHook",
  changeInboundWebhook: "changeHook",
  deleteInboundWebhook: "deleteHook",
  rotateInboundWebhook: "rotateHook",
  sendInboundEvent: "sendEvent",
};

const toOldRoute = ({ openapi, path, ...rest }: Route): Route => ({
  ...rest,
  path: path.replace(PATH, OLD_PATH),
  openapi: openapi && {
    ...openapi,
    id: OLD_IDS[openapi.id] ?? openapi.id,
    description: `Alias of the route below ${PATH}. ${openapi.description ?? ""}`.trim(),
    deprecated: true,
  },
});

export const inboundWebhookRoutes: readonly Route[] = [...CURRENT, ...CURRENT.map(toOldRoute)];

const inboundWebhookView = ({ token_sha256: _, ...hook }: InboundWebhook) => ({
  ...hook,
  secrets: secretsView(hook.secrets),
});
export const inboundWebhookParam = (c: Ctx): string => c.req.param("hook") ?? "";

/** Tools that need no approval or are trusted more than the default remove approvals in every thread that an event starts. */
export const allowChange =
  (c: Ctx, change?: InboundWebhookPatch) =>
  (hook: Pick<InboundWebhook, "what">): Result<unknown> =>
    requireApprovalRight(c.get("caller"), { kind: "inbound", hook, ...(change ? { change } : {}) });

async function postInboundWebhook(c: Ctx, { body }: ReadBody<typeof InboundWebhookInput>): Promise<Answer> {
  const { tenant, name } = c.get("caller");
  const allowed = allowChange(c)(body as Pick<InboundWebhook, "what">);
  if (!allowed.ok) return allowed;
  const created = await createInboundWebhook(c.get("options").rt, tenant, name, body);
  if (!created.ok) return created;
  const { hook, token, secret } = created.value;
  const base = new URL(c.req.url).pathname.startsWith(OLD_PATH) ? OLD_PATH : PATH;
  const headers = { location: `${base}/${hook.id}` };
  return respondJson(c, { hook: inboundWebhookView(hook), path: `${base}/${token}`, secret }, 201, headers);
}

async function getInboundWebhooks(c: Ctx): Promise<Answer> {
  const listed = await listInboundWebhooks(c.get("options").rt, c.get("caller").tenant);
  if (!listed.ok) return listed;
  const { items, damaged } = listed.value;
  return respondJson(c, { hooks: items.map(inboundWebhookView), ...(damaged.length > 0 ? { damaged } : {}) });
}

async function getInboundWebhook(c: Ctx): Promise<Answer> {
  const found = await findInboundWebhook(c.get("options").rt, c.get("caller").tenant, inboundWebhookParam(c));
  return found.ok ? respondJson(c, { hook: inboundWebhookView(found.value) }) : found;
}

async function patchInboundWebhook(c: Ctx, { body }: ReadBody<typeof InboundWebhookPatch>): Promise<Answer> {
  const changed = await changeInboundWebhook(
    c.get("options").rt,
    c.get("caller").tenant,
    inboundWebhookParam(c),
    body,
    allowChange(c, body),
  );
  return changed.ok ? respondJson(c, { hook: inboundWebhookView(changed.value) }) : changed;
}

async function deleteInboundWebhook(c: Ctx): Promise<Answer> {
  const removed = await removeInboundWebhook(c.get("options").rt, c.get("caller").tenant, inboundWebhookParam(c));
  return removed.ok ? c.body(null, 204) : removed;
}

async function postInboundWebhookRotate(c: Ctx, { body }: ReadBody<typeof RotateBody>): Promise<Answer> {
  const { rt } = c.get("options");
  const rotated = await rotateInboundWebhook(
    rt,
    c.get("caller").tenant,
    inboundWebhookParam(c),
    body.grace_s ?? DEFAULT_GRACE_S,
    allowChange(c),
  );
  if (!rotated.ok) return rotated;
  return respondJson(c, { hook: inboundWebhookView(rotated.value.item), secret: rotated.value.secret });
}

/** The token in the path and the signature authenticate the sender. */
async function postInboundEvent(c: Ctx): Promise<Answer> {
  const options = c.get("options");
  const found = await findInboundWebhookByToken(options.rt, inboundWebhookParam(c));
  if (!found.ok) return found;
  const { tenant, hook } = found.value;
  const rateCheck = options.rate_limit(`${tenant}/hook:${hook.id}`, options.rt.clock.now());
  if (!rateCheck.ok) return rateCheck;
  const body = await readText(c);
  if (!body.ok) return body;
  const received = await receiveEvent(options.rt, {
    tenant,
    hook,
    body: body.value,
    headers: {
      id: c.req.header("webhook-id"),
      timestamp: c.req.header("webhook-timestamp"),
      signature: c.req.header("webhook-signature"),
    },
    turnRequest: requestOf(options, hook),
  });
  if (!received.ok) return received;
  const { thread, replayed } = received.value;
  return respondJson(c, { thread }, 202, replayed ? { "idempotency-replayed": "true" } : {});
}

/** The turns of an event are recorded with the name of the webhook as their caller. */
export const requestOf = (options: Ctx["var"]["options"], hook: InboundWebhook) => (at: ThreadRef) =>
  createTurnRequest(options, { name: `hook:${hook.name}` }, at, { input: null });
