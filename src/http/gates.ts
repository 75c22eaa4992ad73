// The inbox: every open gate of the tenant, with the thread it belongs to.
import type { Ctx } from "./env.ts";
import { listMetas } from "./threads.ts";

export const listGates = (c: Ctx): Promise<Response> =>
  listMetas(c, { gated: true }, (metas) => ({
    gates: metas.map(({ thread, goal, gate }) => ({ thread, goal, gate })),
  }));
