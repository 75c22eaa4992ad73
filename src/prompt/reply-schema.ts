// The reply format as JSON Schema, for providers with structured output. It only helps the model; the parser decides.
import type { ModelRequest, Purpose } from "../ports/model.ts";
import { EXECUTE_ACTIONS, PLAN_ACTIONS } from "../schema/decision/decision.ts";
import { NEEDS, PLAN_STEPS_MAX } from "../schema/plan.ts";

type JsonSchema = Record<string, unknown>;

const nullableText = (description: string): JsonSchema => ({ type: ["string", "null"], description });

// One flat object instead of a union per action: providers differ in their support of unions, and the parser checks which
// action has which fields. A field that does not apply is null or omitted.
const flatObject = (properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });

const SPOKEN_FIELDS = {
  speak: nullableText("What the user hears, in the language of the user."),
  reason: nullableText("One sentence for the log."),
};

const EXECUTE_SCHEMA = flatObject(
  {
    action: { type: "string", enum: EXECUTE_ACTIONS },
    ...SPOKEN_FIELDS,
    goal_check: nullableText("What was reached and which receipt shows it. Only with next_plan and done."),
    tool_call: nullable(
      flatObject(
        {
          name: { type: "string" },
          // Free-form: every tool has its own arguments, and they are validated against its manifest.
          arguments: { type: "object", additionalProperties: true },
        },
        ["name", "arguments"],
      ),
    ),
    abort: nullable(
      flatObject(
        {
          code: nullableText("A short code."),
          user_message: { type: "string" },
          internal_reason: nullableText("For the log."),
        },
        ["user_message"],
      ),
    ),
  },
  ["action"],
);

const PLAN_SCHEMA = flatObject(
  {
    action: { type: "string", enum: PLAN_ACTIONS },
    ...SPOKEN_FIELDS,
    plan_steps: nullable({
      type: "array",
      maxItems: PLAN_STEPS_MAX,
      items: flatObject(
        {
          content: { type: "string" },
          done_when: nullableText("How one can tell that the step is done."),
          needs: { type: ["string", "null"], enum: [...NEEDS, null] },
        },
        ["content"],
      ),
    }),
  },
  ["action"],
);

/** null for plain text. */
export function replySchema(purpose: Purpose): ModelRequest["schema"] {
  switch (purpose) {
    case "plan":
      return { name: "plan_decision", schema: PLAN_SCHEMA };
    case "execute":
      return { name: "execute_decision", schema: EXECUTE_SCHEMA };
    case "deliver":
      return null;
  }
}
