// Routes that create, list, show, rename, delete and fork threads.
import * as z from "zod";
import { settleOrphan } from "../../jobs/crew/settle-orphans.ts";
import { removeThreadWebhooks } from "../../jobs/webhooks/subscriptions.ts";
import { hasExpired } from "../../schema/gate.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { CreateInput } from "../../schema/input.ts";
import type { Meta } from "../../schema/meta.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { ThreadStateName, TITLE_CHARS_MAX } from "../../schema/thread.ts";
import { renameThread } from "../../threads/change-state.ts";
import { createThread } from "../../threads/create.ts";
import { forkThread } from "../../threads/fork.ts";
import { removeThread } from "../../threads/remove.ts";
import { turnOfStep } from "../../threads/workflows.ts";
import { loadThread, readRecords } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { nextAction, threadView } from "../../turn/view.ts";
import { requireApprovalRight } from "../edge/approval-right.ts";
import { requestKey } from "../edge/headers.ts";
import { ThreadStatus, threadFilter } from "../edge/thread-filter.ts";
import { CURSOR_PARAMETER, LIMIT_PARAMETER, respondThreadPage, ThreadOrder } from "../edge/thread-page.ts";
import { requireWorker } from "../edge/worker.ts";
import type { Ctx } from "../env.ts";
import { hydrateThread, withDamage } from "../hydrate-gate.ts";
import { respondJson, respondOutcome } from "../respond.ts";
import { type Answer, type ReadBody, type ReadMatch, type ReadThread, type Route, route } from "../route.ts";
import { createTurnRequest } from "../turn-request.ts";

const ForkBody = z.strictObject({
  turn: z.int().min(0).optional(),
  /** The number of the workflow step after which the fork continues. */
  step: z.int().min(1).optional(),
});

const RenameBody = z.strictObject({ title: z.string().trim().min(1).max(TITLE_CHARS_MAX) });

const NEW_THREAD = { schema: "TurnResponse", headers: ["ETag", "Location", "Idempotency-Replayed"] } as const;

export const threadRoutes: readonly Route[] = [
  route(["post", "/v1/threads", "advance"], postThread, {
    id: "createThread",
    summary: "Create a thread",
    description:
      'Commits record 0 without calling the model. With a goal the first run begins; without one the thread rests until its first message. `auto_approve` needs the scope `confirm`. `run: "background"` needs a job worker.',
    headers: ["Idempotency-Key"],
    body: CreateInput,
    example: { goal: "Say hello" },
    responses: {
      201: { description: "The thread.", ...NEW_THREAD },
      202: {
        description: 'With `run: "background"`: the thread. A job worker advances it until the next gate or the end.',
        ...NEW_THREAD,
      },
    },
    problems: [
      "idempotency_mismatch",
      "turn_running",
      "tool_unknown",
      "input_too_large",
      "record_too_large",
      "no_worker",
      "workflow_not_found",
      "calendar_not_found",
    ],
  }),
  route(["get", "/v1/threads", "read"], listThreads, {
    id: "listThreads",
    summary: "List threads, newest or last changed first",
    query: {
      order: {
        schema: ThreadOrder.optional(),
        description:
          "`created` (newest first, the default) or `activity`: the thread whose list entry changed last comes first, by a message, a gate, an answer or a result. A store without this order lists by creation; `order` in the response says which one it is.",
      },
      state: { schema: ThreadStateName.optional(), description: "Only threads in this state." },
      status: {
        schema: ThreadStatus.optional(),
        description:
          "Only threads that wait for a person (`waiting`), that a run is in progress in (`active`), that failed, or that are idle.",
      },
      agent: { schema: z.string().max(64).optional(), description: "Only threads of this agent." },
      q: {
        schema: z.string().max(200).optional(),
        description:
          "Only threads whose goal or `metadata.title` contains this text, ignoring case. A page may be short or empty although `cursor` continues the search.",
      },
      limit: LIMIT_PARAMETER,
      cursor: CURSOR_PARAMETER,
    },
    responses: { 200: { description: "One page.", schema: "ThreadList" } },
    problems: ["request_invalid", "cursor_invalid"],
  }),
  route(["get", "/v1/threads/:id", "read"], getThread, {
    id: "getThread",
    summary: "Show a thread: state, open gate, plan, proofs, budget",
    responses: {
      200: { description: "The current state of the thread.", schema: "ThreadResponse", headers: ["ETag"] },
    },
    problems: ["thread_not_found", "state_corrupt", "newer_version"],
  }),
  route(["patch", "/v1/threads/:id", "advance"], patchThread, {
    id: "renameThread",
    summary: "Give a thread a title",
    description: "The title stays when later runs have other goals. A turn in progress starts again.",
    body: RenameBody,
    example: { title: "Essay" },
    responses: { 200: { description: "The thread.", schema: "TurnResponse", headers: ["ETag"] } },
    problems: [
      "request_invalid",
      "thread_not_found",
      "thread_moved",
      "record_too_large",
      "state_corrupt",
      "newer_version",
    ],
  }),
  route(["delete", "/v1/threads/:id", "advance"], deleteThread, {
    id: "deleteThread",
    summary: "Delete a thread with its records and blobs",
    description: "A sub-agent is deleted after its parent has read its result, or has been cancelled.",
    headers: ["If-Match"],
    responses: { 204: { description: "The thread was deleted.", schema: null } },
    problems: ["thread_not_found", "turn_running", "version_mismatch"],
  }),
  route(["post", "/v1/threads/:id/fork", "advance"], postFork, {
    id: "fork",
    summary: "Continue from an earlier turn in a new thread",
    description:
      "The new thread has the records up to the end of that turn. An open gate gets a new id and digest. With `step` instead of `turn`, the fork of a workflow thread continues after that step.",
    body: ForkBody,
    example: { turn: 0 },
    responses: { 201: { description: "The new thread.", schema: "TurnResponse", headers: ["Location"] } },
    problems: ["thread_not_found", "turn_not_found", "turn_running", "sub_agent_refused"],
  }),
];

