// Hooks: addresses for outside systems. Kept in the tenant's settings; the address itself only as a hash.
import { isoTime } from "../../ports/clock.ts";
import { type TenantId as Tenant, TenantId } from "../../schema/ids.ts";
import type { Hook, HookInput, HookPatch, HookWhat } from "../../schema/jobs/webhook.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { createFlaw } from "../../threads/create.ts";
import { loadSettings } from "../../turn/load-settings.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { changeSettings } from "../change-settings.ts";
import { sameText } from "./same-text.ts";
import { makeSecret, makeToken, rotated } from "./secrets.ts";

const HOOKS_MAX = 50;
export const TOKEN_PREFIX = "hkt_";

/** Address and secret are told here and never again. */
export type Hooked = { readonly hook: Hook; readonly token: string; readonly secret: string };

export async function createHook(
  rt: Runtime,
  tenant: Tenant,
  actor: string,
  input: HookInput,
): Promise<Result<Hooked>> {
  const able = await canTake(rt, tenant, input.what);
  if (!able.ok) return able;
  const id = rt.ids.make("hok");
  // Whoever calls brings no key: the address says whose hook it is.
  const token = `${TOKEN_PREFIX}${tenant}.${id}.${makeToken(rt)}`;
  const secret = makeSecret(rt);
  const hook: Hook = {
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
    settings.hooks.length < HOOKS_MAX
      ? ok({ ...settings, hooks: [...settings.hooks, hook] })
      : fail("request_invalid", `A tenant has at most ${HOOKS_MAX} hooks.`),
  );
  return saved.ok ? ok({ hook, token, secret: secret.secret }) : saved;
}

/** What could never start is told now, not to the sender of an event. */
async function canTake(rt: Runtime, tenant: Tenant, what: HookWhat | undefined): Promise<Result<unknown>> {
  if (!what) return ok(undefined);
  if (what.kind === "thread") return createFlaw(rt, what.create as Parameters<typeof createFlaw>[1]) ?? ok(undefined);
  return rt.store.load({ tenant, thread: what.thread }, 1);
}

export async function listHooks(rt: Runtime, tenant: Tenant): Promise<Result<readonly Hook[]>> {
  const settings = await loadSettings(rt, tenant);
  return settings.ok ? ok(settings.value.hooks) : settings;
}

const notFound = () => fail("hook_not_found", "There is no such hook.");

export async function findHook(rt: Runtime, tenant: Tenant, id: string): Promise<Result<Hook>> {
  const listed = await listHooks(rt, tenant);
  if (!listed.ok) return listed;
  const found = listed.value.find((hook) => hook.id === id);
  return found ? ok(found) : notFound();
}

/** A wrong address and a hook that is switched off are told in the same words. */
export async function hookOfToken(rt: Runtime, token: string): Promise<Result<{ tenant: Tenant; hook: Hook }>> {
  const [, of, id = ""] = /^hkt_([a-z0-9_-]{1,63})\.(hok_[0-9a-z]{26})\.[0-9a-f]{64}$/.exec(token) ?? [];
  const tenant = TenantId.safeParse(of);
  if (!tenant.success) return notFound();
  const hook = await findHook(rt, tenant.data, id);
  if (!hook.ok) return hook;
  const known = sameText(hook.value.token_sha256, rt.hash.sha256(token));
  return known && hook.value.enabled ? ok({ tenant: tenant.data, hook: hook.value }) : notFound();
}

export async function changeHook(rt: Runtime, tenant: Tenant, id: string, change: HookPatch): Promise<Result<Hook>> {
  const able = await canTake(rt, tenant, change.what);
  return able.ok ? updateHook(rt, tenant, id, (held) => ({ ...held, ...change }) as Hook) : able;
}

/** The address stays; what was signed with the old secret is taken for `grace_s` longer. */
export async function rotateHook(
  rt: Runtime,
  tenant: Tenant,
  id: string,
  grace_s: number,
): Promise<Result<{ hook: Hook; secret: string }>> {
  const fresh = makeSecret(rt);
  const now = rt.clock.now();
  const hook = await updateHook(rt, tenant, id, (held) => ({
    ...held,
    secrets: rotated(held.secrets, fresh, now, grace_s),
  }));
  return hook.ok ? ok({ hook: hook.value, secret: fresh.secret }) : hook;
}

async function updateHook(
  rt: Runtime,
  tenant: Tenant,
  id: string,
  change: (hook: Hook) => Hook,
): Promise<Result<Hook>> {
  let changed: Hook | null = null;
  const saved = await changeSettings(rt, tenant, (settings) => {
    const held = settings.hooks.find((hook) => hook.id === id);
    if (!held) return notFound();
    const next = change(held);
    changed = next;
    return ok({ ...settings, hooks: settings.hooks.map((hook) => (hook.id === id ? next : hook)) });
  });
  if (!saved.ok) return saved;
  return changed ? ok(changed) : notFound();
}

export const removeHook = (rt: Runtime, tenant: Tenant, id: string): Promise<Result<void>> =>
  changeSettings(rt, tenant, (settings) => {
    const hooks = settings.hooks.filter((hook) => hook.id !== id);
    return hooks.length < settings.hooks.length ? ok({ ...settings, hooks }) : notFound();
  });
