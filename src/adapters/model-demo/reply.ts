// Writes the demo model's reply. The file is loaded on the first request, because hosts that use another model never
// need it.
import type { ModelMessage } from "../../ports/model.ts";
import { decidePlan, decideStep } from "./decide.ts";
import { writeDelivery } from "./deliver.ts";
import { deliverEvents, planEvents, stepEvents, usesEventCalendar } from "./events/decide-events.ts";
import { type ParsedPrompt, parsePrompt } from "./parse-prompt.ts";
import { type Misbehavior, misbehaviorIn } from "./parse-request.ts";

export function demoReply(messages: readonly ModelMessage[]): string {
  const prompt = parsePrompt(messages);
  return applyMisbehavior(misbehaviorIn(prompt), prompt, playRole(messages) ?? correctReply(prompt));
}

function correctReply(prompt: ParsedPrompt): string {
  const onEvents = usesEventCalendar(prompt);
  switch (prompt.expectedReply) {
    case "plan":
      return JSON.stringify(onEvents ? planEvents(prompt) : decidePlan(prompt));
    case "execute":
      return JSON.stringify(onEvents ? stepEvents(prompt) : decideStep(prompt));
    case "delivery":
      return onEvents ? deliverEvents(prompt) : writeDelivery(prompt);
  }
}

/** Returns null if the messages are not those of a role. */
function playRole(messages: readonly ModelMessage[]): string | null {
  const [system = "", , , state = ""] = messages.map(({ content }) => content);
  const format = /^## Deliverable format$([\s\S]*?)^If you cannot go on without a person/m.exec(system)?.[1];
  if (format === undefined) return null;
  if (!/^Write the deliverable of your role/m.test(state))
    return JSON.stringify({
      action: "done",
      speak: "I have enough information.",
      goal_check: "The deliverable can be written.",
    });
  const forms = [...format.matchAll(/^```\n---\n([\s\S]*?)^---\n/gm)].map(([, fields = ""]) => fields);
  const role = /You are the role (.*?)\. Earlier/.exec(system)?.[1] ?? "role";
  const task = /^## Task\n(.*)$/m.exec(system)?.[1] ?? "";
  return `---\n${fillIn(forms.at(-1) ?? "")}---\n${role}: a sample deliverable for “${task}”.\n`;
}

const fillIn = (form: string): string =>
  form.replace(/^(\S+): <([^>]*)>$/gm, (_line, name: string, field: string) => `${name}: ${sample(name, field)}`);

function sample(name: string, field: string): string {
  const type = field.replace(/, (required|optional).*$/, "");
  if (type.includes(" | ")) return type.split(" | ")[0] ?? "";
  if (type.startsWith("list of")) return `[${JSON.stringify(`a sample of ${name}`)}]`;
  if (type === "integer" || type === "number") return "1";
  if (type === "boolean") return "true";
  return type === "object" ? "{}" : JSON.stringify(`a sample of ${name}`);
}

/** Both replies are corrected within the turn; the third one is valid. */
const GARBAGE_REPLIES = ["Sure, I will take care of it right away!", '{"action":"finish","speak":"All set"'];

/**
 * Makes mistakes on request, to demonstrate how the runtime handles them. The mistakes are bad replies, "done" without
 * proof, and an unconfirmed write.
 */
function applyMisbehavior(kind: Misbehavior | null, prompt: ParsedPrompt, correct: string): string {
  switch (kind) {
    case "garbage":
      return isFirstDecision(prompt) ? (GARBAGE_REPLIES[prompt.corrections] ?? correct) : correct;
    case "early-done":
      return isBeforeProof(prompt)
        ? JSON.stringify({ action: "done", goal_check: "I am sure that it is done." })
        : correct;
    case "unconfirmed-write":
      return prompt.expectedReply === "execute"
        ? correct.replace('"action":"confirm"', '"action":"continue"')
        : correct;
    case null:
      return correct;
  }
}

/** Also true in a turn with a new message, which may request another mistake. */
const isFirstDecision = ({ hasNewMessage, expectedReply, planned, receipts }: ParsedPrompt): boolean => {
  if (hasNewMessage) return expectedReply !== "delivery";
  return expectedReply === "plan" || (expectedReply === "execute" && !planned && receipts.length === 0);
};

/** After the correction the model behaves correctly. */
const isBeforeProof = (prompt: ParsedPrompt): boolean =>
  prompt.expectedReply === "execute" &&
  prompt.step + 1 === prompt.steps &&
  prompt.receipts.length === 0 &&
  !prompt.write_failed &&
  prompt.corrections === 0;
