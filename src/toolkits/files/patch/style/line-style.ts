// Learns style differences between the patch and the file (spacing, quotes, typographic characters, trailing spaces) from
// shared lines. New lines are converted only where the file contradicts the style of the patch.
import { type LinePair, learnComposition, type Rewrite } from "../find/composition.ts";
import { isComment } from "../find/identity.ts";
import { hasTypographic, plainPunctuation } from "../find/punctuation.ts";
import { lineKey } from "../merge/line-alignment.ts";

export type LineStyle = {
  /** Converts a written line, without indentation and trailing space, to the style of the file. */
  readonly rewriteBody: (written: string) => string;
  /** True if trailing whitespace of new lines is unintended and must be removed. */
  readonly trimsLineEnds: boolean;
};

const unchanged: Rewrite = (text) => text;
const oneSpace: Rewrite = (text) => text.replace(/[^\S\n]+/g, " ");

export function learnLineStyle(pairs: readonly LinePair[]): LineStyle {
  const trimsLineEnds = pairs.some(({ old, file }) => old !== old.trimEnd() && file === file.trimEnd());
  const bodies = pairs.map(({ old, file }) => ({ old: old.trim(), file: file.trim() }));
  const form = learnComposition(bodies) ?? unchanged;
  const unmarked = learnPunctuation(bodies);
  const plain: Rewrite = (text) => form(unmarked(text));
  const quotes = learnQuotes(bodies.map(({ old, file }) => ({ old: plain(old), file })));
  const marks: Rewrite = quotes ? (text) => quotes(plain(text)) : plain;
  const spaced = bodies
    .map(({ old, file }) => ({ old: marks(old), file }))
    .filter(({ old, file }) => lineKey(old) === lineKey(file));
  if (spaced.every(({ old, file }) => old === file)) return { rewriteBody: marks, trimsLineEnds };
  const spacing = learnSpacing(spaced);
  const doubles = spaced.some(({ old, file }) => oneSpace(old) !== old && oneSpace(file) === file);
  return { rewriteBody: (written) => (doubles ? oneSpace : unchanged)(spacing(marks(written))), trimsLineEnds };
}

/** Applies only if the patch has typographic characters and the file has none. */
function learnPunctuation(bodies: readonly LinePair[]): Rewrite {
  const typographic = bodies.filter(({ old, file }) => hasTypographic(old) && !hasTypographic(file));
  if (typographic.length === 0) return unchanged;
  const bare = (text: string) => text.replace(/\s+/g, "");
  const double = typographic.filter(({ old, file }) => bare(plainPunctuation(old, "--")) === bare(file)).length;
  const single = typographic.filter(({ old, file }) => bare(plainPunctuation(old, "-")) === bare(file)).length;
  return (text) => plainPunctuation(text, double > single ? "--" : "-");
}

const OTHER: Readonly<Record<string, string>> = { "'": '"', '"': "'" };

function learnQuotes(bodies: readonly LinePair[]): Rewrite | null {
  const differing = bodies.filter(({ old, file }) => old !== file && usesDoubleQuotes(old) === usesDoubleQuotes(file));
  const writerQuote = ["'", '"'].find(
    (mine) => differing.length > 1 && differing.every(({ old, file }) => old.includes(mine) && !file.includes(mine)),
  );
  if (writerQuote === undefined) return null;
  // If a line with these quotes is equal in patch and file, the difference is not one of style.
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

const usesDoubleQuotes = (text: string): string => text.replaceAll("'", '"');

type Piece = { readonly token: string; readonly gap: string };

const TOKEN = /(\s*)([\p{L}\p{N}\p{M}_$]+|[^\s\p{L}\p{N}\p{M}_$])/gu;

/** Spacing that no pair contains is unchanged. */
function learnSpacing(pairs: readonly LinePair[]): Rewrite {
  const votes = new Map<string, Map<string, number>>();
  for (const { old, file } of pairs) {
    const [before, after] = [piecesOf(old), piecesOf(file)];
    if (before.length !== after.length || before.some(({ token }, index) => token !== after[index]?.token)) continue;
    before.forEach(({ gap }, index) => {
      const [rule, put] = [ruleFor(before, index), after[index]?.gap ?? ""];
      const gaps = votes.get(rule) ?? new Map<string, number>();
      votes.set(rule, gaps.set(put, (gaps.get(put) ?? 0) + (gap === put ? 1 : 1.5)));
    });
  }
  const rules = new Map(
    [...votes].map(([rule, gaps]) => [rule, [...gaps].sort(([, a], [, b]) => b - a)[0]?.[0] ?? ""]),
  );
  if (rules.size === 0) return (written) => written;
  return (written) => {
    const pieces = piecesOf(written);
    return pieces.map(({ token, gap }, index) => (rules.get(ruleFor(pieces, index)) ?? gap) + token).join("");
  };
}

function piecesOf(line: string): Piece[] {
  return [...line.matchAll(TOKEN)].map(([, gap = "", token = ""]) => ({ gap, token }));
}

/** The kinds of the tokens on both sides of the gap, and the gap itself. */
function ruleFor(pieces: readonly Piece[], index: number): string {
  const kind = (piece: Piece | undefined) => (piece ? piece.token.replace(/^[\p{L}\p{N}\p{M}_$]+$/u, "w") : "");
  return `${kind(pieces[index - 1])} ${kind(pieces[index])} ${pieces[index]?.gap ?? ""}`;
}
