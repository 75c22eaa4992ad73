// Threads: create, list, show, delete, fork.
import { z } from "zod";
import { removeThreadWebhooks } from "../../jobs/webhooks/subscriptions.ts";
import { hasExpired } from "../../schema/gate.ts";
import { ThreadId, type ThreadRef } from "../../schema/ids.ts";
import { CreateInput } from "../../schema/input.ts";
import type { Meta } from "../../schema/meta.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { ThreadStateName } from "../../schema/thread.ts";
import { createThread } from "../../threads/create.ts";
import { forkThread } from "../../threads/fork.ts";
import { removeThread } from "../../threads/remove.ts";
import { buildMeta } from "../../turn/commit/commit.ts";
import { bodyHash, keyHash } from "../../turn/commit/idempotency-keys.ts";
import { loadThread, readRecords } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { nextAction, threadView } from "../../turn/view.ts";
import { requireApprovalRight } from "../edge/approval-right.ts";
import { readBody } from "../edge/body.ts";
import { readCursor, writeCursor } from "../edge/cursor.ts";
import { idempotencyKey, ifMatch, integerQuery } from "../edge/headers.ts";
import type { Ctx } from "../env.ts";
import { hydrateThread } from "../hydrate-gate.ts";
import { respondOutcome, respondProblem } from "../respond.ts";

/** A name that cannot be one of ours is told apart from one that is not there: never. */
export function threadAt(c: Ctx): Result<ThreadRef> {
  const id = ThreadId.safeParse(c.req.param("id"));
  if (!id.success) return fail("thread_not_found", "There is no such thread.");
  return ok({ tenant: c.get("caller").tenant, thread: id.data });
}

export async function postThread(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const caller = c.get("caller");
  const key = idempotencyKey(c);
  if (!key.ok) return respondProblem(c, key.problem);
  const body = await readBody(c, CreateInput);
  if (!body.ok) return respondProblem(c, body.problem);
  const input = body.value;
  const allowed = requireApprovalRight(caller, { kind: "create", create: input });
  if (!allowed.ok) return respondProblem(c, allowed.problem);
  const idempotency = key.value
    ? {
        name: key.value,
        hash: keyHash(rt.hash, key.value),
        body: bodyHash(rt.hash, { route: "create", query: {}, body: input }),
      }
    : null;
  const created = await createThread(rt, { tenant: caller.tenant, actor: caller.name, input, key: idempotency });
  if (!created.ok) return respondProblem(c, created.problem);
  c.header("location", `/v1/threads/${created.value.outcome.thread.id}`);
  return respondOutcome(c, created.value.outcome, created.value.replayed, input.run ? 202 : 201);
}

export async function getThread(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const thread = await loadThread(rt, at.value);
  if (!thread.ok) return respondProblem(c, thread.problem);
  const { version, state, entries } = thread.value;
  const first = await readRecords(rt, at.value, 0, 0);
  const metadata = first.ok ? (first.value[0]?.entry.create?.metadata ?? {}) : {};
  c.header("etag", `"${version}"`);
  const view = threadView(at.value.thread, version, state, entries.at(-1)?.entry.at ?? state.created_at);
  const shown = await hydrateThread(rt, at.value.tenant, view);
  // Answering would come too late; advancing says so to the model.
  const gateExpired = state.gate !== null && hasExpired(state.gate, rt.clock.now());
  return c.json({ thread: shown, turn: null, next: gateExpired ? "advance" : nextAction(state), metadata });
}

export async function deleteThread(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const match = ifMatch(c);
  if (!match.ok) return respondProblem(c, match.problem);
  const versionCheck = match.value === null ? ok(undefined) : await requireVersion(rt, at.value, match.value);
  if (!versionCheck.ok) return respondProblem(c, versionCheck.problem);
  // Before the thread: whoever is stopped in between can say the same again.
  const webhooksRemoved = await removeThreadWebhooks(rt, at.value);
  if (!webhooksRemoved.ok) return respondProblem(c, webhooksRemoved.problem);
  const removed = await removeThread(rt, at.value);
  return removed.ok ? c.body(null, 204) : respondProblem(c, removed.problem);
}

async function requireVersion(rt: Runtime, at: ThreadRef, version: number): Promise<Result<void>> {
  const head = await rt.store.load(at, 1);
  if (!head.ok) return head;
  const current = head.value.head.version;
  if (current === version) return ok(undefined);
  return fail("version_mismatch", `The thread is at version ${current}, not ${version}.`, { version: current });
}

export const ForkBody = z.strictObject({ turn: z.int().min(0) });

export async function postFork(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const body = await readBody(c, ForkBody);
  if (!body.ok) return respondProblem(c, body.problem);
  const forked = await forkThread(rt, at.value, body.value.turn);
  if (!forked.ok) return respondProblem(c, forked.problem);
  c.header("location", `/v1/threads/${forked.value.thread.id}`);
  const thread = await hydrateThread(rt, at.value.tenant, forked.value.thread);
  return c.json({ thread, turn: null, next: forked.value.next }, 201);
}

export async function listThreads(c: Ctx): Promise<Response> {
  const state = c.req.query("state");
  const stateFilter = state === undefined ? ok(undefined) : parseState(state);
  if (!stateFilter.ok) return respondProblem(c, stateFilter.problem);
  return respondThreadPage(c, stateFilter.value ? { state: stateFilter.value } : {}, (metas) => ({
    threads: metas.map(threadListItem),
  }));
}

const parseState = (text: string): Result<ThreadStateName> => {
  const state = ThreadStateName.safeParse(text);
  return state.success
    ? ok(state.data)
    : fail("request_invalid", `state: one of ${ThreadStateName.options.join(", ")}.`, { field: "state" });
};

const threadListItem = ({ thread, ...rest }: Meta) => ({ id: thread, ...rest });

/** What the thread itself says, where its row in the list cannot be read. The row keeps its place and its mark. */
async function rebuiltMeta(rt: Runtime, c: Ctx, damaged: Meta): Promise<Meta> {
  const thread = await loadThread(rt, { tenant: c.get("caller").tenant, thread: damaged.thread });
  const last = thread.ok ? thread.value.entries.at(-1) : undefined;
  if (!thread.ok || !last) return damaged;
  const meta = buildMeta(damaged.thread, { ...thread.value, entry: last.entry }, null);
  return { ...meta, created_at: damaged.created_at, damaged: true };
}

/** One page of the tenant's threads, newest first; `next` continues it. */
export async function respondThreadPage(
  c: Ctx,
  filter: { state?: ThreadStateName; gated?: boolean },
  view: (metas: readonly Meta[]) => object | Promise<object>,
): Promise<Response> {
  const { rt } = c.get("options");
  const limit = integerQuery(c, "limit", 50, 1, 200);
  if (!limit.ok) return respondProblem(c, limit.problem);
  const filterKey = `${filter.gated ? "gated" : ""}${filter.state ?? ""}`;
  const after = readCursor(c.req.query("cursor"), filterKey);
  if (!after.ok) return respondProblem(c, after.problem);
  const page = await rt.store.list(c.get("caller").tenant, {
    ...filter,
    ...(after.value ? { after: after.value } : {}),
    limit: limit.value + 1,
  });
  if (!page.ok) return respondProblem(c, page.problem);
  const listed = page.value.slice(0, limit.value);
  const last = listed.at(-1);
  const shown = await Promise.all(listed.map((meta) => (meta.damaged ? rebuiltMeta(rt, c, meta) : meta)));
  const cursor = page.value.length > limit.value && last ? writeCursor(last, filterKey) : null;
  return c.json({ ...(await view(shown)), cursor });
}
