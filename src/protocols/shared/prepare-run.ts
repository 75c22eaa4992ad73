// Resolves the thread that a client names, and prepares a run of it. An id of Pawl names that thread, which must exist.
// Any other id is mapped to a thread id in the same way as the Idempotency-Key of a create request.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import { checkInput } from "../../http/turn-request.ts";
import { ThreadId, type ThreadRef } from "../../schema/ids.ts";
import type { CreateInput } from "../../schema/input.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { Surface } from "../../schema/protocols/protocols-config.ts";
import type { Thread, ThreadRecord } from "../../schema/record.ts";
import { createThread, keyedThreadId } from "../../threads/create.ts";
import { validateClientTools } from "../../turn/client-tools.ts";
import { bodyHash, keyHash } from "../../turn/commit/idempotency-keys.ts";
import { loadThread } from "../../turn/load.ts";
import { type DeclaredTools, withRequestField } from "./declared-tools.ts";
import type { RunStart } from "./run-thread.ts";
import { surfaceConfig } from "./surface.ts";

export const ForeignId = z.string().min(1).max(255);

/** `thread` is null if the thread does not exist yet. */
export type FoundThread = { readonly at: ThreadRef; readonly key: string; readonly thread: Thread | null };

export async function findThread(c: Ctx, surface: Surface, id: string): Promise<Result<FoundThread>> {
  const { rt } = c.get("options");
  const { tenant } = c.get("caller");
  const own = ThreadId.safeParse(id);
  const key = `${surface}:${id}`;
  const at = { tenant, thread: own.success ? own.data : keyedThreadId(rt.hash, tenant, key) };
  const loaded = await loadThread(rt, at);
  if (loaded.ok) return ok({ at, key, thread: loaded.value });
  if (loaded.problem.code !== "thread_not_found" || own.success) return loaded;
  return ok({ at, key, thread: null });
}

export type RunRequest = Pick<RunStart, "input" | "key"> & {
  /** The agent that the client named. Without one, the configuration of the protocol decides. */
  readonly agent?: string | null | undefined;
  readonly tools?: DeclaredTools | undefined;
  readonly metadata?: CreateInput["metadata"];
  readonly background?: boolean;
};

export type PreparedRun = {
  readonly at: ThreadRef;
  readonly thread: Thread;
  readonly start: RunStart;
  /** The record that began the run, if it runs in the background from the creation of its thread on. */
  readonly begun: ThreadRecord | null;
};

/**
 * Checks everything that can refuse the run, and only then creates the thread if it does not exist. The thread gets no
 * goal, because the first message begins the first run under its own key. In the background, the message is the goal, so
 * that no model is called before the response.
 */
export async function prepareRun(
  c: Ctx,
  surface: Surface,
  found: FoundThread,
  { input, key = null, agent, tools, metadata, background = false }: RunRequest,
): Promise<Result<PreparedRun>> {
  const { rt } = c.get("options");
  const allowed = checkInput(c.get("caller"), input, tools?.tools);
  if (!allowed.ok) return allowed;
  const config = surfaceConfig(c, surface);
  const create: CreateInput = {
    ...(agent || config.agent ? { agent: agent || config.agent } : {}),
    ...(config.mode && { mode: config.mode }),
    ...(config.plan_approval && { plan_approval: config.plan_approval }),
    ...(metadata && { metadata }),
  };
  const undeclared = tools && validateClientTools(rt, tools.tools);
  if (undeclared) return withRequestField(undeclared, tools.schema_field);
  const { at } = found;
  const client_tools = tools && { client_tools: tools.tools };
  if (background && !found.thread && input?.type === "message") {
    const goal = { ...create, ...client_tools, goal: input.text, run: "background" } as const;
    const created = await createFound(c, found, goal, key);
    return created.ok ? ok({ ...created.value, at, start: { input: null, version: 0 } }) : created;
  }
  const existing: Result<{ thread: Thread }> = found.thread
    ? ok({ thread: found.thread })
    : await createFound(c, found, create, null);
  if (!existing.ok) return existing;
  const { thread } = existing.value;
  const start = { input, key, options: { channel: surface, ...client_tools }, version: thread.version };
  return ok({ at, thread, start, begun: null });
}

/** `key` is that of a request for a turn, which the client may repeat after the thread exists. */
async function createFound(
  c: Ctx,
  { at, key: name }: FoundThread,
  input: CreateInput,
  key: RunStart["key"],
): Promise<Result<{ readonly thread: Thread; readonly begun: ThreadRecord }>> {
  const { rt } = c.get("options");
  const { tenant, name: actor, trace: trace_parent } = c.get("caller");
  const { goal } = input;
  const hashes = key ?? {
    hash: keyHash(rt.hash, name),
    body: bodyHash(rt.hash, { route: "create", query: {}, body: goal ? { goal } : {} }),
  };
  const given = { tenant, actor, input, key: { name, ...hashes }, remember_key: key !== null, trace_parent };
  const created = await createThread(rt, given);
  if (!created.ok) return created;
  const thread = await loadThread(rt, at);
  return thread.ok ? ok({ thread: thread.value, begun: created.value.record }) : thread;
}
