// Converts problems to JSON-RPC errors, including those that are found before a handler runs: a missing key, another
// method, an unknown route.
import * as z from "zod";
import type { ProblemForm } from "../../http/env.ts";
import { respondRefusal } from "../../http/respond.ts";
import type { Problem } from "../../schema/problem.ts";

export const RpcError = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).nullable(),
  error: z.looseObject({ code: z.int(), message: z.string() }),
});

/** Returns errors without an id, because the request may not have been read. */
export const rpcErrors = (prefix: string, body: (problem: Problem) => object): ProblemForm => ({
  prefix,
  respond: (c, problem, headers) => respondRefusal(c, problem, body(problem), headers),
});
