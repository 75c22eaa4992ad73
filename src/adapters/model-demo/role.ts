// Acts as a role of a workflow: finishes immediately, and fills in the last variant of the output format. Every workflow
// without tools thus reaches its end and leaves a loop at the first opportunity.
import type { ModelMessage } from "../../ports/model.ts";

/** Returns null if the messages are not those of a role. */
export function playRole(messages: readonly ModelMessage[]): string | null {
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
