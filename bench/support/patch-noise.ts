// What goes wrong when a model quotes a file from memory, class by class. Old and new text always get the same treatment.
import { after, type BlockEdit, countBlock, indentOf, isBlank } from "./patch-edits.ts";
import { anotherName, anotherNumber, rewordComment, slip } from "./patch-slips.ts";
import type { Random } from "./random.ts";

/** A call to measure. `expected` is the file as it should be, or null where the patch has to be refused. */
export type PatchCase = {
  readonly content: string;
  readonly old: string;
  readonly fresh: string;
  readonly expected: string | null;
};

export type NoiseClass = (edit: BlockEdit, random: Random, other: BlockEdit) => PatchCase | null;

const text = (lines: readonly string[]): string => lines.join("\n");

/** The same rewriting of both texts, for a case only if it changes the old one. */
const rewriting =
  (rewrite: (text: string, edit: BlockEdit) => string): NoiseClass =>
  (edit) => {
    const old = rewrite(text(edit.old), edit);
    if (old === text(edit.old)) return null;
    return { content: text(edit.lines), old, fresh: rewrite(text(edit.fresh), edit), expected: text(after(edit)) };
  };

const byLine = (rewrite: (line: string, edit: BlockEdit) => string): NoiseClass =>
  rewriting((whole, edit) => text(whole.split("\n").map((line) => (isBlank(line) ? line : rewrite(line, edit)))));

const depthOf = ({ old, fresh }: BlockEdit): number =>
  Math.min(...[...old, ...fresh].filter((line) => !isBlank(line)).map((line) => indentOf(line).length));

const spacesWide = ({ lines }: BlockEdit): number => {
  const widths = lines.filter((line) => /^ +[^ *]/.test(line)).map((line) => indentOf(line).length);
  return widths.every((width) => width % 4 === 0) ? 4 : 2;
};

const scaled = (line: string, edit: BlockEdit): string => {
  const [indent, width] = [indentOf(line), spacesWide(edit)];
  if (indent.includes("\t")) return line;
  const to = width === 4 ? 2 : 4;
  return " ".repeat(Math.floor(indent.length / width) * to + (indent.length % width)) + line.trimStart();
};

const tabbed = (line: string, edit: BlockEdit): string => {
  const [indent, width] = [indentOf(line), spacesWide(edit)];
  if (indent.includes("\t")) return indent.replaceAll("\t", "    ") + line.trimStart();
  return "\t".repeat(Math.floor(indent.length / width)) + " ".repeat(indent.length % width) + line.trimStart();
};

const smart = (whole: string): string =>
  whole
    .replace(/"([^"\n]*)"/g, "“$1”")
    .replace(/'([^'\n]*)'/g, "‘$1’")
    .replaceAll("...", "…")
    .replaceAll(" - ", " – ");

const escapedQuotes = (whole: string): string => whole.replaceAll('"', '\\"');

/** Rewrites lines that old and new text share, in both; null unless `count` of them could be rewritten. */
const sharedLines =
  (count: number, rewrite: (line: string, random: Random) => string | null, refused = false): NoiseClass =>
  (edit, random) => {
    const once = (lines: readonly string[], line: string) => lines.filter((other) => other === line).length === 1;
    const shared = edit.old.filter((line) => once(edit.old, line) && once(edit.fresh, line) && line.trim().length > 8);
    const rewritten = new Map<string, string>();
    while (rewritten.size < count && shared.length > 0) {
      const [line = ""] = shared.splice(random.below(shared.length), 1);
      const other = rewrite(line, random);
      if (other !== null && other !== line && !edit.lines.includes(other)) rewritten.set(line, other);
    }
    if (rewritten.size < count) return null;
    const swap = (lines: readonly string[]) => text(lines.map((line) => rewritten.get(line) ?? line));
    const expected = refused ? null : text(after(edit));
    return { content: text(edit.lines), old: swap(edit.old), fresh: swap(edit.fresh), expected };
  };

const dropped: NoiseClass = (edit, random) => {
  const line = random.pick(edit.old.slice(1, -1).filter((each) => each.trim().length > 3));
  const twice = (lines: readonly string[]) => lines.filter((each) => each === line).length > 1;
  if (line === undefined || !edit.fresh.includes(line) || twice(edit.old) || twice(edit.fresh)) return null;
  const left = (lines: readonly string[]) => text(lines.filter((each) => each !== line));
  return { content: text(edit.lines), old: left(edit.old), fresh: left(edit.fresh), expected: text(after(edit)) };
};

