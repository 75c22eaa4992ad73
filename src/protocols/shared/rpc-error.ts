// Converts problems to JSON-RPC errors, including problems that occur before a handler runs, such as a missing key, a
// method that is not allowed, or an unknown route.
import * as z from "zod";
import type { ProblemForm } from "../../http/env.ts";
import { respondRefusal } from "../../http/respond.ts";
import type { Problem } from "../../schema/problem.ts";

export const RpcError = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).nullable(),
  error: z.looseObject({ code: z.int(), message: z.string() }),
});

/** The id is null, because the request and its id may not have been read. */
export const rpcErrors = (prefix: string, body: (problem: Problem) => object): ProblemForm => ({
  prefix,
  respond: (c, problem, headers) => respondRefusal(c, problem, body(problem), headers),
});
