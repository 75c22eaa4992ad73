// Reads an execute decision and checks which fields its action may have. The judge decides whether the action is allowed now.
import { ok, type Result } from "../problem.ts";
import { withCallKey } from "./call-alias.ts";
import { EXECUTE_ACTIONS, type ExecuteAction, ExecuteDecision } from "./decision.ts";
import {
  addIssue,
  flattenedText,
  isPlaceholder,
  type JsonObject,
  optionalFlag,
  optionalText,
  ownValue,
  type ParseContext,
} from "./fields.ts";
import { invalidDecision, type ParseIssue } from "./parse-issue.ts";
import { readAction } from "./read-action.ts";
import { readAsked, spokenQuestion } from "./read-questions.ts";
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

const FIELD_NAMES = { tool_call: "a tool_call", abort: "an abort" } as const;
const FIELD_FORMS = { tool_call: "a tool_call {name, arguments}", abort: "an abort {user_message}" } as const;

export function readExecuteDecision(reply: JsonObject): Result<ExecuteDecision> {
  const issues: ParseIssue[] = [];
  const context: ParseContext = { object: withCallKey(reply), path: [], issues };
  const action = readAction(context, EXECUTE_ACTIONS);
  if (action) checkFieldRules(context, action);
  const tool_call = readToolCall(context);
  const abort = readAbort(context);
  const texts = {
    ...(action === "ask_user" ? spokenQuestion(context) : optionalText(context, "speak")),
    ...optionalText(context, "reason"),
    ...flattenedText(context, "goal_check"),
    ...(action === "done" ? optionalText(context, "delivery") : {}),
  };
  const asked = action === "ask_user" ? readAsked(context) : {};
  const flags = tool_call ? optionalFlag(context, "finishes_step") : {};
  if (issues[0]) return invalidDecision(issues[0]);
  const fields = { action, ...texts, ...asked, ...flags, ...(tool_call && { tool_call }), ...(abort && { abort }) };
  // All fields are validated, so parsing cannot fail. It builds the variant with only its own keys, at every level.
  const isFlat = !abort && action !== "ask_user";
  return ok(action && isFlat ? withOwnKeys(action, fields) : ExecuteDecision.parse(fields));
}

/** The keys of each action, in the order of the schema. */
const KEYS = new Map(ExecuteDecision.options.map(({ shape }) => [shape.action.value, Object.keys(shape)]));

/** Returns what parsing would return, usually at a lower cost. */
function withOwnKeys(action: ExecuteAction, fields: JsonObject): ExecuteDecision {
  const decision: JsonObject = {};
  for (const key of KEYS.get(action) ?? []) if (key in fields) decision[key] = fields[key];
  return decision as ExecuteDecision;
}

function checkFieldRules(context: ParseContext, action: ExecuteAction): void {
  for (const key of ["tool_call", "abort"] as const) {
    const value = ownValue(context.object, key);
    const rule = RULES[action][key];
    const absent = isPlaceholder(value);
    if (rule === "required" && absent)
      addIssue(context, [key], value, "nothing", `${FIELD_FORMS[key]} with action ${action}`);
    if (rule === "forbidden" && !absent)
      addIssue(context, [key], value, FIELD_NAMES[key], `none with action ${action}`);
  }
}
