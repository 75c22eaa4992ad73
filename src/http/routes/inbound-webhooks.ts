// Hooks: addresses by which outside systems bring events, and the events themselves. Address and secret are told once.
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
import { type InboundWebhook, InboundWebhookInput, InboundWebhookPatch } from "../../schema/jobs/webhook.ts";
import { readBody, readText } from "../edge/body.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { createTurnRequest } from "../turn-request.ts";
import { RotateBody, secretsView } from "./webhooks.ts";

const inboundWebhookView = ({ token_sha256: _, ...hook }: InboundWebhook) => ({
  ...hook,
  secrets: secretsView(hook.secrets),
});
const inboundWebhookParam = (c: Ctx): string => c.req.param("hook") ?? "";

export async function postInboundWebhook(c: Ctx): Promise<Response> {
  const { tenant, name } = c.get("caller");
  const body = await readBody(c, InboundWebhookInput);
  if (!body.ok) return respondProblem(c, body.problem);
  const created = await createInboundWebhook(c.get("options").rt, tenant, name, body.value);
  if (!created.ok) return respondProblem(c, created.problem);
  const { hook, token, secret } = created.value;
  c.header("location", `/v1/hooks/${hook.id}`);
  return c.json({ hook: inboundWebhookView(hook), path: `/v1/hooks/${token}`, secret }, 201);
}

export async function getInboundWebhooks(c: Ctx): Promise<Response> {
  const listed = await listInboundWebhooks(c.get("options").rt, c.get("caller").tenant);
  return listed.ok ? c.json({ hooks: listed.value.map(inboundWebhookView) }) : respondProblem(c, listed.problem);
}

export async function getInboundWebhook(c: Ctx): Promise<Response> {
  const found = await findInboundWebhook(c.get("options").rt, c.get("caller").tenant, inboundWebhookParam(c));
  return found.ok ? c.json({ hook: inboundWebhookView(found.value) }) : respondProblem(c, found.problem);
}

export async function patchInboundWebhook(c: Ctx): Promise<Response> {
  const body = await readBody(c, InboundWebhookPatch);
  if (!body.ok) return respondProblem(c, body.problem);
  const changed = await changeInboundWebhook(
    c.get("options").rt,
    c.get("caller").tenant,
    inboundWebhookParam(c),
    body.value,
  );
  return changed.ok ? c.json({ hook: inboundWebhookView(changed.value) }) : respondProblem(c, changed.problem);
}

export async function deleteInboundWebhook(c: Ctx): Promise<Response> {
  const removed = await removeInboundWebhook(c.get("options").rt, c.get("caller").tenant, inboundWebhookParam(c));
  return removed.ok ? c.body(null, 204) : respondProblem(c, removed.problem);
}

export async function postInboundWebhookRotate(c: Ctx): Promise<Response> {
  const body = await readBody(c, RotateBody);
  if (!body.ok) return respondProblem(c, body.problem);
  const { rt } = c.get("options");
  const rotated = await rotateInboundWebhook(
    rt,
    c.get("caller").tenant,
    inboundWebhookParam(c),
    body.value.grace_s ?? DEFAULT_GRACE_S,
  );
  if (!rotated.ok) return respondProblem(c, rotated.problem);
  return c.json({ hook: inboundWebhookView(rotated.value.hook), secret: rotated.value.secret });
}

/** An event: the address and the signature are all that its sender has to show. */
export async function postInboundEvent(c: Ctx): Promise<Response> {
  const options = c.get("options");
  const found = await findInboundWebhookByToken(options.rt, inboundWebhookParam(c));
  if (!found.ok) return respondProblem(c, found.problem);
  const { tenant, hook } = found.value;
  const rateCheck = options.rate_limit(`${tenant}/hook:${hook.id}`, options.rt.clock.now());
  if (!rateCheck.ok) return respondProblem(c, rateCheck.problem);
  const body = await readText(c);
  if (!body.ok) return respondProblem(c, body.problem);
  const sender = { tenant, name: `hook:${hook.name}`, scopes: new Set<never>() };
  const received = await receiveEvent(options.rt, {
    tenant,
    hook,
    body: body.value,
    headers: {
      id: c.req.header("webhook-id"),
      timestamp: c.req.header("webhook-timestamp"),
      signature: c.req.header("webhook-signature"),
    },
    turnRequest: (at) => ({ ...createTurnRequest(options, sender, at, { input: null }), last_turn: true }),
  });
  if (!received.ok) return respondProblem(c, received.problem);
  if (received.value.replayed) c.header("idempotency-replayed", "true");
  return c.json({ thread: received.value.thread }, 202);
}
