// Changes one line: with typos that keep its meaning, or with changes that make it a different line.
import type { Random } from "./random.ts";

const NAMES = /(?<![\w$])[A-Za-z_]{6,}(?![\w$])/g;

const isComment = (line: string): boolean => /^\s*(\/\/|\*|\/\*|#\s)/.test(line) && /[a-z]{3} [a-z]/.test(line);

const TYPOS: readonly ((line: string, random: Random) => string)[] = [
  (line) => line.replace(/[;,]\s*$/, ""),
  (line) => line.replace(/\bconst\b/, "let").replace(/\bvar\b/, "let"),
  (line) => line.replace(/'([^'"]*)'/g, '"$1"'),
  (line) => line.replace(/"([^'"]*)"/g, "'$1'"),
  (line) => line.replace("===", "=="),
  (line) => line.replace(/\bawait /, ""),
  (line) => line.replace("{ ", "{").replace(" }", "}"),
  (line) => line.replace(/\(([\w$]+)\) =>/, "$1 =>"),
  swapLetters,
  swapLetters,
];

/** Swaps two neighbouring letters of a longer word. */
function swapLetters(line: string, random: Random): string {
  const word = random.pick([...line.matchAll(NAMES)]);
  if (!word) return line;
  const at = word.index + 1 + random.below(word[0].length - 3);
  return line.slice(0, at) + line.charAt(at + 1) + line.charAt(at) + line.slice(at + 2);
}

export function introduceTypo(line: string, random: Random): string | null {
  if (isComment(line)) return null;
  const variants = TYPOS.map((typo) => typo(line, random)).filter((other) => other !== line && other.trim() !== "");
  return random.pick(variants) ?? null;
}

/** Rewords a comment with other short words, fewer words or a different order. */
export function rewordComment(line: string, random: Random): string | null {
  if (!isComment(line)) return null;
  const [, lead = "", commentText = ""] = line.match(/^(\s*(?:\/\/|\/?\*+|#)\s*)(.*)$/) ?? [];
  const words = commentText.split(" ");
  if (words.length < 4) return null;
  const half = Math.floor(words.length / 2);
  const variants = [
    words.map((word) => ({ the: "a", is: "will be", to: "in order to", if: "whether", for: "of" })[word] ?? word),
    words.filter((_, index) => index % 4 !== 1),
    [...words.slice(half), ...words.slice(0, half)],
  ];
  return lead + (random.pick(variants) ?? words).join(" ");
}

const NOT_NAMES = /^(export|return|function|import|extends|typeof|default|static|public|private|readonly|protected)$/;

export function changeName(line: string, random: Random): string | null {
  if (/^\s*(\/\/|\*|\/\*|#|<!--)/.test(line)) return null;
  const unquoted = line.replace(/(["'`]).*?\1/g, (quoted) => " ".repeat(quoted.length));
  const name = random.pick([...unquoted.matchAll(NAMES)].filter(([word]) => !NOT_NAMES.test(word)));
  if (!name) return null;
  const other = random.pick(["payload", "remoteNode", `legacy${name[0]}`, `${name[0]}Async`]) ?? "payload";
  return line.slice(0, name.index) + other + line.slice(name.index + name[0].length);
}

export function changeNumber(line: string, random: Random): string | null {
  const number = isComment(line) ? undefined : random.pick([...line.matchAll(/(?<![\w.])\d+(?![\w.])/g)]);
  if (!number) return null;
  const other = String(Number(number[0]) + 1 + random.below(5));
  return line.slice(0, number.index) + other + line.slice(number.index + number[0].length);
}

const LONG_NAMES = /[A-Za-z_$][\w$]{4,}/g;
const WORDS_OF_NAME = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;

/**
 * Rewrites a name as a model might remember it some turns after reading the file: a word is left out, or the spelling
 * differs.
 */
function misremember(name: string, random: Random): string | null {
  const parts = name.match(WORDS_OF_NAME) ?? [];
  const forms = [
    // Leaves out a word: getUserName → getName.
    parts.length >= 3 ? name.replace(parts[1 + random.below(parts.length - 2)] ?? "", "") : null,
    // Changes the case style: userId → user_id.
    parts.length >= 2 && /[a-z][A-Z]/.test(name) ? parts.map((part) => part.toLowerCase()).join("_") : null,
    // Leaves out a letter: response → reponse.
    name.length >= 6 ? name.slice(0, 3) + name.slice(4) : null,
  ].filter((form) => form !== null && form !== name);
  return random.pick(forms) ?? null;
}

/** Changes one or two names that the block contains only in this line. */
export function misrememberTokens(line: string, random: Random): string | null {
  const names = [...new Set(line.match(LONG_NAMES) ?? [])];
  let changed = line;
  for (let left = 1 + random.below(2); left > 0 && names.length > 0; left -= 1) {
    const [name = ""] = names.splice(random.below(names.length), 1);
    const other = misremember(name, random);
    if (other !== null)
      changed = changed.replaceAll(new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`, "g"), other);
  }
  return changed === line ? null : changed;
}
