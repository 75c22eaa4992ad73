// Builds message [1]: the goal and the dialogue. The newest lines are complete, older ones are shortened, and the oldest are stored digest lines.
import { answersText } from "../schema/decision/questions.ts";
import type { TurnInput } from "../schema/input.ts";
import type { Entry, Thread } from "../schema/record.ts";
import { cutChars } from "./cut.ts";
import { type CountedText, countText, estimateTokens, joinLines, quartersToTokens } from "./estimate.ts";
import { type DialogueLine, partsOf } from "./window-entry.ts";

/** Maximum characters per line, from the longest to the shortest level. In each level, every value is smaller than in the one before. */
const LEVELS = [
  { goal: 2000, newest: 16_384, user: 4000, assistant: 1200, folded: true },
  { goal: 1000, newest: 4000, user: 800, assistant: 240, folded: true },
  { goal: 500, newest: 1000, user: 200, assistant: 100, folded: true },
  { goal: 240, newest: 400, user: 80, assistant: 40, folded: false },
  { goal: 120, newest: 160, user: 0, assistant: 0, folded: false },
] as const;
type Level = (typeof LEVELS)[number];

export const DIALOGUE_OMITTED = "(dialogue left out: no room)";

export type FittedDialogue = {
  readonly text: string;
  readonly tokens: number;
  /** The level of the shortening. 0 if no line had to be shortened. */
  readonly level: number;
};

/** `incoming` is the user's message of this turn, which no entry contains yet but the model must see. */
export function fitDialogue(thread: Thread, incoming: string | null, maxTokens: number): FittedDialogue {
  const lines = pastLines(thread);
  for (const [level, size] of LEVELS.entries()) {
    const { text, quarters } = renderDialogue(thread, lines, incoming, size);
    const tokens = quartersToTokens(quarters);
    if (tokens <= maxTokens) return { text, tokens, level };
  }
  return { text: DIALOGUE_OMITTED, tokens: estimateTokens(DIALOGUE_OMITTED), level: LEVELS.length };
}

/** The uncommitted entry of the current turn, if the caller has added it. */
export const draftEntry = ({ entries, version }: Thread): Entry | null => {
  const newest = entries.at(-1);
  return newest && newest.version > version ? newest.entry : null;
};

/** The user's text in the draft is shown as new, not as part of the past. */
export const incomingText = (thread: Thread): string | null => {
  const draft = draftEntry(thread);
  return (draft && dialogueLines(draft).find((line) => line.role === "user")?.text) ?? null;
};

function pastLines(thread: Thread): readonly DialogueLine[] {
  const draft = draftEntry(thread);
  return thread.entries.flatMap(({ entry }) =>
    entry === draft ? dialogueLines(entry).filter(({ role: who }) => who !== "user") : dialogueLines(entry),
  );
}

function renderDialogue(
  thread: Thread,
  lines: readonly DialogueLine[],
  incoming: string | null,
  size: Level,
): CountedText {
  const { goal, dialogue } = thread.state;
  const newest = incoming === null ? lines.findLastIndex((line) => line.role === "user") : -1;
  const rendered = lines.flatMap((line, i) => {
    const max = i === newest ? size.newest : size[line.role === "user" ? "user" : "assistant"];
    return max === 0 ? [] : [renderLine(line, max, goal)];
  });
  const omitted = lines.length - rendered.length + (size.folded ? 0 : dialogue.lines.length) + dialogue.dropped;
  return joinLines([
    "# Dialogue",
    `Goal of this run: ${goal === "" ? "(none yet)" : indented(cutChars(goal, size.goal))}`,
    ...(omitted > 0 ? [`(${omitted} older lines are left out)`] : []),
    ...(size.folded && dialogue.lines.length > 0 ? ["Earlier, shortened:", ...dialogue.lines, "Since then:"] : []),
    ...rendered,
    ...(incoming === null ? [] : [`user (new in this turn): ${indented(cutChars(incoming, size.newest))}`]),
  ]);
}

function renderLine(line: DialogueLine, max: number, goal: string): CountedText | string {
  const { role: who, text } = line;
  if (who === "user" && text === goal) return `${who}: (the goal above)`;
  if (line.shown?.max !== max) line.shown = { max, ...countText(`${who}: ${indented(cutChars(text, max))}`) };
  return line.shown;
}

// Indents continuation lines, so that no text can imitate a line of the other side.
const indented = (text: string): string => text.replace(/\r\n|[\r\n\u2028\u2029]/g, "\n  ");

/** What the user wrote, what the user was shown, and what the runtime noted when a gate expired, without corrections and observations. */
export function dialogueLines(entry: Entry): readonly DialogueLine[] {
  const parts = partsOf(entry);
  parts.dialogue ??= readLines(entry);
  return parts.dialogue;
}

function readLines(entry: Entry): readonly DialogueLine[] {
  const lines: DialogueLine[] = [];
  const add = (role: DialogueLine["role"], text: string | null | undefined): void => {
    if (text) lines.push({ role, text, shown: null });
  };
  add("user", entry.create?.goal);
  add("user", entry.input && userText(entry.input));
  add("runtime", entry.closed_gate?.text);
  add("assistant", entry.speak);
  return lines;
}

/** Null if the input contains no text from the user. */
function userText(input: TurnInput): string | null {
  switch (input.type) {
    case "message":
      return input.text;
    case "answer":
      return input.answers ? answersText(input.answers) : (input.choice ?? input.text ?? null);
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
    // The text of these two is omitted, because the role reads it in its instructions.
    case "resume":
    case "poke":
      return null;
  }
}

const withNote = (mark: string, note: string | undefined): string => (note ? `${mark} ${note}` : mark);
