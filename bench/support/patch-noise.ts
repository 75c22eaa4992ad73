// Imitates the typical mistakes of a model that quotes a file from memory, by class. Old and new text always get the
// same noise.
import { applyEdit, type BlockEdit, countBlock, indentOf, isBlank } from "./patch-edits.ts";
import { changeName, changeNumber, introduceTypo, misrememberTokens, rewordComment } from "./patch-typos.ts";
import type { Random } from "./random.ts";

/** A case of the benchmark. `expected` is the correct file, or null if the patch must be refused. */
export type PatchCase = {
  readonly content: string;
  readonly old: string;
  readonly replacement: string;
  readonly expected: string | null;
};

export type NoiseClass = (edit: BlockEdit, random: Random, other: BlockEdit) => PatchCase | null;

const joinLines = (lines: readonly string[]): string => lines.join("\n");

/** Rewrites both texts in the same way. It is a case only if the old text changes. */
const rewriteBoth =
  (rewrite: (text: string, edit: BlockEdit) => string): NoiseClass =>
  (edit) => {
    const old = rewrite(joinLines(edit.old), edit);
    if (old === joinLines(edit.old)) return null;
    return {
      content: joinLines(edit.lines),
      old,
      replacement: rewrite(joinLines(edit.replacement), edit),
      expected: joinLines(applyEdit(edit)),
    };
  };

const rewriteLines = (rewrite: (line: string, edit: BlockEdit) => string): NoiseClass =>
  rewriteBoth((text, edit) => joinLines(text.split("\n").map((line) => (isBlank(line) ? line : rewrite(line, edit)))));

const depthOf = ({ old, replacement }: BlockEdit): number =>
  Math.min(...[...old, ...replacement].filter((line) => !isBlank(line)).map((line) => indentOf(line).length));

const indentWidth = ({ lines }: BlockEdit): number => {
  const widths = lines.filter((line) => /^ +[^ *]/.test(line)).map((line) => indentOf(line).length);
  return widths.every((width) => width % 4 === 0) ? 4 : 2;
};

const scaleIndent = (line: string, edit: BlockEdit): string => {
  const [indent, width] = [indentOf(line), indentWidth(edit)];
  if (indent.includes("\t")) return line;
  const to = width === 4 ? 2 : 4;
  return " ".repeat(Math.floor(indent.length / width) * to + (indent.length % width)) + line.trimStart();
};

const tabIndent = (line: string, edit: BlockEdit): string => {
  const [indent, width] = [indentOf(line), indentWidth(edit)];
  if (indent.includes("\t")) return indent.replaceAll("\t", "    ") + line.trimStart();
  return "\t".repeat(Math.floor(indent.length / width)) + " ".repeat(indent.length % width) + line.trimStart();
};

const smartPunctuation = (text: string): string =>
  text
    .replace(/"([^"\n]*)"/g, "“$1”")
    .replace(/'([^'\n]*)'/g, "‘$1’")
    .replaceAll("...", "…")
    .replaceAll(" - ", " – ");

const escapedQuotes = (text: string): string => text.replaceAll('"', '\\"');

/** Rewrites lines that the old and new text share. Returns null if fewer than `count` lines could be rewritten. */
const sharedLines =
  (count: number, rewrite: (line: string, random: Random) => string | null, refused = false): NoiseClass =>
  (edit, random) => {
    const once = (lines: readonly string[], line: string) => lines.filter((other) => other === line).length === 1;
    const shared = edit.old.filter(
      (line) => once(edit.old, line) && once(edit.replacement, line) && line.trim().length > 8,
    );
    const rewritten = new Map<string, string>();
    while (rewritten.size < count && shared.length > 0) {
      const [line = ""] = shared.splice(random.below(shared.length), 1);
      const other = rewrite(line, random);
      if (other !== null && other !== line && !edit.lines.includes(other)) rewritten.set(line, other);
    }
    if (rewritten.size < count) return null;
    const swap = (lines: readonly string[]) => joinLines(lines.map((line) => rewritten.get(line) ?? line));
    const expected = refused ? null : joinLines(applyEdit(edit));
    return { content: joinLines(edit.lines), old: swap(edit.old), replacement: swap(edit.replacement), expected };
  };

const dropLine: NoiseClass = (edit, random) => {
  const line = random.pick(edit.old.slice(1, -1).filter((each) => each.trim().length > 3));
  const twice = (lines: readonly string[]) => lines.filter((each) => each === line).length > 1;
  if (line === undefined || !edit.replacement.includes(line) || twice(edit.old) || twice(edit.replacement)) return null;
  const left = (lines: readonly string[]) => joinLines(lines.filter((each) => each !== line));
  return {
    content: joinLines(edit.lines),
    old: left(edit.old),
    replacement: left(edit.replacement),
    expected: joinLines(applyEdit(edit)),
  };
};

