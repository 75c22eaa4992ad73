// The route that lists the open gates of a tenant, each with its thread.
import * as z from "zod";
import { GateKind, hasExpired, isLeased } from "../../schema/gate.ts";
import type { Meta } from "../../schema/meta.ts";
import { fail } from "../../schema/problem.ts";
import { CURSOR_PARAMETER, LIMIT_PARAMETER, respondThreadPage } from "../edge/thread-page.ts";
import type { Ctx } from "../env.ts";
import { hydrateGate } from "../hydrate-gate.ts";
import { type Answer, type Route, route } from "../route.ts";

export const gateRoutes: readonly Route[] = [
  route(["get", "/v1/gates", "read"], listGates, {
    id: "listGates",
    summary: "List the open gates of all threads",
    description:
      "`kind=external` is the queue of calls that run in clients. A worker leases a call with the input `lease`, runs it and sends its `tool_result`. A page with a filter may be shorter than its limit; `cursor` says whether more follow.",
    query: {
      kind: { schema: GateKind.optional(), description: "Only gates of this kind." },
      unleased: {
        schema: z.literal("true").optional(),
        description: "With kind=external: only calls that no worker has leased.",
      },
      limit: LIMIT_PARAMETER,
      cursor: CURSOR_PARAMETER,
      arguments: {
        schema: z.literal("whole").optional(),
        description: "Include arguments above 4 KB, which are null by default. GET thread always includes them.",
      },
    },
    responses: { 200: { description: "One page.", schema: "GateList" } },
    problems: ["request_invalid", "cursor_invalid"],
  }),
];

/** To keep pages small, large arguments are loaded only with `arguments=whole`. */
async function listGates(c: Ctx): Promise<Answer> {
  const argumentsMode = c.req.query("arguments");
  if (argumentsMode !== undefined && argumentsMode !== "whole") {
    return fail("request_invalid", 'arguments: only "whole".', { field: "arguments" });
  }
  const kind = GateKind.optional().safeParse(c.req.query("kind"));
  if (!kind.success)
    return fail("request_invalid", `kind: must be one of ${GateKind.options.join(", ")}.`, { field: "kind" });
  const unleased = c.req.query("unleased");
  if (unleased !== undefined && (unleased !== "true" || kind.data !== "external"))
    return fail("request_invalid", "unleased: must be true, and is allowed only with kind=external.", {
      field: "unleased",
    });
  const now = c.get("options").rt.clock.now();
  const isOpen = ({ gate }: Meta): boolean =>
    gate !== null &&
    !hasExpired(gate, now) &&
    (kind.data === undefined || gate.kind === kind.data) &&
    !(unleased && isLeased(gate, now));
  return respondThreadPage(c, { gated: true }, async (metas) => ({
    gates: await Promise.all(metas.filter(isOpen).map((meta) => gateView(c, meta, argumentsMode === "whole"))),
  }));
}

async function gateView(c: Ctx, { thread, goal, gate, parent }: Meta, whole: boolean) {
  const about = { thread, goal, ...(parent ? { on_behalf_of: parent } : {}) };
  if (!whole) return { ...about, gate };
  const at = { tenant: c.get("caller").tenant, thread };
  return { ...about, gate: await hydrateGate(c.get("options").rt, at, gate) };
}
