// Reads the ids in paths. A malformed id looks like an unknown one, so that clients cannot tell them apart.
import type * as z from "zod";
import { isThreadId, type ThreadRef } from "../../schema/ids.ts";
import { ScheduleId } from "../../schema/jobs/schedule.ts";
import { WebhookId } from "../../schema/jobs/webhook.ts";
import { fail, ok, type ProblemCode, type Result } from "../../schema/problem.ts";
import type { Ctx } from "../env.ts";

const NAMED = [
  ["schedule", ScheduleId, "schedule_not_found"],
  ["webhook", WebhookId, "webhook_not_found"],
] as const satisfies readonly (readonly [string, z.ZodType, ProblemCode])[];

export function readPathId(pattern: string): (c: Ctx) => Result<object> {
  if (pattern.startsWith("/v1/threads/:id"))
    return (c) => {
      const at = threadAt(c);
      return at.ok ? ok({ at: at.value }) : at;
    };
  const named = NAMED.find(([name]) => pattern.includes(`/:${name}`));
  if (!named) return () => NONE;
  const [name, schema, code] = named;
  return (c) => {
    const id = schema.safeParse(c.req.param(name));
    return id.success ? ok({ [name]: id.data }) : fail(code, `There is no such ${name}.`);
  };
}

const NONE = ok({});

export function threadAt(c: Ctx): Result<ThreadRef> {
  const thread = c.req.param("id") ?? "";
  if (!isThreadId(thread)) return fail("thread_not_found", "There is no such thread.");
  return ok({ tenant: c.get("caller").tenant, thread });
}
