// Detects that the file uses the other kind of quotes, from lines that differ only in quotes, and rewrites only simple
// strings.
import type { LinePair, Rewrite } from "../find/composition.ts";
import { isComment } from "../find/identity.ts";

const OTHER: Readonly<Record<string, string>> = { "'": '"', '"': "'" };

export function learnQuotes(bodies: readonly LinePair[]): Rewrite | null {
  const differing = bodies.filter(({ old, file }) => old !== file && inDoubles(old) === inDoubles(file));
  const writerQuote = ["'", '"'].find(
    (mine) => differing.length > 1 && differing.every(({ old, file }) => old.includes(mine) && !file.includes(mine)),
  );
  if (writerQuote === undefined) return null;
  // Some lines with these quotes are equal in patch and file, so the difference is not a matter of style.
  if (bodies.some(({ old, file }) => old === file && old.includes(writerQuote))) return null;
  const fileQuote = OTHER[writerQuote] ?? writerQuote;
  const plain = new RegExp(
    `(?<![\\w${writerQuote}\\\\])${writerQuote}([^'"\`\\\\]*)${writerQuote}(?![\\w${writerQuote}])`,
    "g",
  );
  // An odd number of quotes means that one of them is an apostrophe.
  const skips = (text: string) =>
    isComment(text) || text.includes(fileQuote) || text.split(writerQuote).length % 2 === 0;
  return (text) => (skips(text) ? text : text.replace(plain, `${fileQuote}$1${fileQuote}`));
}

const inDoubles = (text: string): string => text.replaceAll("'", '"');
