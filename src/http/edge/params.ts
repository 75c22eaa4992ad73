// Reads path parameters that several routes share.
import { ThreadId, type ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { Ctx } from "../env.ts";

/** A malformed id and an unknown thread cause the same problem, so that a client cannot distinguish them. */
export function threadAt(c: Ctx): Result<ThreadRef> {
  const id = ThreadId.safeParse(c.req.param("id"));
  if (!id.success) return fail("thread_not_found", "There is no such thread.");
  return ok({ tenant: c.get("caller").tenant, thread: id.data });
}
