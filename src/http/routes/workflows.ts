// Routes that check, store, list and show role workflows, and that repeat the newest step of a thread.
import * as z from "zod";
import type { ThreadRef } from "../../schema/ids.ts";
import { type BudgetInput, PokeInput } from "../../schema/input.ts";
import type { Problem } from "../../schema/problem.ts";
import { listWorkflows, loadWorkflow, saveWorkflow } from "../../threads/workflows.ts";
import { WORKFLOW_BYTES_MAX, workflowTooLarge } from "../../workflow/definition.ts";
import { workflowNodes } from "../../workflow/nodes.ts";
import { dispatchTurn } from "../dispatch-turn.ts";
import { requestKey } from "../edge/headers.ts";
import type { Ctx } from "../env.ts";
import { respondAdvanced, respondJson } from "../respond.ts";
import { type Answer, type ReadBody, type ReadThread, type Route, route } from "../route.ts";
import { checkInput, createTurnRequest } from "../turn-request.ts";

const YAML_TYPE = "application/yaml";
const PokeBody = PokeInput.omit({ type: true });

export const workflowRoutes: readonly Route[] = [
  route(
    ["post", "/v1/workflows", "admin"],
    postWorkflow,
    {
      id: "storeWorkflow",
      summary: "Store a workflow, or check it",
      description:
        "The body is a workflow file of at most 256 KB. A file with mistakes is refused with all of them in `errors`. Storing another workflow of the same name replaces it for new threads; running threads keep theirs. `!include` is refused: resolve included files before sending.",
      query: {
        validate: { schema: z.enum(["true", "false"]).optional(), description: "`true`: check it, store nothing." },
        name: {
          schema: z.string().optional(),
          description: "Name of the file without its extension; the workflow must have the same name.",
        },
      },
      body: z.string(),
      body_type: YAML_TYPE,
      responses: {
        200: { description: "With validate=true: the workflow is valid.", schema: "WorkflowBody" },
        201: { description: "The stored workflow.", schema: "WorkflowBody", headers: ["Location"] },
      },
      problems: ["workflow_invalid", "workflow_too_large"],
    },
    { body_bytes_max: WORKFLOW_BYTES_MAX, too_large: { ok: false, problem: workflowTooLarge() } },
  ),
  route(["get", "/v1/workflows", "read"], getWorkflows, {
    id: "listWorkflows",
    summary: "List the stored workflows",
    responses: { 200: { description: "All workflows of the tenant.", schema: "WorkflowList" } },
  }),
  route(["get", "/v1/workflows/:name", "read"], getWorkflow, {
    id: "getWorkflow",
    summary: "Show a workflow by its name or hash",
    responses: { 200: { description: "The workflow.", schema: "WorkflowBody" } },
    problems: ["workflow_not_found"],
  }),
  route(["post", "/v1/threads/:id/poke", "advance"], postPoke, {
    id: "pokeThread",
    summary: "Repeat the newest step of a workflow with another instruction",
    description: "The role of the newest step works again. Its new step takes the place of the old one.",
    headers: ["Idempotency-Key"],
    body: PokeBody,
    example: { text: "Mention the sources." },
    responses: {
      200: {
        description: "The role is ready to work.",
        schema: "TurnResponse",
        headers: ["ETag", "Idempotency-Replayed"],
      },
    },
    problems: ["thread_not_found", "not_pokable", "thread_moved", "idempotency_mismatch", "input_too_large"],
  }),
];

async function postWorkflow(c: Ctx, { body }: { readonly body: string }): Promise<Answer> {
  const { rt } = c.get("options");
  const { parseWorkflow } = await import("../../workflow/parse.ts");
  const parsed = parseWorkflow(body, { stem: c.req.query("name") ?? null });
  if (!parsed.ok) return { ok: false, problem: withNamedDetails(parsed.problem) };
  const { workflow, warnings } = parsed.value;
  const { hash } = workflowNodes(rt.hash.sha256, workflow).workflow;
  if (c.req.query("validate") === "true") return respondJson(c, { name: workflow.name, hash, workflow, warnings });
  const saved = await saveWorkflow(rt, c.get("caller").tenant, workflow);
  if (!saved.ok) return saved;
  const headers = { location: `/v1/workflows/${encodeURIComponent(workflow.name)}` };
  return respondJson(c, { name: workflow.name, hash, workflow, warnings }, 201, headers);
}

/** The hint and the client look for `errors` in a `details` field. It also remains at the top level of the response. */
const withNamedDetails = (problem: Problem): Problem =>
  problem.details ? { ...problem, details: { ...problem.details, details: problem.details } } : problem;

async function getWorkflows(c: Ctx): Promise<Answer> {
  const workflows = await listWorkflows(c.get("options").rt, c.get("caller").tenant);
  return workflows.ok ? respondJson(c, { workflows: workflows.value }) : workflows;
}

async function getWorkflow(c: Ctx): Promise<Answer> {
  const { rt } = c.get("options");
  const workflow = await loadWorkflow(rt, c.get("caller").tenant, c.req.param("name") ?? "");
  if (!workflow.ok) return workflow;
  const { hash } = workflowNodes(rt.hash.sha256, workflow.value).workflow;
  return respondJson(c, { name: workflow.value.name, hash, workflow: workflow.value, warnings: [] });
}

function postPoke(c: Ctx, { at, body }: ReadThread & ReadBody<typeof PokeBody>): Promise<Answer> {
  return sendInput(c, at, "poke", { type: "poke", text: body.text });
}

/** For inputs that have a route of their own: `poke` and `resume`. */
export async function sendInput(
  c: Ctx,
  at: ThreadRef,
  name: string,
  input: { readonly type: "poke"; readonly text: string } | { readonly type: "resume"; readonly supplement: string },
  budget?: BudgetInput,
): Promise<Answer> {
  const options = c.get("options");
  const allowed = checkInput(c.get("caller"), input);
  if (!allowed.ok) return allowed;
  const key = requestKey(c, () => ({ route: name, query: {}, body: budget ? { ...input, budget } : input }));
  const request = createTurnRequest(options, c.get("caller"), at, { input, budget: budget ?? null, key });
  const response = await dispatchTurn(options, request, { max_turns: null, if_busy: "reject" });
  return response.ok ? respondAdvanced(c, response.value) : response;
}
