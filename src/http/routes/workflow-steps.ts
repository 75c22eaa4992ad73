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
import { LIMIT_PARAMETER } from "../edge/thread-page.ts";
import type { Ctx } from "../env.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type ReadThread, type Route, route } from "../route.ts";

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

type WorkflowThread = { readonly state: ThreadState; readonly workflow: WorkflowState };

async function workflowOfThread(c: Ctx, at: ThreadRef): Promise<Result<WorkflowThread>> {
  const thread = await loadThread(c.get("options").rt, at);
  if (!thread.ok) return thread;
  const { state } = thread.value;
  if (!state.workflow) return fail("workflow_not_found", "This thread runs no workflow.");
  return ok({ state, workflow: state.workflow });
}

async function listSteps(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const { rt } = c.get("options");
  const limit = integerQuery(c, "limit", 50, 1, 200);
  if (!limit.ok) return limit;
  const found = await workflowOfThread(c, at);
  if (!found.ok) return found;
  const { workflow } = found.value;
  const read = nodeReader(rt, at);
  const before = c.req.query("before");
  const after = before === undefined ? null : await readStep(read, before);
  if (after && !after.ok) return after;
  const first = after ? after.value.prev : workflow.head_blob;
  if (first === null) return respondJson(c, { steps: [], before: null });
  const enough = (steps: readonly LoadedStep[]) => steps.length >= limit.value;
  const steps = await readSteps(read, { head_blob: first, start_blob: workflow.start_blob }, enough);
  if (!steps.ok) return steps;
  const last = steps.value.at(-1);
  return respondJson(c, { steps: steps.value.map(stepView), before: last?.prev ? last.hash : null });
}

async function getStep(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const found = await workflowOfThread(c, at);
  if (!found.ok) return found;
  const read = nodeReader(c.get("options").rt, at);
  const step = await readStep(read, c.req.param("hash") ?? "");
  if (!step.ok) return step;
  const prompt = step.value.prompt === null ? ok(null) : await read(step.value.prompt);
  if (!prompt.ok) return prompt;
  return respondJson(c, { ...stepView(step.value), prompt: prompt.value });
}

async function getVisits(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const { rt } = c.get("options");
  const offset = integerQuery(c, "offset", 0, 0, TURNS_MAX);
  const limit = integerQuery(c, "limit", TURNS_MAX, 0, TURNS_MAX);
  if (!offset.ok) return offset;
  if (!limit.ok) return limit;
  const found = await workflowOfThread(c, at);
  if (!found.ok) return found;
  const { state, workflow } = found.value;
  const query = { role: c.req.query("role") ?? null, offset: offset.value, limit: limit.value };
  const visits = await listVisits(stateNodeReader(rt, at), { ...state, workflow }, query);
  return visits.ok ? respondJson(c, visits.value) : visits;
}
