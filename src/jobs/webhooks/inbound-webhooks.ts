// Manages inbound webhooks: URLs for external systems. They are stored in the tenant's settings, with only a hash of the token in the URL.
import { isoTime } from "../../ports/clock.ts";
import { constantTimeEqual } from "../../ports/hash.ts";
import { type TenantId as Tenant, TenantId } from "../../schema/ids.ts";
import type {
  InboundWebhook,
  InboundWebhookAction,
  InboundWebhookInput,
  InboundWebhookPatch,
} from "../../schema/jobs/webhook.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { validateCreate } from "../../threads/create.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { changeSettings } from "../change-settings.ts";
import { createSigningSecret, createToken } from "./secrets.ts";
import { type Allow, ifAllowed, settingsList } from "./settings-list.ts";

const INBOUND_WEBHOOKS_MAX = 50;
export const TOKEN_PREFIX = "hkt_";

/** Token and secret are returned here once and never again. */
export type CreatedInboundWebhook = { readonly hook: InboundWebhook; readonly token: string; readonly secret: string };

export async function createInboundWebhook(
  rt: Runtime,
  tenant: Tenant,
  actor: string,
  input: InboundWebhookInput,
): Promise<Result<CreatedInboundWebhook>> {
  const valid = await validateTarget(rt, tenant, input.what);
  if (!valid.ok) return valid;
  const id = rt.ids.make("hok");
  // The sender has no API key: the token identifies the tenant and the inbound webhook.
  const token = `${TOKEN_PREFIX}${tenant}.${id}.${createToken(rt)}`;
  const secret = createSigningSecret(rt);
  const hook: InboundWebhook = {
    id,
    name: input.name,
    what: input.what,
    enabled: input.enabled ?? true,
    created_at: isoTime(rt.clock.now()),
    created_by: actor,
    token_sha256: rt.hash.sha256(token),
    secrets: [secret],
  };
  const saved = await changeSettings(rt, tenant, (settings) =>
    settings.hooks.length < INBOUND_WEBHOOKS_MAX
      ? ok({ ...settings, hooks: [...settings.hooks, hook] })
      : fail("request_invalid", `A tenant has at most ${INBOUND_WEBHOOKS_MAX} inbound webhooks.`),
  );
  return saved.ok ? ok({ hook, token, secret: secret.secret }) : saved;
}

/** Checked on create. Otherwise only the sender of an event would learn that it can never be accepted. */
async function validateTarget(
  rt: Runtime,
  tenant: Tenant,
  what: InboundWebhookAction | undefined,
): Promise<Result<unknown>> {
  if (!what) return ok(undefined);
  if (what.kind === "thread")
    return validateCreate(rt, what.create as Parameters<typeof validateCreate>[1]) ?? ok(undefined);
  return rt.store.load({ tenant, thread: what.thread }, 1);
}

const notFound = () => fail("hook_not_found", "There is no such inbound webhook.");

const inboundWebhooks = settingsList<InboundWebhook>({ name: "hooks", notFound });

/** A rotation keeps the URL. For a time, signatures with the old secret are accepted, too. */
export const {
  list: listInboundWebhooks,
  find: findInboundWebhook,
  rotate: rotateInboundWebhook,
  remove: removeInboundWebhook,
} = inboundWebhooks;

/** The message is the same for a wrong token and for a disabled inbound webhook. */
export async function findInboundWebhookByToken(
  rt: Runtime,
  token: string,
): Promise<Result<{ tenant: Tenant; hook: InboundWebhook }>> {
  const [, tenantText, id = ""] = /^hkt_([a-z0-9_-]{1,63})\.(hok_[0-9a-z]{26})\.[0-9a-f]{64}$/.exec(token) ?? [];
  const tenant = TenantId.safeParse(tenantText);
  if (!tenant.success) return notFound();
  const hook = await findInboundWebhook(rt, tenant.data, id);
  if (!hook.ok) return hook;
  const matches = constantTimeEqual(hook.value.token_sha256, rt.hash.sha256(token));
  return matches && hook.value.enabled ? ok({ tenant: tenant.data, hook: hook.value }) : notFound();
}

export async function changeInboundWebhook(
  rt: Runtime,
  tenant: Tenant,
  id: string,
  change: InboundWebhookPatch,
  allow: Allow<InboundWebhook> = () => ok(undefined),
): Promise<Result<InboundWebhook>> {
  const valid = await validateTarget(rt, tenant, change.what);
  if (!valid.ok) return valid;
  const changed = (current: InboundWebhook) => ifAllowed(allow, { ...current, ...change } as InboundWebhook);
  return inboundWebhooks.update(rt, tenant, id, changed);
}
