// Exports the workflow of a thread as content-addressed nodes, one JSON line each. Every node comes before those that refer to it.
import type { ThreadRef } from "../schema/ids.ts";
import { canonicalJson } from "../schema/json/canonical-json.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import { loadThread } from "../turn/load.ts";
import type { Runtime } from "../turn/runtime.ts";
import { hashesIn, isNode, NODE_SCHEMAS } from "../workflow/nodes.ts";

export async function exportNodes(
  rt: Pick<Runtime, "store" | "cache" | "hash">,
  at: ThreadRef,
): Promise<Result<string>> {
  const thread = await loadThread(rt, at);
  if (!thread.ok) return thread;
  const { workflow } = thread.value.state;
  if (!workflow) return fail("workflow_not_found", "This thread runs no workflow.");
  const types = Object.values(NODE_SCHEMAS).map((schema) => canonicalJson(schema));
  const lines = types.map((schema) => line(rt.hash.sha256(schema), schema));
  const attempts = workflow.attempts.map(({ step_blob }) => step_blob);
  const visited = new Set<string>();
  // Iterative, because a chain of thousands of steps must not exhaust the stack. A node is written once its references are.
  const stack = [...attempts, workflow.head_blob].map((hash) => ({ hash, text: null as string | null }));
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    if (top.text !== null) {
      lines.push(line(top.hash, top.text));
      stack.pop();
      continue;
    }
    const blob = visited.has(top.hash) ? null : await rt.store.getBlob(at, top.hash);
    visited.add(top.hash);
    if (!blob || (!blob.ok && blob.problem.code === "blob_not_found")) {
      stack.pop();
      continue;
    }
    if (!blob.ok) return blob;
    // The text may contain the hash of a blob that is not a node.
    if (!isNode(blob.value)) {
      stack.pop();
      continue;
    }
    top.text = blob.value;
    for (const hash of hashesIn(blob.value)) if (!visited.has(hash)) stack.push({ hash, text: null });
  }
  return ok(lines.join(""));
}

const line = (hash: string, text: string): string => `{"hash":"${hash}","node":${text}}\n`;
