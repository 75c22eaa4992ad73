// A path that is there, asked with a method that is not: told which ones are. OPTIONS asks for just that.
import { problem } from "../../schema/problem.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";

export const methodNotAllowed =
  (methods: readonly string[]) =>
  (c: Ctx): Response => {
    c.header("allow", [...methods, "OPTIONS"].join(", "));
    if (c.req.method === "OPTIONS") return c.body(null, 204);
    return respondProblem(c, problem("method_not_allowed", `${c.req.method} is not a method of this route.`));
  };
