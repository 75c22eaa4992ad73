// An existing path with an unsupported method: 405 with the allowed ones. OPTIONS returns only that list.
import { problem } from "../../schema/problem.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";

export const methodNotAllowed =
  (methods: readonly string[]) =>
  (c: Ctx): Response => {
    c.header("allow", [...methods, "OPTIONS"].join(", "));
    if (c.req.method === "OPTIONS") return c.body(null, 204);
    return respondProblem(c, problem("method_not_allowed", `This route does not support ${c.req.method}.`));
  };