async function postThread(c: Ctx, { body: input }: ReadBody<typeof CreateInput>): Promise<Answer> {
  const { rt } = c.get("options");
  const caller = c.get("caller");
  const allowed = requireApprovalRight(caller, { kind: "create", create: input });
  if (!allowed.ok) return allowed;
  const worker = input.run ? requireWorker(rt) : ok(undefined);
  if (!worker.ok) return worker;
  const name = c.get("key");
  const hashes = requestKey(c, () => ({ route: "create", query: {}, body: input }));
  const key = name !== null && hashes ? { name, ...hashes } : null;
  const { tenant, name: actor, trace: trace_parent } = caller;
  const created = await createThread(rt, { tenant, actor, input, key, trace_parent });
  if (!created.ok) return created;
  const { outcome, replayed } = created.value;
  const headers = { location: `/v1/threads/${outcome.thread.id}` };
  return respondOutcome(c, outcome, replayed, input.run ? 202 : 201, headers);
}

async function getThread(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const { rt } = c.get("options");
  const loaded = await loadThread(rt, at);
  if (!loaded.ok) return loaded;
  const settled = await settleOrphan(rt, at, loaded.value.state);
  const thread = settled ? await loadThread(rt, at) : loaded;
  if (!thread.ok) return thread;
  const { version, state, entries } = thread.value;
  const first = await readRecords(rt, at, 0, 0);
  const metadata = first.ok ? (first.value[0]?.entry.create?.metadata ?? {}) : {};
  const view = threadView(at.thread, version, state, entries.at(-1)?.entry.at ?? state.created_at);
  const shown = await hydrateThread(rt, at.tenant, await withDamage(rt, at, view, state));
  // An expired gate can no longer be answered. Advancing the thread tells the model that the gate has expired.
  const gateExpired = state.gate !== null && hasExpired(state.gate, rt.clock.now());
  const next = gateExpired ? "advance" : nextAction(state);
  return respondJson(c, { thread: shown, turn: null, next, metadata }, 200, { etag: `"${version}"` });
}

async function patchThread(c: Ctx, { at, body }: ReadThread & ReadBody<typeof RenameBody>): Promise<Answer> {
  const options = c.get("options");
  const request = createTurnRequest(options, c.get("caller"), at, { input: null });
  const renamed = await renameThread(options.rt, request, body.title);
  return renamed.ok ? respondOutcome(c, renamed.value.outcome, renamed.value.replayed, 200) : renamed;
}

async function deleteThread(c: Ctx, { at, if_match }: ReadThread & ReadMatch): Promise<Answer> {
  const { rt } = c.get("options");
  const versionCheck = if_match === null ? ok(undefined) : await requireVersion(rt, at, if_match);
  if (!versionCheck.ok) return versionCheck;
  // The webhooks are removed first, because an interrupted request can be repeated only while the thread still exists.
  const webhooksRemoved = await removeThreadWebhooks(rt, at);
  if (!webhooksRemoved.ok) return webhooksRemoved;
  const removed = await removeThread(rt, at, c.get("caller").name);
  return removed.ok ? c.body(null, 204) : removed;
}

async function requireVersion(rt: Runtime, at: ThreadRef, version: number): Promise<Result<void>> {
  const head = await rt.store.load(at, 1);
  if (!head.ok) return head;
  const current = head.value.head.version;
  if (current === version) return ok(undefined);
  return fail("version_mismatch", `The thread is at version ${current}, not ${version}.`, { version: current });
}

async function postFork(c: Ctx, { at, body }: ReadThread & ReadBody<typeof ForkBody>): Promise<Answer> {
  const { rt } = c.get("options");
  const turn = await forkedTurn(rt, at, body);
  if (!turn.ok) return turn;
  const forked = await forkThread(rt, at, turn.value);
  if (!forked.ok) return forked;
  const thread = await hydrateThread(rt, at.tenant, forked.value.thread);
  const headers = { location: `/v1/threads/${thread.id}` };
  return respondJson(c, { thread, turn: null, next: forked.value.next }, 201, headers);
}

async function forkedTurn(
  rt: Runtime,
  at: ThreadRef,
  { turn, step }: z.infer<typeof ForkBody>,
): Promise<Result<number>> {
  if (turn !== undefined && step === undefined) return ok(turn);
  if (step !== undefined && turn === undefined) return turnOfStep(rt, at, step);
  return fail("request_invalid", "turn: give either a turn or a step.", { field: "turn" });
}

async function listThreads(c: Ctx): Promise<Answer> {
  const filter = threadFilter(c.req.query());
  if (!filter.ok) return filter;
  return respondThreadPage(c, filter.value, (metas) => ({ threads: metas.map(threadListItem) }));
}

const threadListItem = ({ thread, ...rest }: Meta) => ({ id: thread, ...rest });
