// The inbox: every open gate of the tenant, with the thread it belongs to.
import { hasExpired } from "../../schema/gate.ts";
import type { Meta } from "../../schema/meta.ts";
import { problem } from "../../schema/problem.ts";
import type { Ctx } from "../env.ts";
import { hydrateGate } from "../hydrate-gate.ts";
import { respondProblem } from "../respond.ts";
import { respondThreadPage } from "./threads.ts";

/** A page of gates stays small: large arguments come only where `arguments=whole` asks for them. */
export async function listGates(c: Ctx): Promise<Response> {
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
