// Stores the queue of desktop workers in one document per tenant and app. A task is typed at most once, because a
// worker reports the start before it types.
import * as z from "zod";
import type { DocumentStore } from "../../ports/documents.ts";
import { exceedsBytes } from "../../schema/byte-length.ts";
import type { TenantId } from "../../schema/ids.ts";
import { lastsUntil } from "../../schema/jobs/time-limit.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { changeDocument, type DocumentPlace, readableItems, readDocument } from "../change-document.ts";

export const LEASE_S_MAX = 600;
const OPEN_MAX = 100;
const ENDED_MAX = 200;
/** A limit far below the smallest row limit of a store, 390 KB. A queue that cannot be saved would block the channel. */
const QUEUE_BYTES_MAX = 250_000;

export const TaskState = z.enum(["queued", "claimed", "started", "done", "failed"]);
export const DesktopTask = z.object({
  /** The id of the effect, so that a call that is sent again finds its task. */
  id: z.string(),
  app: z.string(),
  action: z.literal("send-text"),
  channel: z.string(),
  to: z.string().nullable(),
  text: z.string(),
  agent: z.string(),
  thread: z.string(),
  state: TaskState,
  worker: z.string().nullable(),
  lease_until: z.number().nullable(),
  /** The reason for the failure, as a single word. */
  reason: z.string().nullable(),
  created_at: z.iso.datetime(),
});
export type DesktopTask = z.infer<typeof DesktopTask>;
export type NewTask = Omit<DesktopTask, "state" | "worker" | "lease_until" | "reason" | "action">;

const Queue = z.object({ tasks: z.array(z.unknown()) });
type Queue = z.infer<typeof Queue>;

export type Claim = { readonly app: string; readonly worker: string; readonly lease_ms: number; readonly now: number };
export type Report = {
  readonly id: string;
  readonly app: string;
  readonly worker: string;
  readonly state: "started" | "done" | "failed";
  readonly reason: string | null;
};

export type DesktopQueue = {
  /** Adds the task, or returns the one with this id. */
  readonly add: (tenant: TenantId, task: NewTask) => Promise<Result<DesktopTask>>;
  readonly find: (tenant: TenantId, app: string, id: string) => Promise<Result<DesktopTask | null>>;
  /** Claims the oldest task without a worker. A task whose lease ended before it was started can be claimed again. */
  readonly claim: (tenant: TenantId, claim: Claim) => Promise<Result<DesktopTask | null>>;
  /** Claims and starts one task for a sender in this process. Fails with `task_not_claimed` if it was claimed before. */
  readonly begin: (
    tenant: TenantId,
    task: { readonly id: string; readonly app: string; readonly worker: string },
  ) => Promise<Result<DesktopTask>>;
  readonly report: (tenant: TenantId, report: Report) => Promise<Result<DesktopTask>>;
};

/** `next` is null if nothing has to be saved. */
type Decide<R> = (tasks: readonly DesktopTask[]) => Result<{
  readonly next: readonly DesktopTask[] | null;
  readonly result: R;
}>;

const replaced = (tasks: readonly DesktopTask[], task: DesktopTask, result: DesktopTask) =>
  ok({ next: tasks.map((one) => (one === task ? result : one)), result });

export function createDesktopQueue(documents: DocumentStore): DesktopQueue {
  const place = (tenant: TenantId, app: string): DocumentPlace<Queue> => ({
    documents,
    at: { tenant, kind: "desktop", id: app },
    schema: Queue,
  });
  const change = <R>(tenant: TenantId, app: string, decide: Decide<R>): Promise<Result<R>> =>
    changeDocument<Queue, R>(place(tenant, app), (current) => {
      const { items, unread } = readableItems(DesktopTask, current?.tasks ?? []);
      const decided = decide(items);
      if (!decided.ok) return decided;
      const { next, result } = decided.value;
      // Tasks that cannot be read are saved unchanged.
      return ok({ next: next && { tasks: [...next, ...unread] }, result });
    });
  const find: DesktopQueue["find"] = async (tenant, app, id) => {
    const loaded = await readDocument(place(tenant, app));
    if (!loaded.ok) return loaded;
    const { items } = readableItems(DesktopTask, loaded.value?.value.tasks ?? []);
    return ok(items.find((task) => task.id === id) ?? null);
  };
  return {
    find,
    add: (tenant, task) =>
      change(tenant, task.app, (tasks) => {
        const known = tasks.find(({ id }) => id === task.id);
        if (known) return ok({ next: null, result: known });
        if (tasks.filter(isOpen).length >= OPEN_MAX)
          return fail("tool_refused", `${OPEN_MAX} messages are already waiting for a desktop worker.`);
        const idle = { state: "queued", worker: null, lease_until: null, reason: null } as const;
        const added: DesktopTask = { ...task, action: "send-text", ...idle };
        const next = prune([...tasks, added]);
        if (exceedsBytes(JSON.stringify(next), QUEUE_BYTES_MAX))
          return fail("tool_refused", "The messages that wait for a desktop worker are too long together.");
        return ok({ next, result: added });
      }),
    claim: (tenant, { app, worker, lease_ms, now }) =>
      change<DesktopTask | null>(tenant, app, (tasks) => {
        const free = tasks.find(
          (task) => task.state === "queued" || (task.state === "claimed" && !isLeased(task, now)),
        );
        if (!free) return ok({ next: null, result: null });
        return replaced(tasks, free, { ...free, state: "claimed", worker, lease_until: now + lease_ms });
      }),
    begin: (tenant, { id, app, worker }) =>
      change(tenant, app, (tasks) => {
        const task = tasks.find((one) => one.id === id);
        if (!task) return fail("task_not_found", "There is no such desktop task.");
        // A failed task was not sent, so it may be sent again.
        if (task.state !== "queued" && task.state !== "failed")
          return fail("task_not_claimed", `The task is ${task.state} already.`);
        return replaced(tasks, task, { ...task, state: "started", worker, reason: null });
      }),
    report: (tenant, { id, app, worker, state, reason }) =>
      change(tenant, app, (tasks) => {
        const task = tasks.find((one) => one.id === id);
        if (!task) return fail("task_not_found", "There is no such desktop task.");
        if (task.worker !== worker) return fail("task_not_claimed", "Another worker has claimed this task.");
        if (task.state === state && !isOpen(task)) return ok({ next: null, result: task });
        if (!isOpen(task)) return fail("task_not_claimed", `The task has ended already: ${task.state}.`);
        if (state === "started" && task.state === "started")
          return fail("task_not_claimed", "The task was started already.");
        return replaced(tasks, task, { ...task, state, reason });
      }),
  };
}

const isLeased = ({ lease_until }: DesktopTask, now: number): boolean =>
  lease_until !== null && lastsUntil(lease_until, now, LEASE_S_MAX * 1_000);

const isOpen = ({ state }: DesktopTask): boolean => state !== "done" && state !== "failed";

/** The oldest finished tasks are dropped, and the other finished ones lose their text. */
function prune(tasks: readonly DesktopTask[]): DesktopTask[] {
  const surplus = Math.max(0, tasks.filter((task) => !isOpen(task)).length - ENDED_MAX);
  const dropped = new Set(tasks.filter((task) => !isOpen(task)).slice(0, surplus));
  return tasks.filter((task) => !dropped.has(task)).map((task) => (isOpen(task) ? task : { ...task, text: "" }));
}
