// The offline model: deterministic, without network or API key. Reads only the four messages a real model would get.
import type { Model } from "../../ports/model.ts";
import { ok } from "../../schema/problem.ts";
import { decidePlan, decideStep } from "./decide.ts";
import { writeDelivery } from "./deliver.ts";
import { deliverEvents, planEvents, stepEvents, worksOnEvents } from "./events/decide-events.ts";
import { applyMisbehaviour } from "./misbehave.ts";
import { type ParsedPrompt, parsePrompt } from "./parse-prompt.ts";
import { misbehaviourIn } from "./parse-request.ts";
import { playRole } from "./role.ts";

const CHUNK_CHARS = 12;

export function createDemoModel(): Model {
  return {
    name: "demo",
    window: 32_768,
    max_output_tokens: 2048,
    prices: { input_per_million: 0, output_per_million: 0 },
    reply: async ({ messages, onText }) => {
      const prompt = parsePrompt(messages);
      const text = applyMisbehaviour(misbehaviourIn(prompt), prompt, playRole(messages) ?? correctReply(prompt));
      if (onText) for (const chunk of chunks(text)) onText(chunk);
      return ok({ text, model: "demo", usage: null });
    },
  };
}

function correctReply(prompt: ParsedPrompt): string {
  const onEvents = worksOnEvents(prompt);
  switch (prompt.expectedReply) {
    case "plan":
      return JSON.stringify(onEvents ? planEvents(prompt) : decidePlan(prompt));
    case "execute":
      return JSON.stringify(onEvents ? stepEvents(prompt) : decideStep(prompt));
    case "delivery":
      return onEvents ? deliverEvents(prompt) : writeDelivery(prompt);
  }
}

/** A few characters at a time, like a streaming model. */
function* chunks(text: string): Generator<string> {
  const characters = [...text];
  for (let i = 0; i < characters.length; i += CHUNK_CHARS) yield characters.slice(i, i + CHUNK_CHARS).join("");
}
