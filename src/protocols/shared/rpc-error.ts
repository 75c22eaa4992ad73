// Problems in the form of JSON-RPC, also those that are found before a handler runs: no key, another method, no such route.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod";
import type { Ctx, ProblemForm } from "../../http/env.ts";
import { setProblemHeaders } from "../../http/respond.ts";
import type { Problem } from "../../schema/problem.ts";

export const RpcError = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).nullable(),
  error: z.looseObject({ code: z.int(), message: z.string() }),
});

/** The error has no id, because the request may not have been read. */
export const rpcErrors = (prefix: string, body: (problem: Problem) => object): ProblemForm => ({
  prefix,
  respond: (c, problem) => respondRpcError(c, problem, body(problem)),
});

export function respondRpcError(c: Ctx, problem: Problem, body: object): Response {
  setProblemHeaders(c, problem);
  return c.json(body, problem.status as ContentfulStatusCode);
}
