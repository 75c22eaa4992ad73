// Is it alive; can it work.
import { LOCAL_TENANT } from "../../schema/ids.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";

export const healthz = (c: Ctx): Response => c.json({ ok: true, release: c.get("options").release });

/** Ready means that the store answers. */
export async function readyz(c: Ctx): Promise<Response> {
  const listed = await c.get("options").rt.store.list(LOCAL_TENANT, { limit: 1 });
  return listed.ok ? c.json({ ok: true }) : respondProblem(c, listed.problem);
}
