// Habits of the writer that the file does not share (other spacing, other or typographic quotes, spaces at line ends), learned
// from lines both have. What the writer added is freed of a habit only if the file contradicts it.
import { learnComposition, type Rewrite } from "../find/composition.ts";
import { hasTypographic, plainPunctuation } from "../find/punctuation.ts";
import { lineKey } from "../merge/line-alignment.ts";
import type { LinePair } from "./line-pair.ts";
import { learnQuotes } from "./quote-style.ts";
import { learnSpacing } from "./spacing.ts";

export type LineStyle = {
  /** A written line, without indentation and trailing space, as the file would have it. */
  readonly rewriteBody: (written: string) => string;
  /** Trailing whitespace of new lines is a habit, not meant. */
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

/** Plain punctuation where the writer has typographic marks and the file has none. */
function learnPunctuation(bodies: readonly LinePair[]): Rewrite {
  const typographic = bodies.filter(({ old, file }) => hasTypographic(old) && !hasTypographic(file));
  if (typographic.length === 0) return unchanged;
  const bare = (text: string) => text.replace(/\s+/g, "");
  const double = typographic.filter(({ old, file }) => bare(plainPunctuation(old, "--")) === bare(file)).length;
  const single = typographic.filter(({ old, file }) => bare(plainPunctuation(old, "-")) === bare(file)).length;
  return (text) => plainPunctuation(text, double > single ? "--" : "-");
}
