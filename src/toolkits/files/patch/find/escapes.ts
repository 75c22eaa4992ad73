// Undoes escapes in text that was escaped once too often. An escape applies only if the file contains the unescaped
// old text; the new text is then unescaped in the same way.

export type Escape = {
  readonly name: "line_breaks" | "json" | "outside_quotes" | "quotes" | "entities" | "fence" | "line_numbers";
  readonly undo: (text: string) => string;
};

const UNESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "" };

const unescapeBreaks = (text: string): string =>
  text.replace(/\\([\\ntr])/g, (both, letter: string) => UNESCAPED[letter] ?? both);

const unescapeJson = (text: string): string =>
  text.replace(/\\([\\ntr"'`/])/g, (_both, letter: string) => UNESCAPED[letter] ?? letter);

const unescapeQuotes = (text: string): string => text.replace(/\\(["'`])/g, "$1");

/** Unescapes line breaks only outside quotes. For example, `print("a\n")\nprint("b")` has one of each kind. */
function unescapeOutsideQuotes(text: string): string {
  let open = "";
  return text.replace(/\\.|["'`\n]/g, (found) => {
    if (found === "\n") open = "";
    else if (found.length === 1) open = open === "" ? found : open === found ? "" : open;
    else if (open === "") return found === "\\n" || found === "\\t" ? (UNESCAPED[found.slice(1)] ?? found) : found;
    return found;
  });
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", "#39": "'", "#x27": "'" };

/** Decodes only one level: `&amp;lt;` becomes `&lt;`. */
const stripEntities = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp|#39|#x27);/gi, (_, name: string) => ENTITIES[name.toLowerCase()] ?? "&");

const FENCE = /^\s*(`{3,}|~{3,})[\w+#.-]*[^\S\n]*\n([\s\S]*?)\n?[^\S\n]*\1[^\S\n]*\s*$/;

const stripFence = (text: string): string => FENCE.exec(text)?.[2] ?? text;

// Matches a line number such as `12 | text`, `12→text`, `12<tab>text` or `12: text`.
const NUMBERED = /^[^\S\n]*(\d+)(?:[^\S\n]?\||→|\t|:)(?: (?=\S)|(?=\s)|)/;

/** Removes line numbers. Only consecutive numbers are treated as such. */
function stripLineNumbers(text: string): string {
  const lines = text.split("\n");
  const numbers = lines.flatMap((line) => NUMBERED.exec(line)?.[1] ?? (line.trim() === "" ? [] : ["x"])).map(Number);
  const counts = numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1);
  if (numbers.length === 0 || !counts || Number.isNaN(numbers[0])) return text;
  // Code may also have colons after numbers, so a listing with colons needs at least three lines.
  if (numbers.length < 3 && !/^\s*\d+(?: ?\||→|\t)/.test(text)) return text;
  return lines.map((line) => line.replace(NUMBERED, "")).join("\n");
}

/** Removes line numbers like stripLineNumbers, but allows inserted lines without a number or with a duplicate one. */
function stripSomeLineNumbers(text: string): string {
  const lines = text.split("\n");
  const filled = lines.filter((line) => line.trim() !== "");
  if (filled.filter((line) => NUMBERED.test(line)).length * 2 < filled.length) return text;
  return lines.map((line) => line.replace(NUMBERED, "")).join("\n");
}

const ESCAPES: readonly Escape[] = [
  { name: "line_breaks", undo: unescapeBreaks },
  { name: "outside_quotes", undo: unescapeOutsideQuotes },
  { name: "quotes", undo: unescapeQuotes },
  { name: "json", undo: unescapeJson },
  { name: "line_numbers", undo: stripLineNumbers },
  { name: "fence", undo: stripFence },
  { name: "entities", undo: stripEntities },
];
const ESCAPE_SIGNS = /\\|&\w+;|&#|```|~~~|^\s*\d+(?: ?\||→|\t|:)/;

/** The escapes that may apply to this text, least invasive first, without duplicate results. */
export function possibleEscapes(text: string): readonly { escaping: Escape; undone: string }[] {
  if (!ESCAPE_SIGNS.test(text)) return [];
  const seen = new Set([text]);
  const possible: { escaping: Escape; undone: string }[] = [];
  for (const escaping of ESCAPES) {
    const undone = escaping.undo(text);
    if (seen.has(undone) || undone.trim() === "") continue;
    seen.add(undone);
    possible.push({ escaping, undone });
  }
  return possible;
}

/** Unescapes the new text in the same way as the old text if it is also escaped. */
export function unescapeNewText(escaping: Escape, oldText: string, newText: string): string {
  if (escaping.name === "line_numbers") return stripSomeLineNumbers(newText);
  // The old text has escaped line breaks and the new text has real ones, so only the old text was escaped.
  if (!oldText.includes("\n") && newText.includes("\n") && /^(?:line_breaks|outside_quotes|json)$/.test(escaping.name))
    return newText;
  if (escaping.name !== "line_breaks") return escaping.undo(newText);
  const everyQuoteEscaped = /\\["\\]/.test(newText) && !/(^|[^\\])"/.test(newText);
  if (everyQuoteEscaped) return unescapeJson(newText);
  // A line break right before a closing quote, as in `split("\n")`, is a real escape.
  return newText
    .split(/(\\n(?=["'][)\],;.]))/)
    .map((part, index) => (index % 2 ? part : unescapeBreaks(part)))
    .join("");
}

/** True if every quote of this kind is preceded by a backslash. */
export const escapesEvery = (quote: string, text: string): boolean =>
  !text.replaceAll(`\\${quote}`, "").includes(quote);

/** Finds an accidental escape: a backslash before a quote that the old and the new text contain and the file does not. */
export const escapeDrift = (oldText: string, newText: string, matched: string): string | undefined =>
  ['\\"', "\\'", "\\`"].find((pair) => oldText.includes(pair) && newText.includes(pair) && !matched.includes(pair));
