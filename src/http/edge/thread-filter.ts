// The filters of the thread list. Stores index states and open gates; other filters are evaluated on each row.
import * as z from "zod";
import type { Meta } from "../../schema/meta.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { ThreadStateName } from "../../schema/thread.ts";
import { type ThreadFilter, ThreadOrder } from "./thread-page.ts";

/** The status of a thread as a user sees it: waiting for an answer, making progress, failed or idle. */
export const ThreadStatus = z.enum(["waiting", "active", "failed", "idle"]);
type ThreadStatus = z.infer<typeof ThreadStatus>;

/** A background run that has used all its retries has failed. */
function statusOf({ state, gate, background }: Meta): ThreadStatus {
  if (state === "failed") return "failed";
  if (gate) return "waiting";
  if (background === "dead") return "failed";
  return state === "rest" ? "idle" : "active";
}

const Filter = z.object({
  order: ThreadOrder.optional(),
  state: ThreadStateName.optional(),
  status: ThreadStatus.optional(),
  agent: z.string().min(1).max(64).optional(),
  q: z.string().max(200).optional(),
});

export function threadFilter(query: Record<string, string>): Result<ThreadFilter> {
  const parsed = Filter.safeParse(query);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? "state");
    const allowed = {
      state: ThreadStateName.options,
      status: ThreadStatus.options,
      order: ThreadOrder.options,
    }[field]?.join(", ");
    return fail("request_invalid", `${field}: ${allowed ? `one of ${allowed}` : "the value is too long"}.`, { field });
  }
  const { order, state, status, agent, q } = parsed.data;
  const text = q?.trim().toLowerCase() ?? "";
  const indexed = {
    ...(order ? { order } : {}),
    ...(state ? { state } : {}),
    ...(status === "waiting" ? { gated: true } : {}),
  };
  if (!status && !agent && !text) return ok(indexed);
  return ok({
    ...indexed,
    key: JSON.stringify([status ?? "", agent ?? "", text]),
    matches: (meta) =>
      (!status || statusOf(meta) === status) && (!agent || meta.agent === agent) && (!text || contains(meta, text)),
  });
}

const contains = ({ goal, title, metadata }: Meta, text: string): boolean =>
  [goal, title, metadata?.title].some((one) => typeof one === "string" && one.toLowerCase().includes(text));
