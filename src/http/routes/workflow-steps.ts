// Routes that return the steps of a workflow thread, and its turns grouped by role visit.
import * as z from "zod";
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { WorkflowState } from "../../schema/workflow/state.ts";
import { loadThread } from "../../turn/load.ts";
import {
  type LoadedStep,
  nodeReader,
  readStep,
  readSteps,
  stateNodeReader,
} from "../../turn/workflow/nodes-of-thread.ts";
import { listVisits } from "../../turn/workflow/visits.ts";
import { integerQuery } from "../edge/headers.ts";
import { threadAt } from "../edge/params.ts";
import { LIMIT_PARAMETER } from "../edge/thread-page.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { type Route, route } from "../route.ts";

const TURNS_MAX = 1_000_000;

export const workflowStepRoutes: readonly Route[] = [
  route(["get", "/v1/threads/:id/steps", "read"], listSteps, {
    id: "listSteps",
    summary: "List the steps of a workflow thread, newest first",
    query: {
      limit: LIMIT_PARAMETER,
      before: { schema: z.string().optional(), description: "Hash of a step: only the steps before it." },
    },
    responses: { 200: { description: "One page.", schema: "StepList" } },
    problems: ["thread_not_found", "request_invalid", "blob_not_found", "workflow_not_found"],
  }),
  route(["get", "/v1/threads/:id/steps/:hash", "read"], getStep, {
    id: "getStep",
    summary: "Show one step by its hash, also a failed or replaced one",
    responses: { 200: { description: "The step with the prompt of its role.", schema: "WorkflowStep" } },
    problems: ["thread_not_found", "blob_not_found"],
  }),
  route(["get", "/v1/threads/:id/visits", "read"], getVisits, {
    id: "listVisits",
    summary: "List the turns of a workflow thread by the visit of their role, oldest first",
    query: {
      role: { schema: z.string().optional(), description: "Only visits of this role." },
      offset: { schema: z.int().min(0).optional(), description: "Turns to skip." },
      limit: { schema: z.int().min(0).optional(), description: "Turns to list; all by default." },
    },
    responses: { 200: { description: "The visits.", schema: "VisitList" } },
    problems: ["thread_not_found", "request_invalid", "workflow_not_found", "state_corrupt"],
  }),
];

const stepView = ({
  hash,
  fields,
  text: _,
  body,
  details,
  detail: __,
  start: ___,
  output: ____,
  ...step
}: LoadedStep) => ({
  step: hash,
  ...step,
  output: fields,
  text: body,
  details,
});

type WorkflowThread = { readonly at: ThreadRef; readonly state: ThreadState; readonly workflow: WorkflowState };

async function workflowOfThread(c: Ctx): Promise<Result<WorkflowThread>> {
  const at = threadAt(c);
  if (!at.ok) return at;
  const thread = await loadThread(c.get("options").rt, at.value);
  if (!thread.ok) return thread;
  const { state } = thread.value;
  if (!state.workflow) return fail("workflow_not_found", "This thread runs no workflow.");
  return ok({ at: at.value, state, workflow: state.workflow });
}

async function listSteps(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const limit = integerQuery(c, "limit", 50, 1, 200);
  if (!limit.ok) return respondProblem(c, limit.problem);
  const found = await workflowOfThread(c);
  if (!found.ok) return respondProblem(c, found.problem);
  const { at, workflow } = found.value;
  const read = nodeReader(rt, at);
  const before = c.req.query("before");
  const after = before === undefined ? null : await readStep(read, before);
  if (after && !after.ok) return respondProblem(c, after.problem);
  const first = after ? after.value.prev : workflow.head_blob;
  if (first === null) return c.json({ steps: [], before: null });
  const enough = (steps: readonly LoadedStep[]) => steps.length >= limit.value;
  const steps = await readSteps(read, { head_blob: first, start_blob: workflow.start_blob }, enough);
  if (!steps.ok) return respondProblem(c, steps.problem);
  const last = steps.value.at(-1);
  return c.json({ steps: steps.value.map(stepView), before: last?.prev ? last.hash : null });
}

async function getStep(c: Ctx): Promise<Response> {
  const found = await workflowOfThread(c);
  if (!found.ok) return respondProblem(c, found.problem);
  const read = nodeReader(c.get("options").rt, found.value.at);
  const step = await readStep(read, c.req.param("hash") ?? "");
  if (!step.ok) return respondProblem(c, step.problem);
  const prompt = step.value.prompt === null ? ok(null) : await read(step.value.prompt);
  if (!prompt.ok) return respondProblem(c, prompt.problem);
  return c.json({ ...stepView(step.value), prompt: prompt.value });
}

async function getVisits(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const offset = integerQuery(c, "offset", 0, 0, TURNS_MAX);
  const limit = integerQuery(c, "limit", TURNS_MAX, 0, TURNS_MAX);
  if (!offset.ok) return respondProblem(c, offset.problem);
  if (!limit.ok) return respondProblem(c, limit.problem);
  const found = await workflowOfThread(c);
  if (!found.ok) return respondProblem(c, found.problem);
  const { at, state, workflow } = found.value;
  const query = { role: c.req.query("role") ?? null, offset: offset.value, limit: limit.value };
  const visits = await listVisits(stateNodeReader(rt, at), { ...state, workflow }, query);
  return visits.ok ? c.json(visits.value) : respondProblem(c, visits.problem);
}
