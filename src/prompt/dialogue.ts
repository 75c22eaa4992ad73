// Message [1]: the goal and what was really said, newest lines in full, older ones shortened, the oldest as stored digest lines.
import type { Entry, Thread } from "../schema/record.ts";
import { cutChars } from "./cut.ts";
import { type Line, linesOf } from "./dialogue-line.ts";
import { estimateTokens } from "./estimate.ts";

/** How many characters a line may have, from roomy to bare. Each level is below the one before in everything. */
const LEVELS = [
  { goal: 2000, newest: 16_384, user: 4000, assistant: 1200, folded: true },
  { goal: 1000, newest: 4000, user: 800, assistant: 240, folded: true },
  { goal: 500, newest: 1000, user: 200, assistant: 100, folded: true },
  { goal: 240, newest: 400, user: 80, assistant: 40, folded: false },
  { goal: 120, newest: 160, user: 0, assistant: 0, folded: false },
] as const;
type Level = (typeof LEVELS)[number];

export const DIALOGUE_LEFT_OUT = "(dialogue left out: no room)";

export type FittedDialogue = {
  readonly text: string;
  readonly tokens: number;
  /** 0 when every line is as long as lines may be. */
  readonly level: number;
};

/** `incoming` is what the user wrote for this very turn: it is in no entry yet, and the model must see it. */
export function fitDialogue(thread: Thread, incoming: string | null, room: number): FittedDialogue {
  const lines = settledLines(thread);
  for (const [level, size] of LEVELS.entries()) {
    const text = renderDialogue(thread, lines, incoming, size);
    const tokens = estimateTokens(text);
    if (tokens <= room) return { text, tokens, level };
  }
  return { text: DIALOGUE_LEFT_OUT, tokens: estimateTokens(DIALOGUE_LEFT_OUT), level: LEVELS.length };
}

/** The entry of this very turn, when the caller has put it there before it is committed. */
export const draftOf = ({ entries, version }: Thread): Entry | null => {
  const newest = entries.at(-1);
  return newest && newest.version > version ? newest.entry : null;
};

/** What the user says in the draft of this turn's own entry is news, not a line of the past. */
export const newsOf = (thread: Thread): string | null => {
  const draft = draftOf(thread);
  return (draft && linesOf(draft).find((line) => line.who === "user")?.text) ?? null;
};

function settledLines(thread: Thread): readonly Line[] {
  const draft = draftOf(thread);
  return thread.entries.flatMap(({ entry }) => linesOf(entry).filter(({ who }) => entry !== draft || who !== "user"));
}

function renderDialogue(thread: Thread, lines: readonly Line[], incoming: string | null, size: Level): string {
  const { goal, dialogue } = thread.state;
  const newest = incoming === null ? lines.findLastIndex((line) => line.who === "user") : -1;
  const said = lines.flatMap((line, i) => {
    const max = i === newest ? size.newest : size[line.who === "user" ? "user" : "assistant"];
    return max === 0 ? [] : [renderLine(line, max, goal)];
  });
  const left = lines.length - said.length + (size.folded ? 0 : dialogue.lines.length) + dialogue.dropped;
  return [
    "# Dialogue",
    `Goal of this run: ${goal === "" ? "(none yet)" : indented(cutChars(goal, size.goal))}`,
    ...(left > 0 ? [`(${left} older lines are left out)`] : []),
    ...(size.folded && dialogue.lines.length > 0 ? ["Earlier, shortened:", ...dialogue.lines, "Since then:"] : []),
    ...said,
    ...(incoming === null ? [] : [`user (new in this turn): ${indented(cutChars(incoming, size.newest))}`]),
  ].join("\n");
}

const renderLine = ({ who, text }: Line, max: number, goal: string): string =>
  `${who}: ${who === "user" && text === goal ? "(the goal above)" : indented(cutChars(text, max))}`;

// Further lines of one text are set in, so that nobody can write a line of the other side.
const indented = (text: string): string => text.replace(/\r\n|[\r\n\u2028\u2029]/g, "\n  ");