const withEndings =
  (ending: (line: number) => string): NoiseClass =>
  (edit) => {
    const end = (lines: readonly string[], shift: (at: number) => number) =>
      lines.map((line, at) => line + (at === lines.length - 1 ? "" : ending(shift(at)))).join("");
    if (edit.fresh.length !== edit.old.length) return null;
    const [content, expected] = [end(edit.lines, (at) => at), end(after(edit), (at) => at)];
    return { content, old: text(edit.old), fresh: text(edit.fresh), expected };
  };

/** The block is gone, and something very like it is still there. */
const sibling: NoiseClass = (edit) => {
  const shape = (line: string) => line.trim().replace(/[\w$]+/g, "w");
  const block = edit.old.map(shape);
  const alike = edit.lines.map(shape).some((_, at, shapes) => {
    const apart = at + block.length <= edit.first || at >= edit.first + block.length;
    return apart && block.filter((line, offset) => shapes[at + offset] === line).length >= block.length * 0.8;
  });
  const left = edit.lines.toSpliced(edit.first, edit.old.length);
  if (!alike || countBlock(left, edit.old) > 0) return null;
  return { content: text(left), old: text(edit.old), fresh: text(edit.fresh), expected: null };
};

export const EDITED: Readonly<Record<string, NoiseClass>> = {
  verbatim: (edit) => ({
    content: text(edit.lines),
    old: text(edit.old),
    fresh: text(edit.fresh),
    expected: text(after(edit)),
  }),
  "indentation shifted": byLine((line) => `  ${line}`),
  "indentation scaled": byLine(scaled),
  "indentation cut off": byLine((line, edit) => line.slice(depthOf(edit))),
  "indentation lost": byLine((line) => line.trimStart()),
  "tabs for spaces": byLine(tabbed),
  "trailing whitespace": byLine((line) => `${line}  `),
  "inner whitespace": byLine((line) => indentOf(line) + line.trimStart().replaceAll(" ", "  ")),
  "no space after commas": byLine((line) => indentOf(line) + line.trimStart().replaceAll(", ", ",")),
  "CRLF in the text": rewriting((whole) => whole.replaceAll("\n", "\r\n")),
  "numbered lines": rewriting((whole) =>
    whole
      .split("\n")
      .map((line, at) => `${at + 7} | ${line}`)
      .join("\n"),
  ),
  "code fence": rewriting((whole) => `\`\`\`ts\n${whole}\n\`\`\``),
  "CRLF in the file": withEndings(() => "\r\n"),
  "mixed endings": withEndings((line) => (line % 3 === 0 ? "\r\n" : "\n")),
  "smart punctuation": rewriting(smart),
  "escaped line breaks": rewriting((whole) => whole.replaceAll("\n", "\\n").replaceAll("\t", "\\t")),
  "escaped as JSON": rewriting((whole) => JSON.stringify(whole).slice(1, -1)),
  "escaped quotes": rewriting(escapedQuotes),
  "trimmed edges": rewriting((whole) => whole.trim()),
  "blank edges": rewriting((whole) => `\n${whole}\n\n`),
  "blank lines left out": rewriting((whole) => whole.replace(/\n\s*\n/g, "\n")),
  "one line misremembered": sharedLines(1, slip),
  "two lines misremembered": sharedLines(2, slip),
  "one line dropped": dropped,
  "comment reworded": sharedLines(1, rewordComment),
};

export const REFUSED: Readonly<Record<string, NoiseClass>> = {
  ambiguous: (edit) => ({
    content: text([...edit.lines, ...edit.old]),
    old: text(edit.old),
    fresh: text(edit.fresh),
    expected: null,
  }),
  absent: (edit, _random, other) => {
    if (countBlock(edit.lines, other.old) > 0) return null;
    return { content: text(edit.lines), old: text(other.old), fresh: text(other.fresh), expected: null };
  },
  "near-miss sibling": sibling,
  "another name": sharedLines(1, anotherName, true),
  "another number": sharedLines(1, anotherNumber, true),
  "already applied": (edit) => ({
    content: text(after(edit)),
    old: text(edit.old),
    fresh: text(edit.fresh),
    expected: null,
  }),
};
