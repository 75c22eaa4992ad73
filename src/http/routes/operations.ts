// What a call told on its way, told again in the same order.
import { OperationId } from "../../schema/ids.ts";
import { problem } from "../../schema/problem.ts";
import { integerQuery } from "../edge/headers.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { threadAt } from "./threads.ts";

export async function getOperation(c: Ctx): Promise<Response> {
  const { rt } = c.get("options");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const id = OperationId.safeParse(c.req.param("op"));
  const log = rt.operation_log;
  if (!id.success || !log)
    return respondProblem(c, problem("operation_not_found", "There is no log of such an operation here."));
  const after = integerQuery(c, "after", -1, -1, Number.MAX_SAFE_INTEGER);
  if (!after.ok) return respondProblem(c, after.problem);
  const limit = integerQuery(c, "limit", 200, 1, 1000);
  if (!limit.ok) return respondProblem(c, limit.problem);
  const page = await log.read(at.value, id.data, { after: after.value, limit: limit.value });
  if (!page.ok) return respondProblem(c, page.problem);
  return c.json({ operation_id: id.data, lines: page.value.lines, after: page.value.after });
}
