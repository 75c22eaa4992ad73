// Implements the schedule and webhook ports for tools with the same functions that HTTP uses.
import type { Fetcher } from "../ports/fetcher.ts";
import type { Schedules } from "../ports/schedules.ts";
import type { Triggers } from "../ports/triggers.ts";
import type { TenantId } from "../schema/ids.ts";
import { ScheduleId } from "../schema/jobs/schedule.ts";
import { fail, ok } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";
import { createSchedule, listSchedules, removeSchedule, validateSchedule } from "./schedules/schedules.ts";
import { postWebhook } from "./webhooks/post-webhook.ts";
import { listWebhooks } from "./webhooks/subscriptions.ts";

export const createSchedulesPort = (rt: Runtime): Schedules => ({
  check: (tenant, input) => validateSchedule(rt, tenant, input),
  async create(tenant, input) {
    const created = await createSchedule(rt, { tenant, ...input });
    return created.ok ? ok(created.value.schedule) : created;
  },
  async list(tenant) {
    const listed = await listSchedules(rt, tenant);
    return listed.ok ? ok(listed.value.schedules) : listed;
  },
  async remove(tenant, id) {
    const parsed = ScheduleId.safeParse(id);
    if (!parsed.success) return fail("schedule_not_found", "There is no such schedule.");
    return removeSchedule(rt, tenant, parsed.data);
  },
});

export function createTriggersPort(rt: Runtime, fetcher: Fetcher): Triggers {
  const enabledWebhooks = async (tenant: TenantId) => {
    const listed = await listWebhooks(rt, tenant);
    return listed.ok ? ok(listed.value.items.filter((webhook) => webhook.enabled && webhook.thread === null)) : listed;
  };
  return {
    async targets(tenant) {
      const webhooks = await enabledWebhooks(tenant);
      return webhooks.ok ? ok(webhooks.value.map(({ name }) => name)) : webhooks;
    },
    async send(tenant, { target, id, body, signal }) {
      const webhooks = await enabledWebhooks(tenant);
      if (!webhooks.ok) return webhooks;
      const webhook = webhooks.value.find(({ name }) => name === target);
      if (!webhook) return fail("webhook_not_found", `There is no webhook named ${target}.`);
      return postWebhook(rt, fetcher, webhook, { id, body, signal });
    },
  };
}
