// Events that are no requests: messages that some delivery was put, and the clock that asks for all that are due.
import { z } from "zod";
import { readDeliveryKey } from "../adapters/store-dynamodb/keys.ts";
import { fairly } from "../jobs/fair.ts";
import type { Delivery } from "../ports/thread-store.ts";
import type { LambdaHost } from "./lambda-host.ts";
import { workOn } from "./lambda-work.ts";

const SqsEvent = z.object({
  Records: z.array(z.object({ messageId: z.string(), eventSource: z.literal("aws:sqs"), body: z.string() })).min(1),
});
type SqsEvent = z.infer<typeof SqsEvent>;

/** Both schedulers of AWS, each by its own name. */
const Schedule = z.object({ source: z.enum(["aws.events", "aws.scheduler"]) });

export const isSqsEvent = (event: unknown): event is SqsEvent => SqsEvent.safeParse(event).success;
export const isSchedule = (event: unknown): boolean => Schedule.safeParse(event).success;

/** The messages that the queue shall give out again. */
export type SqsAnswer = { readonly batchItemFailures: readonly { readonly itemIdentifier: string }[] };

/** A record of the table's stream, as the pipe gives it to the queue: the key of the delivery and no more. */
const Text = z.object({ S: z.string() });
const Message = z.object({ dynamodb: z.object({ Keys: z.object({ pk: Text, sk: Text }) }) });

export async function runQueue(host: LambdaHost, event: SqsEvent, until: number): Promise<SqsAnswer> {
  const failures: { itemIdentifier: string }[] = [];
  for (const { messageId, body } of event.Records) {
    const done = await runMessage(host, body, until);
    if (!done) failures.push({ itemIdentifier: messageId });
  }
  return { batchItemFailures: failures };
}

async function runMessage(host: LambdaHost, body: string, until: number): Promise<boolean> {
  const key = keyIn(body);
  // Not ours: kept for the dead letters, where somebody can look at it.
  if (key === null) return false;
  const waiting = await host.rt.store.deliveries(key.at, DUE_MAX);
  if (!waiting.ok) return false;
  const due = waiting.value.find(({ id }) => id === key.id);
  // Done since, or only due later: then the schedule finds it.
  if (!due || due.due_at > host.rt.clock.now()) return true;
  return tryWork(host, due, until);
}

function keyIn(body: string) {
  try {
    const message = Message.safeParse(JSON.parse(body));
    if (!message.success) return null;
    const { pk, sk } = message.data.dynamodb.Keys;
    return readDeliveryKey({ pk: pk.S, sk: sk.S });
  } catch {
    return null;
  }
}

const DUE_MAX = 500;

/** Fairly between tenants, until the time is over; the rest is found by the next tick. */
export async function runSchedule(host: LambdaHost, until: number): Promise<{ readonly worked: number }> {
  const { rt, log } = host;
  const due = await rt.store.dueDeliveries(rt.clock.now(), DUE_MAX);
  if (!due.ok) throw new Error(`${due.problem.code}: ${due.problem.message}`);
  let worked = 0;
  for (const one of fairly(due.value)) {
    if (rt.clock.now() + rt.config.turn_deadline_ms > until) break;
    if (await tryWork(host, one, until)) worked += 1;
  }
  log.info({ msg: "due", found: due.value.length, worked });
  return { worked };
}

/** A bug in one piece of work must not take the others with it; what it held comes again when its claim is over. */
async function tryWork(host: LambdaHost, due: Delivery, until: number): Promise<boolean> {
  try {
    await workOn(host, due, until);
    return true;
  } catch (error) {
    host.log.error({ msg: "bug", delivery: due.id, thread: due.thread, error: String(error) });
    return false;
  }
}
