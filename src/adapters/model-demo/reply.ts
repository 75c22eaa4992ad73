// Writes the demo model's reply. The file is loaded on the first request, because hosts that use another model never
// need it.
import type { ModelMessage } from "../../ports/model.ts";
import { decidePlan, decideStep } from "./decide.ts";
import { writeDelivery } from "./deliver.ts";
import { deliverEvents, planEvents, stepEvents, worksOnEvents } from "./events/decide-events.ts";
import { applyMisbehaviour } from "./misbehave.ts";
import { type ParsedPrompt, parsePrompt } from "./parse-prompt.ts";
import { misbehaviourIn } from "./parse-request.ts";
import { playRole } from "./role.ts";

export function demoReply(messages: readonly ModelMessage[]): string {
  const prompt = parsePrompt(messages);
  return applyMisbehaviour(misbehaviourIn(prompt), prompt, playRole(messages) ?? correctReply(prompt));
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
