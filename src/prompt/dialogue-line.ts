// The dialogue of an entry: what the user wrote, what the user was told, and what the runtime says when a gate expired.
// Corrections and observations are not part of it.
import type { TurnInput } from "../schema/input.ts";
import type { Entry } from "../schema/record.ts";

export type DialogueLine = { readonly role: "user" | "assistant" | "runtime"; readonly text: string };

export function dialogueLines(entry: Entry): readonly DialogueLine[] {
  const lines: DialogueLine[] = [];
  if (entry.create?.goal) lines.push({ role: "user", text: entry.create.goal });
  const userLine = entry.input ? userText(entry.input) : null;
  if (userLine) lines.push({ role: "user", text: userLine });
  if (entry.closed_gate?.text) lines.push({ role: "runtime", text: entry.closed_gate.text });
  if (entry.speak) lines.push({ role: "assistant", text: entry.speak });
  return lines;
}

/** null if the input contains no text of the user. */
export function userText(input: TurnInput): string | null {
  switch (input.type) {
    case "message":
      return input.text;
    case "answer":
      return input.choice ?? input.text ?? null;
    case "confirm":
      // The reason for rejecting a plan appears nowhere else.
      return input.decision === "reject" ? withNote("(rejected)", input.reason) : null;
    case "resolve":
      return withNote(`(${input.outcome.replaceAll("_", " ")})`, input.note);
    case "cancel":
    case "reset":
    case "revoke":
    case "tool_result":
    case "lease":
    // The role reads them in its instructions.
    case "resume":
    case "poke":
      return null;
  }
}

const withNote = (mark: string, note: string | undefined): string => (note ? `${mark} ${note}` : mark);
