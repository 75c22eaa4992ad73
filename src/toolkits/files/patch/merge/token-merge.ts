// Merges changes within a line: applies the difference between old and new text to the file's version of the line.
import { lineKey } from "./line-alignment.ts";

// Three dots and two hyphens are single tokens, because the file may have one typographic character instead.
const TOKEN = /\s+|\.{3}|-{2}|[\p{L}\p{N}\p{M}_$]+|[^\s\p{L}\p{N}\p{M}_$]/gu;
const MAX_TOKENS = 1500;

/** Merges three versions of one or a few lines. Where both sides changed the same tokens, the new text wins. */
export function mergeTokens(oldText: string, newText: string, fileText: string): string {
  const base = oldText.match(TOKEN) ?? [];
  const ours = newText.match(TOKEN) ?? [];
  const theirs = fileText.match(TOKEN) ?? [];
  if (Math.max(base.length, ours.length, theirs.length) > MAX_TOKENS) return newText;
  const toOurs = matchTokens(base, ours);
  const toTheirs = matchTokens(base, theirs);
  const out: string[] = [];
  let [b, o, t] = [0, 0, 0];
  for (let i = 0; i <= base.length; i += 1) {
    const end = i === base.length;
    const inOurs = end ? ours.length : toOurs.get(i);
    const inTheirs = end ? theirs.length : toTheirs.get(i);
    if (inOurs === undefined || inTheirs === undefined) continue;
    const before = base.slice(b, i).join("");
    const written = ours.slice(o, inOurs).join("");
    const fileTokens = theirs.slice(t, inTheirs).join("");
    out.push(written === before ? fileTokens : written);
    if (!end) out.push(theirs[inTheirs] ?? "");
    [b, o, t] = [i + 1, inOurs + 1, inTheirs + 1];
  }
  return out.join("");
}

function matchTokens(a: readonly string[], b: readonly string[]): Map<number, number> {
  const keysA = a.map(tokenKey);
  const keysB = b.map(tokenKey);
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      best[i * width + j] =
        keysA[i] === keysB[j]
          ? (best[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
  const matched = new Map<number, number>();
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (keysA[i] === keysB[j]) matched.set(i++, j++);
    else if ((best[(i + 1) * width + j] ?? 0) >= (best[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return matched;
}

/** All whitespace compares as equal, and so do typographic characters and their plain forms. */
const tokenKey = (token: string): string => (token.trim() === "" ? " " : lineKey(token));
