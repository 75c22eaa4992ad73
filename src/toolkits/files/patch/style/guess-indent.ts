// Guesses the indentation of a new line from the preceding line and brackets, for text without any indentation.
const BLOCK_START = /(?:[{([]|=>|\bthen|\bdo|:)\s*$/;
const BLOCK_END = /^(?:[})\]]|end\b|else\b|elif\b|except\b|finally\b|catch\b|<\/)/;

const CONTINUES = /^\s*(?:\.[\p{L}_]|[?:|&+=]{1,2}\s)/u;

const withoutComment = (line: string): string => line.replace(/(?:^|\s)(?:\/\/|#\s|\*\s).*$/, "");

const opens = (line: string): boolean => BLOCK_START.test(withoutComment(line));

const closes = (line: string): boolean => BLOCK_END.test(line.trim());

/** `before` is the preceding line with the indentation that it has in the file. */
export function guessIndent(line: string, before: string | undefined, unit: string): string {
  if (before === undefined) return "";
  const base = before.slice(0, before.length - before.trimStart().length);
  if (/^\s*\/\*\*?/.test(before) && line.trim().startsWith("*")) return `${base} `;
  if (/^\s+\*\/\s*$/.test(before)) return base.slice(0, -1);
  if (CONTINUES.test(line) && !CONTINUES.test(before)) return base + unit;
  if (opens(before) && !closes(line)) return base + unit;
  if (closes(line) && !opens(before)) return base.slice(0, Math.max(0, base.length - unit.length));
  return base;
}

/** True if text has lost its indentation: it has none, although the file has several depths or a bracket requires it. */
export function isFlat(lines: readonly string[], fileIndents: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== "");
  if (filled.some((line) => /^\s/.test(line))) return false;
  if (new Set(fileIndents).size > 1) return true;
  return filled.some((line, index) => {
    const next = filled[index + 1];
    return next !== undefined && opens(line) && !closes(next);
  });
}
