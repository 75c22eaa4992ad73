// Implements the moderator, which decides which role is next and with which instruction. A pure function of the workflow and the last step.
import { fail, ok, type Result } from "../schema/problem.ts";
import { BODY_VARIABLE, END, ownValue, START, STATUS_FIELD, type Workflow } from "./definition.ts";
import { renderTemplate } from "./render.ts";

export type LastStep = {
  readonly role: string;
  readonly output: Readonly<Record<string, unknown>>;
  readonly body: string;
};

export type RouteResult =
  | { readonly kind: "end"; readonly prompt: string }
  | { readonly kind: "role"; readonly role: string; readonly prompt: string; readonly location: string | null };

/** `from` is the last step, or the status with which the thread starts. */
export function route(workflow: Workflow, from: LastStep | "new" | "resume"): Result<RouteResult> {
  const atStart = typeof from === "string";
  const node = atStart ? START : from.role;
  const status = atStart ? from : ownValue(from.output, STATUS_FIELD);
  const edges = ownValue(workflow.graph, node);
  if (!edges) return fail("route_unknown_role", `The workflow has no node ${JSON.stringify(node)}.`);
  if (typeof status !== "string") return fail("route_unknown_status", `The output of ${node} has no ${STATUS_FIELD}.`);
  const edge = ownValue(edges, status);
  if (!edge)
    return fail("route_unknown_status", `${node} has no edge for the status ${JSON.stringify(status)}.`, {
      legal: Object.keys(edges),
    });
  const variables = atStart ? {} : { ...from.output, [BODY_VARIABLE]: from.body };
  const prompt = renderTemplate(edge.prompt, variables, { strict: false });
  if (!prompt.ok) return prompt;
  if (edge.role === END) return ok({ kind: "end", prompt: prompt.value });
  if (!Object.hasOwn(workflow.roles, edge.role))
    return fail("route_unknown_role", `The workflow has no role ${JSON.stringify(edge.role)}.`);
  if (prompt.value.trim() === "")
    return fail("route_template", `The prompt of graph.${node}.${status} is blank: ${JSON.stringify(edge.prompt)}`);
  const location = edge.location === null ? ok(null) : renderTemplate(edge.location, variables, { strict: false });
  if (!location.ok) return location;
  return ok({ kind: "role", role: edge.role, prompt: prompt.value, location: location.value });
}
