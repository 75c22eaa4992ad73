// Defines the reply format as JSON Schema, for providers with structured output. It only helps the model; the parser decides.
import type { ModelRequest, Purpose } from "../ports/model.ts";
import { CHOICES_MAX, QUESTIONS_MAX } from "../schema/decision/questions.ts";
import { deepFreeze } from "../schema/json/deep-freeze.ts";
import { NEEDS, PLAN_STEPS_MAX } from "../schema/plan.ts";
import { STEP_RESULT_CHARS, type ThreadState } from "../schema/thread.ts";
import { possibleActions, possiblePlanActions } from "../turn/judge/step-proof.ts";

type JsonSchema = Record<string, unknown>;

const nullableText = (description: string): JsonSchema => ({ type: ["string", "null"], description });

// Builds one flat object instead of a union per action, because providers differ in their support of unions. The parser checks which action has
// which fields. A field that does not apply is null or omitted.
const flatObject = (properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });

const SPOKEN_FIELDS = {
  speak: nullableText("The text that the user reads, in the language of the user."),
  reason: nullableText("One sentence for the record, such as what you found."),
};

const TEXT_LIST = { type: "array", maxItems: CHOICES_MAX, items: { type: "string" } };
const QUESTIONS = {
  type: "array",
  maxItems: QUESTIONS_MAX,
  items: flatObject(
    {
      question: { type: "string" },
      choices: nullable(TEXT_LIST),
      multiple: { type: ["boolean", "null"], description: "true if several choices may be taken." },
    },
    ["question"],
  ),
};
const ABORT = flatObject(
  {
    code: nullableText("A short code."),
    user_message: { type: "string" },
    internal_reason: nullableText("For the log."),
  },
  ["user_message"],
);
const TOOL_CALL = flatObject(
  {
    name: { type: "string" },
    // Free-form, because every tool has its own arguments. They are validated against its manifest.
    arguments: { type: "object", additionalProperties: true },
  },
  ["name", "arguments"],
);
const FINISHES_STEP = {
  type: ["boolean", "null"],
  description: "true only if any success of this call completes the step.",
};
const PLAN_STEPS = {
  type: "array",
  maxItems: PLAN_STEPS_MAX,
  items: flatObject(
    {
      content: { type: "string" },
      done_when: nullableText("How one can tell that the step is done."),
      needs: { type: ["string", "null"], enum: [...NEEDS.filter((needs) => needs !== "any"), null] },
    },
    ["content"],
  ),
};

/** A field and its actions. It is offered only if one of these actions is possible. */
type Field = { readonly actions: readonly string[]; readonly schema: JsonSchema };

const EXECUTE_FIELDS: Readonly<Record<string, Field>> = {
  goal_check: {
    actions: ["next_plan", "done"],
    schema: nullableText(`The result first: ids, places, values. Up to ${STEP_RESULT_CHARS} characters are kept.`),
  },
  delivery: { actions: ["done"], schema: nullableText("The whole summary for the user.") },
  choices: { actions: ["ask_user"], schema: nullable(TEXT_LIST) },
  questions: { actions: ["ask_user"], schema: nullable(QUESTIONS) },
  tool_call: { actions: ["continue", "confirm"], schema: nullable(TOOL_CALL) },
  finishes_step: {
    actions: ["continue", "confirm"],
    schema: FINISHES_STEP,
  },
  abort: { actions: ["abort"], schema: nullable(ABORT) },
};

const PLAN_FIELDS: Readonly<Record<string, Field>> = {
  plan_steps: { actions: ["plan_done"], schema: nullable(PLAN_STEPS) },
  tool_call: { actions: ["plan_done"], schema: nullable(TOOL_CALL) },
  finishes_step: { actions: ["plan_done"], schema: FINISHES_STEP },
  choices: { actions: ["ask_user"], schema: nullable(TEXT_LIST) },
  questions: { actions: ["ask_user"], schema: nullable(QUESTIONS) },
  abort: { actions: ["abort"], schema: nullable(ABORT) },
};

/** Caches schemas. The cache stays small, because few lists of actions occur and the schema depends only on them. */
const schemaCache = new Map<string, NonNullable<ModelRequest["schema"]>>();

function cachedSchema(
  name: string,
  actions: readonly string[],
  fields: Readonly<Record<string, Field>>,
): NonNullable<ModelRequest["schema"]> {
  const key = `${name} ${actions.join()}`;
  const cached = schemaCache.get(key);
  if (cached) return cached;
  const made = deepFreeze({ name, schema: decisionSchema(actions, fields) });
  schemaCache.set(key, made);
  return made;
}

function decisionSchema(actions: readonly string[], fields: Readonly<Record<string, Field>>): JsonSchema {
  const offered = Object.entries(fields).filter(([, field]) =>
    field.actions.some((action) => actions.includes(action)),
  );
  const properties = Object.fromEntries(offered.map(([name, { schema }]) => [name, schema]));
  return flatObject({ action: { type: "string", enum: actions }, ...SPOKEN_FIELDS, ...properties }, ["action"]);
}

/** Narrowed to what this state accepts. Null for plain text. */
export function replySchema(purpose: Purpose, state: ThreadState): ModelRequest["schema"] {
  switch (purpose) {
    case "plan":
      return cachedSchema("plan_decision", possiblePlanActions(state), PLAN_FIELDS);
    case "execute":
      return cachedSchema("execute_decision", possibleActions(state), EXECUTE_FIELDS);
    case "deliver":
      return null;
  }
}
