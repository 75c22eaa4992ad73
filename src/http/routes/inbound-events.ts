// Routes that list the events that an inbound webhook has received, and that process one of them again.
import * as z from "zod";
import { eventLog } from "../../jobs/webhooks/event-log.ts";
import { findInboundWebhook } from "../../jobs/webhooks/inbound-webhooks.ts";
import { redeliverEvent } from "../../jobs/webhooks/receive-event.ts";
import { fail } from "../../schema/problem.ts";
import type { Ctx } from "../env.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type Route, route } from "../route.ts";
import { allowChange, inboundWebhookParam, notFound, PATH, requestOf } from "./inbound-webhooks.ts";

export const inboundEventRoutes: readonly Route[] = [
  route(["get", `${PATH}/:hook/events`, "admin"], getInboundEvents, {
    id: "listInboundEvents",
    summary: "List the newest hundred events of an inbound webhook, also refused ones",
    responses: { 200: { description: "Newest first.", schema: "InboundEventList" } },
    problems: notFound,
  }),
  route(["post", `${PATH}/:hook/events/:event/redeliver`, "admin"], postInboundRedeliver, {
    id: "redeliverInboundEvent",
    summary: "Process an event of the log again",
    description: "As a new event: it starts another thread, or sends its message again.",
    responses: { 202: { description: "The event was accepted.", schema: z.object({ thread: z.string() }) } },
    problems: [...notFound, "delivery_not_found", "thread_not_found", "signature_invalid"],
  }),
];

async function getInboundEvents(c: Ctx): Promise<Answer> {
  const { rt } = c.get("options");
  const { tenant } = c.get("caller");
  const hook = await findInboundWebhook(rt, tenant, inboundWebhookParam(c));
  const events = hook.ok ? await eventLog(rt, tenant, hook.value.id) : hook;
  return events.ok ? respondJson(c, { events: events.value }) : events;
}

async function postInboundRedeliver(c: Ctx): Promise<Answer> {
  const options = c.get("options");
  const { tenant } = c.get("caller");
  const found = await findInboundWebhook(options.rt, tenant, inboundWebhookParam(c));
  if (!found.ok) return found;
  if (!found.value.enabled) return fail("hook_not_found", "This inbound webhook is disabled and accepts no events.");
  const allowed = allowChange(c)(found.value);
  if (!allowed.ok) return allowed;
  const inbound = { tenant, hook: found.value, turnRequest: requestOf(options, found.value) };
  const received = await redeliverEvent(options.rt, inbound, c.req.param("event") ?? "");
  return received.ok ? respondJson(c, { thread: received.value.thread }, 202) : received;
}
