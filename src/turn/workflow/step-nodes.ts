// Builds a step: its nodes, and the state that has it as the head. A failed attempt gets nodes as well, but the head stays.
import type { Usage } from "../../schema/record.ts";
import {
  STATUS_CHARS_MAX,
  WORKFLOW_ATTEMPTS_MAX,
  WORKFLOW_STEPS_MAX,
  type WorkflowState,
} from "../../schema/workflow/state.ts";
import { truncateChars } from "../../tools/truncate-text.ts";
import { STATUS_FIELD, SUSPEND, type Workflow } from "../../workflow/definition.ts";
import type { Delivered } from "../../workflow/frontmatter.ts";
import { createNode, nodeOf, type WorkflowNode } from "../../workflow/nodes.ts";
import type { Runtime } from "../runtime.ts";

/** The facts that a record contains about its step, apart from the output. */
export type StepFacts = {
  readonly turn: number;
  readonly at: string;
  readonly first_turn: number;
  readonly model: string | null;
  readonly usage: Usage | null;
};

export type DeliveredStep = { readonly delivered: Delivered; readonly facts: StepFacts };

type Hasher = Pick<Runtime, "hash">;
export type BuiltStep = { readonly state: WorkflowState; readonly nodes: readonly WorkflowNode[] };

export function buildStep(
  { hash }: Hasher,
  state: WorkflowState,
  workflow: Workflow,
  { delivered, facts }: DeliveredStep,
): BuiltStep {
  const role = state.role ?? "";
  const status = delivered.kind === "suspended" ? SUSPEND : String(delivered.output[STATUS_FIELD]);
  const output =
    delivered.kind === "suspended"
      ? nodeOf(hash.sha256, "control", { [STATUS_FIELD]: SUSPEND, reason: delivered.reason })
      : createNode(hash.sha256, schemaHash(hash, workflow, role), delivered.output);
  const { n, prev } = position(state);
  const attempts = state.attempts.map(({ step_blob }) => step_blob);
  const made = stepNodes(hash, state, { n, role, status, prev, attempts }, { output, body: delivered.body, facts });
  const kept = state.steps.filter((step) => step.n < n);
  const before = state.visits[role];
  const times = (before?.times ?? 0) + (before?.last === n ? 0 : 1);
  // A suspended role has not delivered, so its visit does not count. After the answer, its prompt repeats what happened before.
  const visits = delivered.kind === "suspended" ? state.visits : { ...state.visits, [role]: { times, last: n } };
  return {
    nodes: made.nodes,
    state: {
      ...state,
      head_blob: made.hash,
      count: n,
      visits,
      steps: [
        ...kept,
        { n, role, status: truncateChars(status, STATUS_CHARS_MAX), step_blob: made.hash, turn: facts.turn },
      ].slice(-WORKFLOW_STEPS_MAX),
      attempts: [],
      replaces: null,
    },
  };
}

const ATTEMPT_CHARS = 500;

/** `raw` is what the role delivered instead of its output. */
export function buildAttempt(
  { hash }: Hasher,
  state: WorkflowState,
  failure: { readonly phase: string; readonly message: string; readonly raw: string },
  facts: StepFacts,
): BuiltStep {
  const { phase, message } = failure;
  const output = nodeOf(hash.sha256, "control", { [STATUS_FIELD]: "error", error: message, phase });
  const body = truncateChars(failure.raw, ATTEMPT_CHARS).toWellFormed();
  const fields = { ...position(state), role: state.role ?? "", status: "error", attempts: [] };
  const made = stepNodes(hash, state, fields, { output, body, facts });
  const attempts = [...state.attempts, { step_blob: made.hash }].slice(-WORKFLOW_ATTEMPTS_MAX);
  return { nodes: made.nodes, state: { ...state, attempts } };
}

/** The next step comes after the head, or in place of the step that it replaces. */
function position({ replaces, count, head_blob, start_blob }: WorkflowState): Pick<StepFields, "n" | "prev"> {
  if (replaces) return { n: replaces.n, prev: replaces.prev_blob };
  return { n: count + 1, prev: head_blob === start_blob ? null : head_blob };
}

const schemaHash = (hash: Runtime["hash"], workflow: Workflow, role: string): string =>
  nodeOf(hash.sha256, "schema", workflow.roles[role]?.frontmatter ?? {}).hash;

type StepFields = {
  readonly n: number;
  readonly role: string;
  readonly status: string;
  readonly prev: string | null;
  readonly attempts: readonly string[];
};
type StepContents = { readonly output: WorkflowNode; readonly body: string; readonly facts: StepFacts };

function stepNodes(
  { sha256 }: Runtime["hash"],
  { start_blob, prompt_blob }: WorkflowState,
  fields: StepFields,
  { output, body, facts }: StepContents,
): { readonly hash: string; readonly nodes: readonly WorkflowNode[] } {
  const text = nodeOf(sha256, "text", body.toWellFormed());
  const detail = nodeOf(sha256, "detail", facts);
  const refs = { start: start_blob, prompt: prompt_blob, output: output.hash, text: text.hash, detail: detail.hash };
  const step = nodeOf(sha256, "step", { ...fields, ...refs });
  return { hash: step.hash, nodes: [output, text, detail, step] };
}
