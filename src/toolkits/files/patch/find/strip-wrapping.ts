// Removes additions that text may have gained when it was copied: line numbers of a listing, a code fence, HTML
// entities.

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", "#39": "'", "#x27": "'" };

/** Decodes only one level: `&amp;lt;` becomes `&lt;`. */
export const stripEntities = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp|#39|#x27);/gi, (_, name: string) => ENTITIES[name.toLowerCase()] ?? "&");

const FENCE = /^\s*(`{3,}|~{3,})[\w+#.-]*[^\S\n]*\n([\s\S]*?)\n?[^\S\n]*\1[^\S\n]*\s*$/;

export const stripFence = (text: string): string => FENCE.exec(text)?.[2] ?? text;

// Matches a line number such as `12 | text`, `12→text`, `12<tab>text` or `12: text`.
const NUMBERED = /^[^\S\n]*(\d+)(?:[^\S\n]?\||→|\t|:)(?: (?=\S)|(?=\s)|)/;

/** Removes line numbers. Only consecutive numbers are treated as such. */
export function stripLineNumbers(text: string): string {
  const lines = text.split("\n");
  const numbers = lines.flatMap((line) => NUMBERED.exec(line)?.[1] ?? (line.trim() === "" ? [] : ["x"])).map(Number);
  const counts = numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1);
  if (numbers.length === 0 || !counts || Number.isNaN(numbers[0])) return text;
  // Code may also have colons after numbers, so a listing with colons needs at least three lines.
  if (numbers.length < 3 && !/^\s*\d+(?: ?\||→|\t)/.test(text)) return text;
  return lines.map((line) => line.replace(NUMBERED, "")).join("\n");
}

/** Removes line numbers like stripLineNumbers, but allows inserted lines without a number or with a duplicate one. */
export function stripSomeLineNumbers(text: string): string {
  const lines = text.split("\n");
  const filled = lines.filter((line) => line.trim() !== "");
  if (filled.filter((line) => NUMBERED.test(line)).length * 2 < filled.length) return text;
  return lines.map((line) => line.replace(NUMBERED, "")).join("\n");
}
