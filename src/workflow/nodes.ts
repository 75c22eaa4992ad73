// Builds the content-addressed form of a workflow thread. Every node is `{type, payload}` and is named by the SHA-256 of its canonical JSON. The
// type of a node is the hash of the JSON Schema of its payload.
import { canonicalJson } from "../schema/json/canonical-json.ts";
import { isRecord, type JsonSchema, type Workflow } from "./definition.ts";

export type Sha256 = (text: string) => string;
export type WorkflowNode = { readonly hash: string; readonly text: string };

const HASH = { type: "string", pattern: "^[0-9a-f]{64}$" };
const HASH_OR_NULL = { anyOf: [HASH, { type: "null" }] };

/** Schemas of the nodes that the runtime writes. The type of an output is the schema of its role. */
export const NODE_SCHEMAS = {
  schema: { title: "schema", type: "object" },
  workflow: { title: "workflow", type: "object", required: ["version", "name", "description", "roles", "graph"] },
  start: {
    title: "start",
    type: "object",
    properties: { workflow: HASH, prompt: HASH },
    required: ["workflow", "prompt"],
  },
  step: {
    title: "step",
    type: "object",
    properties: {
      n: { type: "integer" },
      role: { type: "string" },
      status: { type: "string" },
      prev: HASH_OR_NULL,
      start: HASH,
      output: HASH,
      text: HASH,
      detail: HASH,
      prompt: HASH_OR_NULL,
      attempts: { type: "array", items: HASH },
    },
    required: ["n", "role", "status", "prev", "start", "output", "text", "detail", "prompt", "attempts"],
  },
  control: { title: "suspension or failure", type: "object", required: ["$status"] },
  detail: { title: "detail", type: "object", required: ["turn", "at"] },
  text: { title: "text", type: "string" },
} as const satisfies Record<string, JsonSchema>;
export type NodeKind = keyof typeof NODE_SCHEMAS;

export function createNode(sha256: Sha256, type: string, payload: unknown): WorkflowNode {
  const text = canonicalJson({ type, payload });
  return { hash: sha256(text), text };
}

export const typeOf = (sha256: Sha256, kind: NodeKind): string => sha256(canonicalJson(NODE_SCHEMAS[kind]));

export const nodeOf = (sha256: Sha256, kind: NodeKind, payload: unknown): WorkflowNode =>
  createNode(sha256, typeOf(sha256, kind), payload);

/** The schemas become separate nodes, to which the workflow refers. */
export function workflowNodes(
  sha256: Sha256,
  workflow: Workflow,
): { workflow: WorkflowNode; schemas: readonly WorkflowNode[] } {
  const schemas: WorkflowNode[] = [];
  const roles = Object.entries(workflow.roles).map(([name, role]) => {
    const schema = nodeOf(sha256, "schema", role.frontmatter);
    if (!schemas.some(({ hash }) => hash === schema.hash)) schemas.push(schema);
    return [name, { ...role, frontmatter: schema.hash }] as const;
  });
  return { workflow: nodeOf(sha256, "workflow", { ...workflow, roles: Object.fromEntries(roles) }), schemas };
}

export function payloadOf(text: string): unknown {
  const node: unknown = JSON.parse(text);
  if (!isRecord(node)) throw new TypeError("a node is an object");
  return node.payload;
}

/** Nodes are written as canonical JSON, in which the payload comes first. */
export const isNode = (text: string): boolean => /^\{"payload":.*,"type":"[0-9a-f]{64}"\}$/s.test(text);

/** A hash that does not name a node does no harm, because reading it finds nothing. */
export const hashesIn = (text: string): readonly string[] =>
  [...text.matchAll(/"([0-9a-f]{64})"/g)].map(([, hash = ""]) => hash);
