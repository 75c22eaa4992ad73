// Lists the tasks of one context or of all contexts. Newer contexts come first and, within a context, newer tasks. The
// page token names the last task that was examined, so new tasks do not shift the following pages.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { loadThread } from "../../turn/load.ts";
import { ForeignId, findThread } from "../shared/prepare-run.ts";
import { findTask, parseTaskId, taskBody, taskIds } from "./task.ts";

/** The official client sends UNRECOGNIZED if its caller omitted the field. */
const ANY_STATE = ["TASK_STATE_UNSPECIFIED", "UNRECOGNIZED"];
const STATES = [
  "SUBMITTED",
  "WORKING",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "INPUT_REQUIRED",
  "REJECTED",
  "AUTH_REQUIRED",
];

export const ListParams = z.looseObject({
  contextId: z.union([z.literal(""), ForeignId]).nullish(),
  pageSize: z.int().min(1).max(100).nullish(),
  pageToken: z.string().max(200).nullish(),
  status: z.enum([...ANY_STATE, ...STATES.map((state) => `TASK_STATE_${state}`)]).nullish(),
  historyLength: z.int().min(0).nullish(),
  includeArtifacts: z.boolean().nullish(),
  statusTimestampAfter: z.iso.datetime({ offset: true }).nullish(),
});
type ListParams = z.infer<typeof ListParams>;

const PAGE = 50;
/** A page ends after this many tasks even if few of them match. Its token then continues the search. */
const SCANNED_MAX = 200;

export async function listTasks(c: Ctx, params: ListParams): Promise<Result<object>> {
  const size = params.pageSize ?? PAGE;
  const ids = await idsAfter(c, params);
  if (!ids.ok) return ids;
  const tasks: object[] = [];
  let scanned = 0;
  let last = "";
  for await (const id of ids.value) {
    if (tasks.length === size || scanned === SCANNED_MAX) return ok(page(tasks, last, size));
    scanned += 1;
    last = id;
    const task = await findTask(c, id);
    if (!task.ok) continue;
    const { artifacts, ...body } = await taskBody(c, task.value, null, params.historyLength ?? 0);
    if (matches(body.status, params)) tasks.push(params.includeArtifacts ? { ...body, artifacts } : body);
  }
  return ok(page(tasks, "", size));
}

/** `totalSize` is only the size of the page, because counting all tasks would require reading all threads. */
const page = (tasks: readonly object[], nextPageToken: string, pageSize: number) => ({
  tasks,
  nextPageToken,
  pageSize,
  totalSize: tasks.length,
});

function matches(
  { state, timestamp }: { readonly state: string; readonly timestamp: string },
  { status, statusTimestampAfter }: ListParams,
): boolean {
  if (status && !ANY_STATE.includes(status) && status !== state) return false;
  return !statusTimestampAfter || Date.parse(timestamp) >= Date.parse(statusTimestampAfter);
}

async function idsAfter(c: Ctx, { contextId, pageToken }: ListParams): Promise<Result<AsyncIterable<string>>> {
  const { tenant } = c.get("caller");
  const token = pageToken ? parseTaskId(pageToken) : null;
  const from = token && { ...token, at: { tenant, thread: token.thread } };
  if (pageToken && !from) return invalidToken();
  if (contextId) {
    const found = await findThread(c, "a2a", contextId);
    if (!found.ok) return found;
    const { at, thread } = found.value;
    if (from && from.thread !== at.thread) return invalidToken();
    return ok(thread ? idsOf(c, at, thread.version, from?.version) : emptyPage());
  }
  if (!from) return ok(allIds(c, null));
  const thread = await loadThread(c.get("options").rt, from.at);
  if (!thread.ok) return thread.problem.code === "thread_not_found" ? invalidToken() : thread;
  const { created_at } = thread.value.state;
  return ok(joined(idsOf(c, from.at, thread.value.version, from.version), allIds(c, { created_at, ...from.at })));
}

const invalidToken = () => fail("cursor_invalid", "pageToken: does not belong to this list.", { field: "pageToken" });

async function* emptyPage(): AsyncGenerator<string> {}

async function* joined(...lists: readonly AsyncIterable<string>[]): AsyncGenerator<string> {
  for (const list of lists) yield* list;
}

/** Yields the newest task first. `before` is the version at which the last known task began. */
async function* idsOf(c: Ctx, at: ThreadRef, version: number, before = Infinity): AsyncGenerator<string> {
  const ids = await taskIds(c, at, version);
  for (const id of ids.ok ? ids.value.toReversed() : []) if ((parseTaskId(id)?.version ?? 0) < before) yield id;
}

async function* allIds(c: Ctx, after: (ThreadRef & { readonly created_at: string }) | null): AsyncGenerator<string> {
  const { store } = c.get("options").rt;
  const { tenant } = c.get("caller");
  let place = after && { created_at: after.created_at, thread: after.thread };
  for (;;) {
    const metas = await store.list(tenant, { limit: PAGE, ...(place && { after: place }) });
    if (!metas.ok) throw new Error(metas.problem.message);
    for (const { thread, version } of metas.value) yield* idsOf(c, { tenant, thread }, version);
    const last = metas.value.at(-1);
    if (!last || metas.value.length < PAGE) return;
    place = { created_at: last.created_at, thread: last.thread };
  }
}
