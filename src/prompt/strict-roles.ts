// For providers that insist on alternating roles: the two assistant messages become part of one delimited user message.
import type { ModelMessage } from "../ports/model.ts";

/** Four messages in, two out: system and user. Nothing is lost; the parts stay told apart by their tags. */
export function mergeForStrictRoles(messages: readonly ModelMessage[]): ModelMessage[] {
  const [system, dialogue, window, state] = messages;
  if (!system || !dialogue || !window || !state) return [...messages];
  return [
    system,
    {
      role: "user",
      content: [part("dialogue", dialogue.content), part("record", window.content), state.content].join("\n\n"),
    },
  ];
}

// A text inside that spells the closing tag must not end the part early.
function part(name: string, content: string): string {
  const closing = new RegExp(`</(?=\\s*${name}\\s*>)`, "gi");
  return `<${name}>\n${content.replace(closing, "<\\/")}\n</${name}>`;
}
