// Stores the workflows of a tenant: a document that lists them by name, and their nodes as blobs beside it.
import { isoTime } from "../ports/clock.ts";
import { retryConflict, retryUnavailable } from "../ports/retry.ts";
import type { TenantId, ThreadId, ThreadRef } from "../schema/ids.ts";
import { fail, ok, type Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";
import { loadThreadWorkflow, nodeReader } from "../turn/workflow/nodes-of-thread.ts";
import type { Workflow } from "../workflow/definition.ts";
import { workflowNodes } from "../workflow/nodes.ts";
import { lastRecordBefore } from "./find-turn.ts";

export type StoredWorkflow = {
  readonly name: string;
  /** The hash of the newest version. Older versions can still be named by their hash. */
  readonly hash: string;
  readonly description: string;
  readonly stored_at: string;
};

/** The list is limited, because it is one row of the store. */
const WORKFLOWS_MAX = 100;
const DESCRIPTION_CHARS = 200;

/** Not a valid thread id, so no thread route can reach the list. */
const registryAt = (tenant: TenantId): ThreadRef => ({ tenant, thread: `wfl_${"0".repeat(26)}` as ThreadId });

type Registry = { readonly version: number; readonly workflows: readonly StoredWorkflow[] };

async function loadRegistry(rt: Pick<Runtime, "store">, tenant: TenantId): Promise<Result<Registry>> {
  const rows = await rt.store.load(registryAt(tenant), 1);
  if (!rows.ok) return rows.problem.code === "thread_not_found" ? ok({ version: -1, workflows: [] }) : rows;
  const { version, state } = rows.value.head;
  const workflows = readRegistry(state);
  return workflows ? ok({ version, workflows }) : fail("state_corrupt", "The list of workflows cannot be read.");
}

/** A workflow without a readable entry is omitted and can be stored again. Null if nothing of the list can be read. */
function readRegistry(state: string): readonly StoredWorkflow[] | null {
  try {
    const { workflows } = JSON.parse(state) as { workflows?: unknown };
    return Array.isArray(workflows) ? workflows.filter(isEntry) : null;
  } catch {
    return null;
  }
}

const isEntry = (entry: Partial<StoredWorkflow> | null): entry is StoredWorkflow =>
  [entry?.name, entry?.hash, entry?.description, entry?.stored_at].every((field) => typeof field === "string");

export async function listWorkflows(
  rt: Pick<Runtime, "store">,
  tenant: TenantId,
): Promise<Result<readonly StoredWorkflow[]>> {
  const registry = await loadRegistry(rt, tenant);
  return registry.ok ? ok(registry.value.workflows) : registry;
}

/** Storing the same workflow again changes nothing; another one of the same name replaces it for new threads. */
export async function saveWorkflow(rt: Runtime, tenant: TenantId, workflow: Workflow): Promise<Result<StoredWorkflow>> {
  const at = registryAt(tenant);
  const nodes = workflowNodes(rt.hash.sha256, workflow);
  const { hash } = nodes.workflow;
  const stored_at = isoTime(rt.clock.now());
  const entry = { name: workflow.name, hash, description: workflow.description.slice(0, DESCRIPTION_CHARS), stored_at };
  for (const node of [...nodes.schemas, nodes.workflow]) {
    const put = await retryUnavailable(() => rt.store.putBlob(at, node.hash, node.text));
    if (!put.ok) return put;
  }
  return retryConflict("thread_moved", async () => {
    const registry = await loadRegistry(rt, tenant);
    if (!registry.ok) return registry;
    const same = registry.value.workflows.find((one) => one.hash === hash && one.name === workflow.name);
    if (same) return ok(same);
    const others = registry.value.workflows.filter(({ name }) => name !== workflow.name);
    if (others.length >= WORKFLOWS_MAX)
      return fail("workflow_too_large", `A tenant stores at most ${WORKFLOWS_MAX} workflows.`);
    const version = registry.value.version + 1;
    const row = {
      version,
      commit_id: rt.ids.make("cmt"),
      turn: version,
      entry: "{}",
      state: JSON.stringify({ workflows: [...others, entry] }),
    };
    const saved = await (version === 0 ? rt.store.create(at, row, null) : rt.store.append(at, row));
    return saved.ok ? ok(entry) : saved;
  });
}

/** `name` can also be the hash of any version that was stored. */
export async function loadWorkflow(
  rt: Pick<Runtime, "store">,
  tenant: TenantId,
  name: string,
): Promise<Result<Workflow>> {
  const registry = await loadRegistry(rt, tenant);
  if (!registry.ok) return registry;
  const found = registry.value.workflows.find((one) => one.name === name);
  const hash = found?.hash ?? (/^[0-9a-f]{64}$/.test(name) ? name : null);
  // The cache of parsed workflows uses only the hash as its key, so the store is asked whether this tenant has the workflow.
  const own = hash ? await rt.store.getBlob(registryAt(tenant), hash) : null;
  if (own && !own.ok && own.problem.code !== "blob_not_found") return own;
  const workflow = hash && own?.ok ? await loadThreadWorkflow(nodeReader(rt, registryAt(tenant)), hash) : null;
  if (!workflow || (!workflow.ok && workflow.problem.code === "blob_not_found"))
    return fail("workflow_not_found", `There is no workflow ${JSON.stringify(name)}.`, {
      known: registry.value.workflows.map((one) => one.name),
    });
  return workflow;
}

/** Needs few reads, because a step is replaced only at the head. */
export async function turnOfStep(rt: Pick<Runtime, "store">, at: ThreadRef, n: number): Promise<Result<number>> {
  const last = await lastRecordBefore(rt, at, ({ state }) => (state.workflow?.count ?? 0) > n);
  if (!last.ok) return last;
  const step = last.value?.state.workflow?.steps.find((one) => one.n === n);
  return step ? ok(step.turn) : fail("turn_not_found", `Thread ${at.thread} has no step ${n}.`);
}
