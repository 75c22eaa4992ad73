// Resolves the thread id that a client chose. An id of Pawl names that thread, which must exist. Any other id is mapped
// to a thread id in the same way as the Idempotency-Key of a create request.
import * as z from "zod";
import type { Ctx } from "../../http/env.ts";
import { ThreadId, type ThreadRef } from "../../schema/ids.ts";
import type { CreateInput } from "../../schema/input.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { Surface } from "../../schema/protocols/protocols-config.ts";
import type { Thread } from "../../schema/record.ts";
import { createThread, keyedThreadId } from "../../threads/create.ts";
import { bodyHash, keyHash } from "../../turn/commit/idempotency-keys.ts";
import { loadThread } from "../../turn/load.ts";

export const ForeignId = z.string().min(1).max(255);

/** The thread that an id names. `thread` is null if the thread does not exist yet. */
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

/**
 * Creates the thread if it does not exist. It gets no goal, because the first message begins the first run under its
 * own key.
 */
export async function ensureThread(c: Ctx, found: FoundThread, input: CreateInput): Promise<Result<Thread>> {
  if (found.thread) return ok(found.thread);
  const { rt } = c.get("options");
  const caller = c.get("caller");
  const body = bodyHash(rt.hash, { route: "create", query: {}, body: {} });
  const key = { name: found.key, hash: keyHash(rt.hash, found.key), body };
  const created = await createThread(rt, { tenant: caller.tenant, actor: caller.name, input, key });
  return created.ok ? loadThread(rt, found.at) : created;
}
