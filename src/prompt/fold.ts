// Folds an entry that leaves the loaded range into the state: first a short line, later only a count. Used at commit.
import { byteLength } from "../schema/byte-length.ts";
import type { Entry } from "../schema/record.ts";
import type { ThreadState } from "../schema/thread.ts";
import { cutBytes, oneLine } from "./cut.ts";
import { dialogueLines } from "./dialogue.ts";
import { formatSize, type ObservedCall, observedIn } from "./window-entry.ts";

export type Folded = ThreadState["folded"];
export type FoldedDialogue = ThreadState["dialogue"];

export const FOLDED_LINE_BYTES = 80;
/** Together with the loaded entries, these make up the 40 lines that a window may have. */
export const FOLDED_LINES_MAX = 23;
export const DIALOGUE_LINES_MAX = 12;
const USER_LINE_BYTES = 160;
const ASSISTANT_LINE_BYTES = 80;
/** Limits the number of tools with a count, because external catalogs may offer ever new tools. */
const COUNTED_TOOLS_MAX = 24;
const OTHER_TOOLS = "(others)";
const NAME_BYTES = 32;
const ARGUMENTS_BYTES = 16;

export function foldEntry(folded: Folded, entry: Entry): Folded {
  const observed = observedIn(entry);
  if (!observed) return folded;
  const lines = [...folded.lines, foldedLine(observed)];
  let counts = folded.counts;
  while (lines.length > FOLDED_LINES_MAX) counts = countFolded(counts, toolOfLine(lines.shift() ?? ""));
  return { lines, counts };
}

/** For example `t12 query_range day:4 1.2KB rcp_…`. The receipt id stays complete, so that `recall` can read it. */
export function foldedLine(observed: ObservedCall): string {
  const name = cutBytes(observed.name, NAME_BYTES);
  const failed = observed.result === "failed" || observed.result === "rejected";
  const size = failed ? observed.result : formatSize(observed.size);
  const head = `t${observed.turn} ${name}`;
  const tail = observed.receipt === null ? size : `${size} ${observed.receipt}`;
  const left = FOLDED_LINE_BYTES - byteLength(head) - byteLength(tail) - 2;
  const plain = oneLine(observed.arguments, 120).replace(/["{}\s]/g, "");
  const shown = left >= 4 && plain !== "" ? ` ${cutBytes(plain, Math.min(left, ARGUMENTS_BYTES))}` : "";
  return cutBytes(`${head}${shown} ${tail}`, FOLDED_LINE_BYTES);
}

/** The tool is the second word of a folded line. */
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

/** The user's first line stays. The oldest of the others is removed and counted. */
export function foldDialogue(dialogue: FoldedDialogue, entry: Entry): FoldedDialogue {
  const added = dialogueLines(entry).map(({ role: who, text }) =>
    cutBytes(`${who}: ${oneLine(text, 400)}`, who === "user" ? USER_LINE_BYTES : ASSISTANT_LINE_BYTES),
  );
  if (added.length === 0) return dialogue;
  const lines = [...dialogue.lines, ...added];
  let dropped = dialogue.dropped;
  while (lines.length > DIALOGUE_LINES_MAX) {
    lines.splice(lines[0]?.startsWith("user: ") ? 1 : 0, 1);
    dropped += 1;
  }
  return { lines, dropped };
}
