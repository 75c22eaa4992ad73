// Handles queue messages, which name one delivery, and scheduler events, which process all due deliveries.
import * as z from "zod";
import { readDeliveryKey } from "../../adapters/store-dynamodb/keys.ts";
import { deliveryKind } from "../../jobs/delivery-kind.ts";
import { createDuePoller } from "../../jobs/due-poller.ts";
import { orderFairly } from "../../jobs/fair-queue.ts";
import { repairFarDue } from "../../jobs/schedules/far-due.ts";
import { selectRunnable } from "../../jobs/worker.ts";
import type { Delivery } from "../../ports/thread-store.ts";
import type { WorkLimits } from "../shared/work.ts";
import type { LambdaHost } from "./host.ts";

const SqsEvent = z.object({
  Records: z.array(z.object({ messageId: z.string(), eventSource: z.literal("aws:sqs"), body: z.string() })).min(1),
});
type SqsEvent = z.infer<typeof SqsEvent>;

/** An event of EventBridge rules or of EventBridge Scheduler, which use different source names. */
const SchedulerEvent = z.object({ source: z.enum(["aws.events", "aws.scheduler"]) });

export const isSqsEvent = (event: unknown): event is SqsEvent => SqsEvent.safeParse(event).success;
export const isSchedulerEvent = (event: unknown): boolean => SchedulerEvent.safeParse(event).success;

/** The messages that the queue must deliver again. */
export type SqsBatchResponse = { readonly batchItemFailures: readonly { readonly itemIdentifier: string }[] };

const StringAttribute = z.object({ S: z.string() });
/** A record of the table's stream. The pipe passes only the key of the delivery to the queue. */
const StreamRecord = z.object({ dynamodb: z.object({ Keys: z.object({ pk: StringAttribute, sk: StringAttribute }) }) });

/** Messages are handled concurrently, because most of the time is spent waiting for models. A run may use the whole invocation. */
export async function handleSqsBatch(host: LambdaHost, event: SqsEvent, until: number): Promise<SqsBatchResponse> {
  const done = await Promise.all(event.Records.map(({ body }) => handleSqsMessage(host, body, until)));
  const failed = event.Records.filter((_, n) => done[n] !== true);
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function handleSqsMessage(host: LambdaHost, body: string, until: number): Promise<boolean> {
  const key = parseDeliveryKey(body);
  // No delivery of this table. A message that fails becomes a dead letter, which an operator can inspect.
  if (key === null) return false;
  const waiting = await host.rt.store.deliveries(key.at, DUE_MAX, key.id);
  if (!waiting.ok) return false;
  const due = waiting.value.find(({ id }) => id === key.id);
  // The delivery may be done already, may be due later, or may need more time than is left. In the last two cases the
  // scheduler finds it within a minute, whereas the queue would redeliver the message much later and count a failure.
  if (!due || due.due_at > host.rt.clock.now() || !hasTimeFor(host, due, until)) return true;
  return tryDelivery(host, due, { until, slice_turns: Number.POSITIVE_INFINITY });
}

function parseDeliveryKey(body: string) {
  try {
    const message = StreamRecord.safeParse(JSON.parse(body));
    if (!message.success) return null;
    const { pk, sk } = message.data.dynamodb.Keys;
    return readDeliveryKey({ pk: pk.S, sk: sk.S });
  } catch {
    return null;
  }
}

const DUE_MAX = 500;

/** Works as a server's job worker does: fairly between tenants and a few deliveries at a time, until the time runs out. */
export async function handleSchedulerEvent(host: LambdaHost, until: number): Promise<{ readonly worked: number }> {
  const { rt, jobs, log } = host;
  // The repair reads all waiting deliveries, so it runs only once an hour.
  if (new Date(rt.clock.now()).getUTCMinutes() === 0)
    await repairFarDue(rt, { lease_ms: rt.config.turn_deadline_ms + jobs.lease_ms });
  const due = await rt.store.dueDeliveries(rt.clock.now(), DUE_MAX);
  if (!due.ok) throw new Error(`${due.problem.code}: ${due.problem.message}`);
  // The list is limited, so a tenant with many deliveries could hide those of others. The poller searches fairly.
  const found = due.value.length < DUE_MAX ? due.value : await createDuePoller(rt).poll();
  let remaining = orderFairly(found);
  const inProgress = new Map<Delivery, Promise<void>>();
  let worked = 0;
  const start = (one: Delivery): void => {
    const done = tryDelivery(host, one, { until, slice_turns: jobs.slice_turns }).then((succeeded) => {
      inProgress.delete(one);
      if (succeeded) worked += 1;
    });
    inProgress.set(one, done);
  };
  for (;;) {
    // A delivery that no longer fits into the remaining time is left for the next scheduled event.
    remaining = remaining.filter((one) => hasTimeFor(host, one, until));
    const startable = new Set(selectRunnable(remaining, [...inProgress.keys()], jobs.concurrency));
    for (const one of startable) start(one);
    remaining = remaining.filter((one) => !startable.has(one));
    if (inProgress.size === 0) break;
    await Promise.race(inProgress.values());
  }
  log.info({ msg: "due", found: found.length, worked });
  return { worked };
}

/** A webhook's endpoint has fifteen seconds to respond, and the response must then be recorded. */
const WEBHOOK_MS = 25_000;

/** A delivery other than a webhook needs time for one turn. */
function hasTimeFor({ rt }: LambdaHost, due: Delivery, until: number): boolean {
  const required_ms = deliveryKind(due) === "webhook" ? WEBHOOK_MS : rt.config.turn_deadline_ms;
  return rt.clock.now() + required_ms <= until;
}

/** False after a bug, which must not stop the other deliveries. This one is attempted again when its lease expires. */
async function tryDelivery({ workOn, log }: LambdaHost, due: Delivery, limits: WorkLimits): Promise<boolean> {
  try {
    await workOn(due, limits);
    return true;
  } catch (error) {
    log.error({ msg: "bug", delivery: due.id, thread: due.thread, error: String(error) });
    return false;
  }
}
