// Messages that came while a background run was at work: rows beside the log, handed to the next turn that can take one.
import { z } from "zod";
import { type Delivery, NEVER_DUE } from "../ports/thread-store.ts";
import type { ThreadAt } from "../schema/ids.ts";
import { MessageInput } from "../schema/input.ts";
import { ok, type Result } from "../schema/problem.ts";
import type { ThreadState } from "../schema/thread.ts";
import type { Runtime } from "../turn/runtime.ts";

const Waiting = z.object({ kind: z.literal("message"), actor: z.string(), input: MessageInput });
export type WaitingMessage = z.infer<typeof Waiting> & { readonly id: string };

const PREFIX = "msg_";
export const INBOX_MAX = 64;

/** Never due by itself: a worker looks for it when it has the thread in hand. The id sorts by age. */
export const messageDelivery = (
  rt: Runtime,
  at: ThreadAt,
  actor: string,
  input: z.infer<typeof MessageInput>,
): Delivery => ({
  id: `${PREFIX}${rt.ids.make("dlv").slice("dlv_".length)}`,
  tenant: at.tenant,
  thread: at.thread,
  due_at: NEVER_DUE,
  attempts: 0,
  body: JSON.stringify({ kind: "message", actor, input }),
});

export async function inboxOf(rt: Runtime, at: ThreadAt): Promise<Result<readonly WaitingMessage[]>> {
  const rows = await rt.store.deliveries(at, INBOX_MAX * 2);
  if (!rows.ok) return rows;
  return ok(
    rows.value.flatMap((row) => {
      const read = row.id.startsWith(PREFIX) ? Waiting.safeParse(JSON.parse(row.body)) : null;
      return read?.success ? [{ ...read.data, id: row.id }] : [];
    }),
  );
}

/** A message starts a run, answers a question, or is heard by a run at work; anything else has to be over first. */
export function takesMessage(state: ThreadState): boolean {
  const { machine, gate } = state;
  if (machine.state === "rest") return true;
  if (machine.state === "failed" || machine.state === "deliver" || machine.state === "confirm") return false;
  return gate === null || gate.kind === "question";
}
