// Manages the webhooks or the inbound webhooks in the tenant's settings, which are changed by compare-and-set.
import type { TenantId } from "../../schema/ids.ts";
import type { InboundWebhook, Webhook } from "../../schema/jobs/webhook.ts";
import { type Failed, ok, type Result } from "../../schema/problem.ts";
import { damagedIds, type Settings } from "../../schema/settings.ts";
import { loadSettings } from "../../turn/load-settings.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { changeSettings } from "../change-settings.ts";
import { createSigningSecret, rotateSecrets } from "./secrets.ts";

/** Called with the changed entry on each attempt, because others may change it in the meantime. */
export type Allow<T> = (after: T) => Result<unknown>;

export function ifAllowed<T>(allow: Allow<T>, after: T): Result<T> {
  const allowed = allow(after);
  return allowed.ok ? ok(after) : allowed;
}

type ListSpec<T> = {
  readonly name: "webhooks" | "hooks";
  readonly notFound: (id: string) => Failed;
  /** Returns the problem of a changed entry beside the others, or null. */
  readonly conflict?: (all: readonly T[], changed: T) => Failed | null;
};

export function settingsList<T extends Webhook | InboundWebhook>({ name, notFound, conflict }: ListSpec<T>) {
  const itemsOf = (settings: Settings) => settings[name] as readonly (Webhook | InboundWebhook)[] as readonly T[];
  const list = async (rt: Runtime, tenant: TenantId) => {
    const settings = await loadSettings(rt, tenant);
    return settings.ok ? ok({ items: itemsOf(settings.value), damaged: damagedIds(settings.value, name) }) : settings;
  };
  const find = async (rt: Runtime, tenant: TenantId, id: string): Promise<Result<T>> => {
    const listed = await list(rt, tenant);
    if (!listed.ok) return listed;
    const found = listed.value.items.find((item) => item.id === id);
    return found ? ok(found) : notFound(id);
  };
  const update = async (
    rt: Runtime,
    tenant: TenantId,
    id: string,
    change: (item: T) => Result<T>,
  ): Promise<Result<T>> => {
    let changed: T | null = null;
    const saved = await changeSettings(rt, tenant, (settings) => {
      const items = itemsOf(settings);
      const current = items.find((item) => item.id === id);
      if (!current) return notFound(id);
      const next = change(current);
      if (!next.ok) return next;
      changed = next.value;
      const replaced = items.map((item) => (item.id === id ? next.value : item));
      return conflict?.(items, next.value) ?? ok({ ...settings, [name]: replaced });
    });
    if (!saved.ok) return saved;
    return changed ? ok(changed) : notFound(id);
  };
  return {
    list,
    find,
    update,
    /** Replaces the signing secret. The old one stays valid for `grace_s` seconds. */
    async rotate(rt: Runtime, tenant: TenantId, id: string, grace_s: number, allow: Allow<T> = () => ok(undefined)) {
      const newSecret = createSigningSecret(rt);
      const now = rt.clock.now();
      const item = await update(rt, tenant, id, (current) =>
        ifAllowed(allow, { ...current, secrets: rotateSecrets(current.secrets, newSecret, now, grace_s) }),
      );
      return item.ok ? ok({ item: item.value, secret: newSecret.secret }) : item;
    },
    remove: (rt: Runtime, tenant: TenantId, id: string): Promise<Result<void>> =>
      changeSettings(rt, tenant, (settings) => {
        const items = itemsOf(settings);
        const others = items.filter((item) => item.id !== id);
        return others.length < items.length ? ok({ ...settings, [name]: others }) : notFound(id);
      }),
  };
}
