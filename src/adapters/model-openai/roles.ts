// For providers that insist on user and assistant in turn. Changes who speaks, never what is said.
import type { ModelMessage } from "../../ports/model.ts";

/** What stands before the first user message is a record, not speech: it moves into that message, each part marked. */
export function alternateRoles(messages: readonly ModelMessage[]): ModelMessage[] {
  const system = messages.filter((message) => message.role === "system");
  const talk = messages.filter((message) => message.role !== "system");
  const firstUser = talk.findIndex((message) => message.role === "user");
  const records = firstUser === -1 ? talk : talk.slice(0, firstUser);
  const rest = firstUser === -1 ? [] : talk.slice(firstUser);

  const marked = records.map((message, i) => ({
    role: "user" as const,
    content: mark(i === 0 ? "dialogue" : "record", message.content),
  }));
  return [...join(system), ...join([...marked, ...rest])];
}

/** The mark must not be closed from inside: a closing tag in the text is broken apart. */
function mark(tag: string, content: string): string {
  const safe = content.replaceAll(new RegExp(`</(?=\\s*${tag}\\s*>)`, "gi"), "<\\/");
  return `<${tag}>\n${safe}\n</${tag}>`;
}

function join(messages: readonly ModelMessage[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === message.role) {
      joined[joined.length - 1] = { role: last.role, content: `${last.content}\n\n${message.content}` };
    } else {
      joined.push(message);
    }
  }
  return joined;
}
