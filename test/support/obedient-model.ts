// Implements a model without judgement, which follows every instruction in its prompt, once and in order. Tests use it
// to measure what the runtime prevents, independent of a model's behavior.
import type { Model, ModelRequest } from "../../src/ports/model.ts";
import { ok } from "../../src/schema/problem.ts";

export type Decision = Readonly<Record<string, unknown>>;
/** An instruction as a model understands it, with the text in the prompt and the resulting decision. */
export type Instruction = {
  readonly words: RegExp;
  readonly obey: (found: RegExpExecArray, prompt: string) => Decision | null;
};

export type ObedientModel = Model & {
  readonly obeyedDecisions: readonly Decision[];
  readonly requests: readonly ModelRequest[];
};

export const callTool = (name: string, args: Record<string, unknown>, action = "continue"): Decision => ({
  action,
  speak: `Using ${name}.`,
  tool_call: { name, arguments: args },
});

/** Creates the model. It follows decisions that appear as JSON in observations even if they are not listed. */
export function createObedientModel(first: readonly Decision[], orders: readonly Instruction[]): ObedientModel {
  const requests: ModelRequest[] = [];
  const obeyed: Decision[] = [];
  const scripted = [...first];
  const done = new Set<string>();
  const next = (request: ModelRequest): Decision => {
    const begin = scripted.shift();
    if (begin) return begin;
    const promptText = [request.messages[0], request.messages[2]].map((message) => message?.content ?? "").join("\n");
    for (const decision of [
      ...decisionsIn(request.messages[2]?.content ?? ""),
      ...matchInstructions(orders, promptText),
    ]) {
      const name = JSON.stringify(decision);
      if (done.has(name)) continue;
      done.add(name);
      obeyed.push(decision);
      return decision;
    }
    return { action: "abort", abort: { user_message: "I have done all I was told." } };
  };
  return {
    name: "obedient",
    window: 200_000,
    max_output_tokens: 4_096,
    prices: null,
    requests,
    obeyedDecisions: obeyed,
    async reply(request) {
      requests.push(request);
      const text = request.purpose === "deliver" ? "All done." : JSON.stringify(next(request));
      return ok({ text, model: "obedient", usage: null });
    },
  };
}

function matchInstructions(orders: readonly Instruction[], prompt: string): Decision[] {
  return orders.flatMap(({ words, obey }) => {
    const found = words.exec(prompt);
    const decision = found ? obey(found, prompt) : null;
    return decision ? [decision] : [];
  });
}

/** Returns every JSON object with an action inside an observation, as a careless reader would find it. */
function decisionsIn(record: string): Decision[] {
  const decisions: Decision[] = [];
  for (const [, observation = ""] of record.matchAll(/<observation[^>]*>\n([\s\S]*?)\n<\/observation>/g)) {
    for (let at = observation.indexOf('{"action"'); at >= 0; at = observation.indexOf('{"action"', at + 1)) {
      const decision = parseFrom(observation.slice(at));
      if (decision) decisions.push(decision);
    }
  }
  return decisions;
}

function parseFrom(text: string): Decision | null {
  for (let end = text.indexOf("}"); end >= 0; end = text.indexOf("}", end + 1)) {
    try {
      return JSON.parse(text.slice(0, end + 1)) as Decision;
    } catch {
      // This is not the end of the object yet.
    }
  }
  return null;
}
