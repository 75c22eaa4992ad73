// Routes that create, list, show, delete and fork threads.
import * as z from "zod";
import { settleOrphan } from "../../jobs/crew/settle-orphans.ts";
import { removeThreadWebhooks } from "../../jobs/webhooks/subscriptions.ts";
import { hasExpired } from "../../schema/gate.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { CreateInput } from "../../schema/input.ts";
import type { Meta } from "../../schema/meta.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { ThreadStateName, TITLE_CHARS_MAX } from "../../schema/thread.ts";
import { createThread } from "../../threads/create.ts";
import { forkThread } from "../../threads/fork.ts";
import { removeThread } from "../../threads/remove.ts";
import { renameThread } from "../../threads/rename.ts";
import { turnOfStep } from "../../threads/workflows.ts";
import { bodyHash, keyHash } from "../../turn/commit/idempotency-keys.ts";
import { loadThread, readRecords } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { nextAction, threadView } from "../../turn/view.ts";
import { requireApprovalRight } from "../edge/approval-right.ts";
import { readBody } from "../edge/body.ts";
import { idempotencyKey, ifMatch } from "../edge/headers.ts";
import { threadAt } from "../edge/params.ts";
import { ThreadStatus, threadFilter } from "../edge/thread-filter.ts";
import { CURSOR_PARAMETER, LIMIT_PARAMETER, respondThreadPage, ThreadOrder } from "../edge/thread-page.ts";
import { requireWorker } from "../edge/worker.ts";
import type { Ctx } from "../env.ts";
import { hydrateThread, withDamage } from "../hydrate-gate.ts";
import { respondOutcome, respondProblem } from "../respond.ts";
import { type Route, route } from "../route.ts";
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

async function postThread(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const caller = c.get("caller");
  const key = idempotencyKey(c);
  if (!key.ok) return respondProblem(c, key.problem);
  const body = await readBody(c, CreateInput);
  if (!body.ok) return respondProblem(c, body.problem);
  const input = body.value;
  const allowed = requireApprovalRight(caller, { kind: "create", create: input });
  if (!allowed.ok) return respondProblem(c, allowed.problem);
  const worker = input.run ? requireWorker(rt) : ok(undefined);
  if (!worker.ok) return respondProblem(c, worker.problem);
  const hashed = () => bodyHash(rt.hash, { route: "create", query: {}, body: input });
  const idempotency = key.value ? { name: key.value, hash: keyHash(rt.hash, key.value), body: hashed() } : null;
  const { tenant, name: actor, trace: trace_parent } = caller;
  const created = await createThread(rt, { tenant, actor, input, key: idempotency, trace_parent });
  if (!created.ok) return respondProblem(c, created.problem);
  const { outcome, replayed } = created.value;
  const headers = { location: `/v1/threads/${outcome.thread.id}` };
  return respondOutcome(c, outcome, replayed, input.run ? 202 : 201, headers);
}

async function getThread(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const loaded = await loadThread(rt, at.value);
  if (!loaded.ok) return respondProblem(c, loaded.problem);
  const settled = await settleOrphan(rt, at.value, loaded.value.state);
  const thread = settled ? await loadThread(rt, at.value) : loaded;
  if (!thread.ok) return respondProblem(c, thread.problem);
  const { version, state, entries } = thread.value;
  const first = await readRecords(rt, at.value, 0, 0);
  const metadata = first.ok ? (first.value[0]?.entry.create?.metadata ?? {}) : {};
  c.header("etag", `"${version}"`);
  const view = threadView(at.value.thread, version, state, entries.at(-1)?.entry.at ?? state.created_at);
  const shown = await hydrateThread(rt, at.value.tenant, await withDamage(rt, at.value, view, state));
  // An expired gate can no longer be answered, and advancing the thread reports that to the model.
  const gateExpired = state.gate !== null && hasExpired(state.gate, rt.clock.now());
  return c.json({ thread: shown, turn: null, next: gateExpired ? "advance" : nextAction(state), metadata });
}

async function patchThread(c: Ctx): Promise<Response> {
  const options = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const body = await readBody(c, RenameBody);
  if (!body.ok) return respondProblem(c, body.problem);
  const request = createTurnRequest(options, c.get("caller"), at.value, { input: null });
  const renamed = await renameThread(options.rt, request, body.value.title);
  return renamed.ok
    ? respondOutcome(c, renamed.value.outcome, renamed.value.replayed, 200)
    : respondProblem(c, renamed.problem);
}

async function deleteThread(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const match = ifMatch(c);
  if (!match.ok) return respondProblem(c, match.problem);
  const versionCheck = match.value === null ? ok(undefined) : await requireVersion(rt, at.value, match.value);
  if (!versionCheck.ok) return respondProblem(c, versionCheck.problem);
  // The webhooks are removed before the thread, so that an interrupted request can be repeated.
  const webhooksRemoved = await removeThreadWebhooks(rt, at.value);
  if (!webhooksRemoved.ok) return respondProblem(c, webhooksRemoved.problem);
  const removed = await removeThread(rt, at.value, c.get("caller").name);
  return removed.ok ? c.body(null, 204) : respondProblem(c, removed.problem);
}

async function requireVersion(rt: Runtime, at: ThreadRef, version: number): Promise<Result<void>> {
  const head = await rt.store.load(at, 1);
  if (!head.ok) return head;
  const current = head.value.head.version;
  if (current === version) return ok(undefined);
  return fail("version_mismatch", `The thread is at version ${current}, not ${version}.`, { version: current });
}

async function postFork(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const body = await readBody(c, ForkBody);
  if (!body.ok) return respondProblem(c, body.problem);
  const turn = await forkedTurn(rt, at.value, body.value);
  if (!turn.ok) return respondProblem(c, turn.problem);
  const forked = await forkThread(rt, at.value, turn.value);
  if (!forked.ok) return respondProblem(c, forked.problem);
  c.header("location", `/v1/threads/${forked.value.thread.id}`);
  const thread = await hydrateThread(rt, at.value.tenant, forked.value.thread);
  return c.json({ thread, turn: null, next: forked.value.next }, 201);
}

async function forkedTurn(
  rt: Runtime,
  at: ThreadRef,
  { turn, step }: z.infer<typeof ForkBody>,
): Promise<Result<number>> {
  if (turn !== undefined && step === undefined) return ok(turn);
  if (step !== undefined && turn === undefined) return turnOfStep(rt, at, step);
  return fail("request_invalid", "turn: name either a turn or a step.", { field: "turn" });
}

async function listThreads(c: Ctx): Promise<Response> {
  const filter = threadFilter(c.req.query());
  if (!filter.ok) return respondProblem(c, filter.problem);
  return respondThreadPage(c, filter.value, (metas) => ({ threads: metas.map(threadListItem) }));
}

const threadListItem = ({ thread, ...rest }: Meta) => ({ id: thread, ...rest });