const withEndings =
  (ending: (line: number) => string): NoiseClass =>
  (edit) => {
    const end = (lines: readonly string[], shift: (at: number) => number) =>
      lines.map((line, at) => line + (at === lines.length - 1 ? "" : ending(shift(at)))).join("");
    if (edit.replacement.length !== edit.old.length) return null;
    const [content, expected] = [end(edit.lines, (at) => at), end(applyEdit(edit), (at) => at)];
    return { content, old: joinLines(edit.old), replacement: joinLines(edit.replacement), expected };
  };

/** Creates a case whose block was removed while a very similar one still exists. */
const similarBlock: NoiseClass = (edit) => {
  const shape = (line: string) => line.trim().replace(/[\w$]+/g, "w");
  const block = edit.old.map(shape);
  const alike = edit.lines.map(shape).some((_, at, shapes) => {
    const apart = at + block.length <= edit.first || at >= edit.first + block.length;
    return apart && block.filter((line, offset) => shapes[at + offset] === line).length >= block.length * 0.8;
  });
  const left = edit.lines.toSpliced(edit.first, edit.old.length);
  if (!alike || countBlock(left, edit.old) > 0) return null;
  return {
    content: joinLines(left),
    old: joinLines(edit.old),
    replacement: joinLines(edit.replacement),
    expected: null,
  };
};

export const APPLICABLE_CLASSES: Readonly<Record<string, NoiseClass>> = {
  verbatim: (edit) => ({
    content: joinLines(edit.lines),
    old: joinLines(edit.old),
    replacement: joinLines(edit.replacement),
    expected: joinLines(applyEdit(edit)),
  }),
  "indentation shifted": rewriteLines((line) => `  ${line}`),
  "indentation scaled": rewriteLines(scaleIndent),
  "indentation cut off": rewriteLines((line, edit) => line.slice(depthOf(edit))),
  "indentation lost": rewriteLines((line) => line.trimStart()),
  "tabs for spaces": rewriteLines(tabIndent),
  "trailing whitespace": rewriteLines((line) => `${line}  `),
  "inner whitespace": rewriteLines((line) => indentOf(line) + line.trimStart().replaceAll(" ", "  ")),
  "no space after commas": rewriteLines((line) => indentOf(line) + line.trimStart().replaceAll(", ", ",")),
  "CRLF in the text": rewriteBoth((text) => text.replaceAll("\n", "\r\n")),
  "numbered lines": rewriteBoth((text) =>
    text
      .split("\n")
      .map((line, at) => `${at + 7} | ${line}`)
      .join("\n"),
  ),
  "code fence": rewriteBoth((text) => `\`\`\`ts\n${text}\n\`\`\``),
  "CRLF in the file": withEndings(() => "\r\n"),
  "mixed endings": withEndings((line) => (line % 3 === 0 ? "\r\n" : "\n")),
  "smart punctuation": rewriteBoth(smartPunctuation),
  "escaped line breaks": rewriteBoth((text) => text.replaceAll("\n", "\\n").replaceAll("\t", "\\t")),
  "escaped as JSON": rewriteBoth((text) => JSON.stringify(text).slice(1, -1)),
  "escaped quotes": rewriteBoth(escapedQuotes),
  "trimmed edges": rewriteBoth((text) => text.trim()),
  "blank edges": rewriteBoth((text) => `\n${text}\n\n`),
  "blank lines left out": rewriteBoth((text) => text.replace(/\n\s*\n/g, "\n")),
  "one line misremembered": sharedLines(1, introduceTypo),
  "two lines misremembered": sharedLines(2, introduceTypo),
  "one or two tokens wrong": sharedLines(1, misrememberTokens),
  "one line dropped": dropLine,
  "comment reworded": sharedLines(1, rewordComment),
};

export const REFUSED_CLASSES: Readonly<Record<string, NoiseClass>> = {
  ambiguous: (edit) => ({
    content: joinLines([...edit.lines, ...edit.old]),
    old: joinLines(edit.old),
    replacement: joinLines(edit.replacement),
    expected: null,
  }),
  absent: (edit, _random, other) => {
    if (countBlock(edit.lines, other.old) > 0) return null;
    return {
      content: joinLines(edit.lines),
      old: joinLines(other.old),
      replacement: joinLines(other.replacement),
      expected: null,
    };
  },
  "near-miss sibling": similarBlock,
  "another name": sharedLines(1, changeName, true),
  "another number": sharedLines(1, changeNumber, true),
  "already applied": (edit) => ({
    content: joinLines(applyEdit(edit)),
    old: joinLines(edit.old),
    replacement: joinLines(edit.replacement),
    expected: null,
  }),
};
