// The open gates of the tenant, each with the thread it belongs to.
import { z } from "zod";
import { hasExpired } from "../../schema/gate.ts";
import type { Meta } from "../../schema/meta.ts";
import { problem } from "../../schema/problem.ts";
import { CURSOR_PARAMETER, LIMIT_PARAMETER, respondThreadPage } from "../edge/thread-page.ts";
import type { Ctx } from "../env.ts";
import { hydrateGate } from "../hydrate-gate.ts";
import { GateList } from "../openapi/response-schemas.ts";
import { respondProblem } from "../respond.ts";
import { type Route, route } from "../route.ts";

export const gateRoutes: readonly Route[] = [
  route(["get", "/v1/gates", "read"], listGates, {
    id: "listGates",
    summary: "List the open gates of all threads",
    query: {
      limit: LIMIT_PARAMETER,
      cursor: CURSOR_PARAMETER,
      arguments: {
        schema: z.literal("whole").optional(),
        description: "Include arguments above 4 KB, which are null by default. GET thread always includes them.",
      },
    },
    responses: { 200: { description: "One page.", schema: GateList } },
    problems: ["request_invalid", "cursor_invalid"],
  }),
];

/** Pages stay small: large arguments are loaded only with `arguments=whole`. */
async function listGates(c: Ctx): Promise<Response> {
  const argumentsMode = c.req.query("arguments");
  if (argumentsMode !== undefined && argumentsMode !== "whole") {
    return respondProblem(c, problem("request_invalid", 'arguments: only "whole".', { field: "arguments" }));
  }
  const now = c.get("options").rt.clock.now();
  const isOpen = ({ gate }: Meta): boolean => gate !== null && !hasExpired(gate, now);
  return respondThreadPage(c, { gated: true }, async (metas) => ({
    gates: await Promise.all(metas.filter(isOpen).map((meta) => gateView(c, meta, argumentsMode === "whole"))),
  }));
}

async function gateView(c: Ctx, { thread, goal, gate }: Meta, whole: boolean) {
  if (!whole) return { thread, goal, gate };
  const at = { tenant: c.get("caller").tenant, thread };
  return { thread, goal, gate: await hydrateGate(c.get("options").rt, at, gate) };
}
