// What remains in the state of an entry that leaves the loaded range: a short line, later only a count. Used at commit.
import { byteLength } from "../schema/byte-length.ts";
import { type Entry, LOADED_ENTRIES, type Thread } from "../schema/record.ts";
import type { ThreadState } from "../schema/thread.ts";
import { cutBytes, oneLine } from "./cut.ts";
import { linesOf } from "./dialogue-line.ts";
import { readSeen, type Seen, sizeInWords } from "./window-entry.ts";

export type Folded = ThreadState["folded"];
export type FoldedDialogue = ThreadState["dialogue"];

export const FOLDED_LINE_BYTES = 80;
/** With the loaded entries these are the 40 lines a window may have. */
export const FOLDED_LINES_MAX = 23;
export const DIALOGUE_LINES_MAX = 12;
const USER_LINE_BYTES = 160;
const ASSISTANT_LINE_BYTES = 80;
/** Tools come and go with catalogs from outside; the counts must not grow with them. */
const COUNTED_TOOLS_MAX = 24;
const OTHER_TOOLS = "(others)";
const NAME_BYTES = 32;
const ARGUMENTS_BYTES = 16;

/** The state's part after one more record: when the range is full, its oldest entry leaves it. */
export function foldLeaving(thread: Thread): { readonly folded: Folded; readonly dialogue: FoldedDialogue } {
  let { folded, dialogue } = thread.state;
  const leaving = Math.max(0, thread.entries.length + 1 - LOADED_ENTRIES);
  for (const { entry } of thread.entries.slice(0, leaving)) {
    folded = foldEntry(folded, entry);
    dialogue = foldDialogue(dialogue, entry);
  }
  return { folded, dialogue };
}

export function foldEntry(folded: Folded, entry: Entry): Folded {
  const seen = readSeen(entry);
  if (!seen) return folded;
  const lines = [...folded.lines, foldedLine(seen)];
  let counts = folded.counts;
  while (lines.length > FOLDED_LINES_MAX) counts = countFolded(counts, toolOfLine(lines.shift() ?? ""));
  return { lines, counts };
}

/** `t12 query_range day:4 1.2KB rcp_…`, at most 80 bytes: the receipt id stays whole, so that it can be read again. */
export function foldedLine(seen: Seen): string {
  const name = cutBytes(seen.name, NAME_BYTES);
  const size = seen.result === "failed" ? "failed" : sizeInWords(seen.size);
  const head = `t${seen.turn} ${name}`;
  const tail = seen.receipt === null ? size : `${size} ${seen.receipt}`;
  const left = FOLDED_LINE_BYTES - byteLength(head) - byteLength(tail) - 2;
  const plain = oneLine(seen.arguments, 120).replace(/["{}\s]/g, "");
  const shown = left >= 4 && plain !== "" ? ` ${cutBytes(plain, Math.min(left, ARGUMENTS_BYTES))}` : "";
  return cutBytes(`${head}${shown} ${tail}`, FOLDED_LINE_BYTES);
}

/** The second word. */
export function toolOfLine(line: string): string {
  const from = line.indexOf(" ") + 1;
  if (from === 0) return OTHER_TOOLS;
  const to = line.indexOf(" ", from);
  return to < 0 ? line.slice(from) : line.slice(from, to);
}

export function countFolded(counts: Folded["counts"], tool: string): Folded["counts"] {
  const known = Object.hasOwn(counts, tool) || Object.keys(counts).length < COUNTED_TOOLS_MAX;
  const key = known ? tool : OTHER_TOOLS;
  return { ...counts, [key]: (Object.hasOwn(counts, key) ? (counts[key] ?? 0) : 0) + 1 };
}

/** The first thing the user said stays; of the others the oldest goes and is counted. */
export function foldDialogue(dialogue: FoldedDialogue, entry: Entry): FoldedDialogue {
  const said = linesOf(entry).map(({ who, text }) =>
    cutBytes(`${who}: ${oneLine(text, 400)}`, who === "user" ? USER_LINE_BYTES : ASSISTANT_LINE_BYTES),
  );
  if (said.length === 0) return dialogue;
  const lines = [...dialogue.lines, ...said];
  let dropped = dialogue.dropped;
  while (lines.length > DIALOGUE_LINES_MAX) {
    lines.splice(lines[0]?.startsWith("user: ") ? 1 : 0, 1);
    dropped += 1;
  }
  return { lines, dropped };
}
