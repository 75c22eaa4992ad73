// The route that returns the progress log of a tool call: the lines that the tool reported while running, in order.
import * as z from "zod";
import { OperationId } from "../../schema/ids.ts";
import { fail } from "../../schema/problem.ts";
import { integerQuery } from "../edge/headers.ts";
import type { Ctx } from "../env.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type ReadThread, type Route, route } from "../route.ts";

export const operationRoutes: readonly Route[] = [
  route(["get", "/v1/threads/:id/operations/:op", "read"], getOperation, {
    id: "getOperation",
    summary: "Read the progress log of a call",
    description:
      "For calls that stream output or report progress. `operation_id` is in every event of the call and in its record.",
    query: {
      after: { schema: z.int().min(-1).optional(), description: "Only lines with a higher n; -1 for all." },
      limit: { schema: z.int().min(1).max(1000).optional(), description: "Maximum number of lines; 200 by default." },
    },
    responses: { 200: { description: "One page of the log.", schema: "OperationPage" } },
    problems: ["operation_not_found", "thread_not_found", "request_invalid"],
  }),
];

async function getOperation(c: Ctx, { at }: ReadThread): Promise<Answer> {
  const { rt } = c.get("options");
  const id = OperationId.safeParse(c.req.param("op"));
  const log = rt.operation_log;
  if (!id.success || !log) return fail("operation_not_found", "There is no log of this operation.");
  const after = integerQuery(c, "after", -1, -1, Number.MAX_SAFE_INTEGER);
  if (!after.ok) return after;
  const limit = integerQuery(c, "limit", 200, 1, 1000);
  if (!limit.ok) return limit;
  const page = await log.read(at, id.data, { after: after.value, limit: limit.value });
  if (!page.ok) return page;
  return respondJson(c, { operation_id: id.data, lines: page.value.lines, after: page.value.after });
}
