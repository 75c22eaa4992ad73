// Learns that the file writes strings in the other quotes, from lines that differ in nothing else. Only plain strings are rewritten.

import { isComment } from "../find/identity.ts";
import type { LinePair } from "./line-pair.ts";

type Rewrite = (text: string) => string;

const OTHER: Readonly<Record<string, string>> = { "'": '"', '"': "'" };

export function learnQuotes(bodies: readonly LinePair[]): Rewrite | null {
  const twins = bodies.filter(({ old, file }) => old !== file && inDoubles(old) === inDoubles(file));
  const habit = ["'", '"'].find(
    (mine) => twins.length > 1 && twins.every(({ old, file }) => old.includes(mine) && !file.includes(mine)),
  );
  if (habit === undefined) return null;
  // The writer uses these quotes where the file uses them as well: no habit then.
  if (bodies.some(({ old, file }) => old === file && old.includes(habit))) return null;
  const put = OTHER[habit] ?? habit;
  const plain = new RegExp(`(?<![\\w${habit}\\\\])${habit}([^'"\`\\\\]*)${habit}(?![\\w${habit}])`, "g");
  // An odd number of quotes has an apostrophe in it.
  const leaves = (text: string) => isComment(text) || text.includes(put) || text.split(habit).length % 2 === 0;
  return (text) => (leaves(text) ? text : text.replace(plain, `${put}$1${put}`));
}

const inDoubles = (text: string): string => text.replaceAll("'", '"');
