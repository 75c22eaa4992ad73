// For providers that require alternating user and assistant roles. Changes the roles, never the content.
import type { ModelMessage } from "../../ports/model.ts";

/** Messages before the first real turn of the user are records: they are moved into that message, each inside a tag. */
export function alternateRoles(messages: readonly ModelMessage[]): ModelMessage[] {
  const system = messages.filter((message) => message.role === "system");
  const conversation = messages.filter((message) => message.role !== "system");
  const firstUser = conversation.findIndex((message) => message.role === "user");
  const afterUsers = conversation.findIndex((message, i) => i > firstUser && message.role !== "user");
  // The last of the first user messages; the ones before it are records.
  const start = firstUser < 0 ? conversation.length : (afterUsers < 0 ? conversation.length : afterUsers) - 1;
  const wrapped = conversation.slice(0, start).map((message, i) => ({
    role: "user" as const,
    content: wrapInTag(i === 0 ? "dialogue" : "record", message.content),
  }));
  return [...mergeSameRole(system), ...mergeSameRole([...wrapped, ...conversation.slice(start)])];
}

/** The content must not close the tag: escapes a closing tag in the text. */
function wrapInTag(tag: string, content: string): string {
  const safe = content.replaceAll(new RegExp(`</(?=\\s*${tag}\\s*>)`, "gi"), "<\\/");
  return `<${tag}>\n${safe}\n</${tag}>`;
}

function mergeSameRole(messages: readonly ModelMessage[]): ModelMessage[] {
  const merged: ModelMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role) {
      merged[merged.length - 1] = { role: last.role, content: `${last.content}\n\n${message.content}` };
    } else {
      merged.push(message);
    }
  }
  return merged;
}
