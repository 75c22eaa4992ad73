// Hooks: addresses by which outside systems bring events, and the events themselves. Address and secret are told once.
import {
  changeHook,
  createHook,
  findHook,
  hookOfToken,
  listHooks,
  removeHook,
  rotateHook,
} from "../../jobs/webhooks/hooks.ts";
import { receiveEvent } from "../../jobs/webhooks/receive.ts";
import { GRACE_S } from "../../jobs/webhooks/secrets.ts";
import { type Hook, HookInput, HookPatch } from "../../schema/jobs/webhook.ts";
import { readBody, readText } from "../edge/body.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { turnCall } from "../turn-call.ts";
import { Rotate, secretsView } from "./webhooks.ts";

const view = ({ token_sha256: _, ...hook }: Hook) => ({ ...hook, secrets: secretsView(hook.secrets) });
const idOf = (c: Ctx): string => c.req.param("hook") ?? "";

export async function postHook(c: Ctx): Promise<Response> {
  const { tenant, name } = c.get("caller");
  const body = await readBody(c, HookInput);
  if (!body.ok) return respondProblem(c, body.problem);
  const created = await createHook(c.get("options").rt, tenant, name, body.value);
  if (!created.ok) return respondProblem(c, created.problem);
  const { hook, token, secret } = created.value;
  c.header("location", `/v1/hooks/${hook.id}`);
  return c.json({ hook: view(hook), path: `/v1/hooks/${token}`, secret }, 201);
}

export async function getHooks(c: Ctx): Promise<Response> {
  const listed = await listHooks(c.get("options").rt, c.get("caller").tenant);
  return listed.ok ? c.json({ hooks: listed.value.map(view) }) : respondProblem(c, listed.problem);
}

export async function getHook(c: Ctx): Promise<Response> {
  const found = await findHook(c.get("options").rt, c.get("caller").tenant, idOf(c));
  return found.ok ? c.json({ hook: view(found.value) }) : respondProblem(c, found.problem);
}

export async function patchHook(c: Ctx): Promise<Response> {
  const body = await readBody(c, HookPatch);
  if (!body.ok) return respondProblem(c, body.problem);
  const changed = await changeHook(c.get("options").rt, c.get("caller").tenant, idOf(c), body.value);
  return changed.ok ? c.json({ hook: view(changed.value) }) : respondProblem(c, changed.problem);
}

export async function deleteHook(c: Ctx): Promise<Response> {
  const removed = await removeHook(c.get("options").rt, c.get("caller").tenant, idOf(c));
  return removed.ok ? c.body(null, 204) : respondProblem(c, removed.problem);
}

export async function postHookRotate(c: Ctx): Promise<Response> {
  const body = await readBody(c, Rotate);
  if (!body.ok) return respondProblem(c, body.problem);
  const { rt } = c.get("options");
  const rotated = await rotateHook(rt, c.get("caller").tenant, idOf(c), body.value.grace_s ?? GRACE_S);
  if (!rotated.ok) return respondProblem(c, rotated.problem);
  return c.json({ hook: view(rotated.value.hook), secret: rotated.value.secret });
}

/** An event: the address and the signature are all that its sender has to show. */
export async function postEvent(c: Ctx): Promise<Response> {
  const options = c.get("options");
  const known = await hookOfToken(options.rt, idOf(c));
  if (!known.ok) return respondProblem(c, known.problem);
  const { tenant, hook } = known.value;
  const bearable = options.rate_limit(`${tenant}/hook:${hook.id}`, options.rt.clock.now());
  if (!bearable.ok) return respondProblem(c, bearable.problem);
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
    call: (at) => ({ ...turnCall(options, sender, at, { input: null }), last_turn: true }),
  });
  if (!received.ok) return respondProblem(c, received.problem);
  if (received.value.repeated) c.header("idempotency-replayed", "true");
  return c.json({ thread: received.value.thread }, 202);
}
