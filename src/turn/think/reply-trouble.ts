// Explains why a reply is not a decision, if the provider reports it: the reply was cut off, refused, or sent as a native tool call.
import type { Model, ModelReply } from "../../ports/model.ts";
import type { Problem } from "../../schema/problem.ts";

/** Puts the cause before the problem, worded both for the model that gets it as a correction and for the operator who reads it. */
export function withReplyTrouble(problem: Problem, model: Pick<Model, "name">, reply: ModelReply): Problem {
  if (problem.code !== "decision_invalid" || !reply.trouble) return problem;
  const { kind } = reply.trouble;
  const cause = describe(model.name, reply.trouble);
  return { ...problem, message: `${cause} ${problem.message}`, details: { ...problem.details, reply: kind, cause } };
}

/** A plain-text reply as the user reads it, or null if the model refused or wrote nothing. */
export function proseOf({ text, trouble }: ModelReply): string | null {
  const prose = text.trim();
  if (prose === "" || trouble?.kind === "refused") return null;
  return trouble?.kind === "cut_off" ? `${prose} …\n\nNote: this text was cut off at ${trouble.limit} tokens.` : prose;
}

function describe(model: string, trouble: NonNullable<ModelReply["trouble"]>): string {
  switch (trouble.kind) {
    case "cut_off":
      return `The reply was cut off at ${trouble.limit} tokens: reply more briefly, or raise models.${model}.max_output_tokens.`;
    case "refused":
      return "The model refused to reply; rephrase the goal, change the agent's instructions, or use another model.";
    case "tool_call":
      if (trouble.offered !== undefined)
        return `The model made a native call of ${JSON.stringify(trouble.name)} that is no decision: call ${trouble.offered}, with the decision as its arguments.`;
      return `The model made a native call of ${JSON.stringify(trouble.name)} instead of replying with JSON: reply with the JSON object, or set models.${model}.decisions to "tools".`;
  }
}
