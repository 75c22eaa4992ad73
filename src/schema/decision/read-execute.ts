// The rules of an execute decision: which action carries what. Whether it may happen now is judged elsewhere.

import { ok, type Result } from "../problem.ts";
import { EXECUTE_ACTIONS, type ExecuteAction, ExecuteDecision } from "./decision.ts";
import { flattenedText, isPlaceholder, type JsonObject, own, report, type Source, text, word } from "./fields.ts";
import { type Flaw, refuse } from "./flaw.ts";
import { readAbort, readToolCall } from "./tool-call.ts";

type Rule = "required" | "optional" | "forbidden";

const RULES: Record<ExecuteAction, { readonly tool_call: Rule; readonly abort: Rule }> = {
  continue: { tool_call: "optional", abort: "forbidden" },
  ask_user: { tool_call: "forbidden", abort: "forbidden" },
  confirm: { tool_call: "required", abort: "forbidden" },
  next_plan: { tool_call: "forbidden", abort: "forbidden" },
  done: { tool_call: "forbidden", abort: "forbidden" },
  abort: { tool_call: "forbidden", abort: "required" },
};

const NAMED = { tool_call: "a tool_call", abort: "an abort" } as const;

export function readExecuteDecision(object: JsonObject): Result<ExecuteDecision> {
  const flaws: Flaw[] = [];
  const source: Source = { object, path: [], flaws };
  const action = word(source, "action", EXECUTE_ACTIONS);
  if (action) obey(source, action);
  const tool_call = readToolCall(source);
  const abort = readAbort(source);
  const said = { ...text(source, "speak"), ...text(source, "reason"), ...flattenedText(source, "goal_check") };
  if (flaws[0]) return refuse(flaws[0]);
  // Nothing can be left to refuse here; parsing builds the variant with its own keys and checks that claim.
  return ok(ExecuteDecision.parse({ action, ...said, ...(tool_call && { tool_call }), ...(abort && { abort }) }));
}

function obey(source: Source, action: ExecuteAction): void {
  for (const key of ["tool_call", "abort"] as const) {
    const value = own(source.object, key);
    const rule = RULES[action][key];
    const absent = isPlaceholder(value);
    if (rule === "required" && absent) report(source, [key], value, "nothing", `${NAMED[key]} with action ${action}`);
    if (rule === "forbidden" && !absent) report(source, [key], value, NAMED[key], `none with action ${action}`);
  }
}
