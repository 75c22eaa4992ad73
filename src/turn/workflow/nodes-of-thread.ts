// Reads the nodes of a workflow thread: the workflow itself, the prompt of the current role, and the steps, each of which refers to the one before.
import type { ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { WorkflowState } from "../../schema/workflow/state.ts";
import { isRecord, type JsonSchema, type Workflow } from "../../workflow/definition.ts";
import { payloadOf, type WorkflowNode } from "../../workflow/nodes.ts";
import type { Runtime } from "../runtime.ts";

export type StepPayload = {
  readonly n: number;
  readonly role: string;
  readonly status: string;
  readonly prev: string | null;
  readonly start: string;
  readonly output: string;
  readonly text: string;
  readonly detail: string;
  readonly prompt: string | null;
  readonly attempts: readonly string[];
};
export type StepDetail = { readonly turn: number; readonly at: string };
/** A step with the content of the nodes that it refers to. */
export type LoadedStep = StepPayload & {
  readonly hash: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly details: StepDetail & Readonly<Record<string, unknown>>;
};

type NodeSource = Pick<Runtime, "store">;
export type ReadNode = (hash: string) => Promise<Result<unknown>>;

/** `pending` are nodes of the record being built, which are not stored yet. */
export const nodeReader =
  ({ store }: NodeSource, at: ThreadRef, pending: readonly WorkflowNode[] = []): ReadNode =>
  async (hash) => {
    const own = pending.find((node) => node.hash === hash);
    const text = own ? ok(own.text) : await store.getBlob(at, hash);
    return text.ok ? readPayload(hash, text.value) : text;
  };

function readPayload(hash: string, text: string): Result<unknown> {
  try {
    return ok(payloadOf(text));
  } catch {
    return fail("state_corrupt", `The node ${hash} of the workflow cannot be read.`);
  }
}

/** If a node that the state names is missing, the thread is damaged, and the request is not at fault. */
export function stateNodeReader(rt: NodeSource, at: ThreadRef, pending: readonly WorkflowNode[] = []): ReadNode {
  const read = nodeReader(rt, at, pending);
  return async (hash) => {
    const node = await read(hash);
    if (node.ok || node.problem.code !== "blob_not_found") return node;
    return fail("state_corrupt", `The node ${hash} of the workflow is missing.`);
  };
}

/** Null if the workflow can continue: its definition, its head and the prompt of its role can be read. */
export async function findWorkflowCorruption(
  rt: NodeSource,
  at: ThreadRef,
  state: WorkflowState,
): Promise<string | null> {
  const read = stateNodeReader(rt, at);
  const hashes = [state.workflow_blob, state.start_blob, ...(state.prompt_blob === null ? [] : [state.prompt_blob])];
  const head = state.head_blob === state.start_blob ? [] : [readStep(read, state.head_blob)];
  const nodes: readonly Result<unknown>[] = await Promise.all([...hashes.map(read), ...head]);
  const damaged = nodes.find((node) => !node.ok && node.problem.code === "state_corrupt");
  return damaged && !damaged.ok ? damaged.problem.message : null;
}

/** Caches parsed workflows, because parsing and checking one costs milliseconds, and a stored one never changes. */
const parsed = new Map<string, Workflow>();
const PARSED_MAX = 32;

export async function loadThreadWorkflow(read: ReadNode, hash: string): Promise<Result<Workflow>> {
  const cached = parsed.get(hash);
  if (cached) return ok(cached);
  const payload = await read(hash);
  if (!payload.ok) return payload;
  const roles = isRecord(payload.value) && isRecord(payload.value.roles) ? payload.value.roles : {};
  const restored: Record<string, unknown> = {};
  for (const [name, role] of Object.entries(roles)) {
    const schema = isRecord(role) && typeof role.frontmatter === "string" ? await read(role.frontmatter) : ok({});
    if (!schema.ok) return schema;
    restored[name] = { ...(role as object), frontmatter: schema.value as JsonSchema };
  }
  // The parser is loaded with the first workflow, like the code for its turns.
  const { readWorkflow } = await import("../../workflow/parse.ts");
  const workflow = readWorkflow({ ...(payload.value as object), roles: restored }, null);
  if (!workflow.ok) return fail("state_corrupt", `The stored workflow is not valid: ${workflow.problem.message}`);
  if (parsed.size >= PARSED_MAX) parsed.clear();
  parsed.set(hash, workflow.value.workflow);
  return ok(workflow.value.workflow);
}

/** Loads the prompt of the role that the thread plays. Returns null if the thread plays no role of a workflow. */
export async function loadRolePrompt(
  rt: NodeSource,
  at: ThreadRef,
  { workflow }: { readonly workflow?: WorkflowState | undefined },
): Promise<Result<string | null>> {
  if (!workflow?.prompt_blob) return ok(null);
  const text = await stateNodeReader(rt, at)(workflow.prompt_blob);
  return text.ok ? ok(String(text.value)) : text;
}

/** Reads steps from the head towards the start, until `enough` returns true. */
export async function readSteps(
  read: ReadNode,
  { head_blob, start_blob }: Pick<WorkflowState, "head_blob" | "start_blob">,
  enough: (steps: readonly LoadedStep[]) => boolean,
): Promise<Result<readonly LoadedStep[]>> {
  const steps: LoadedStep[] = [];
  for (let hash: string | null = head_blob; hash !== null && hash !== start_blob && !enough(steps); ) {
    const step: Result<LoadedStep> = await readStep(read, hash);
    if (!step.ok) return step;
    steps.push(step.value);
    hash = step.value.prev;
  }
  return ok(steps);
}

const isStep = (payload: unknown): payload is StepPayload =>
  isRecord(payload) && [payload.output, payload.text, payload.detail].every((hash) => typeof hash === "string");

export async function readStep(read: ReadNode, hash: string): Promise<Result<LoadedStep>> {
  const payload = await read(hash);
  if (!payload.ok) return payload;
  if (!isStep(payload.value)) return fail("blob_not_found", `The node ${hash} is not a step.`);
  const step = payload.value;
  const [fields, body, details] = await Promise.all([read(step.output), read(step.text), read(step.detail)]);
  if (!fields.ok) return fields;
  if (!body.ok) return body;
  if (!details.ok) return details;
  return ok({
    ...step,
    hash,
    fields: fields.value as LoadedStep["fields"],
    body: String(body.value),
    details: details.value as LoadedStep["details"],
  });
}
