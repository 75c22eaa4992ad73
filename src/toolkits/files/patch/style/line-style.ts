// Learns style differences between the patch and the file (spacing, quotes, typographic characters, trailing spaces) from
// shared lines. New lines are converted only where the file contradicts the style of the patch.
import { type LinePair, learnComposition, type Rewrite } from "../find/composition.ts";
import { hasTypographic, plainPunctuation } from "../find/punctuation.ts";
import { lineKey } from "../merge/line-alignment.ts";
import { learnQuotes } from "./quote-style.ts";
import { learnSpacing } from "./spacing.ts";

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

/** For a patch with typographic characters and a file that has none. */
function learnPunctuation(bodies: readonly LinePair[]): Rewrite {
  const typographic = bodies.filter(({ old, file }) => hasTypographic(old) && !hasTypographic(file));
  if (typographic.length === 0) return unchanged;
  const bare = (text: string) => text.replace(/\s+/g, "");
  const double = typographic.filter(({ old, file }) => bare(plainPunctuation(old, "--")) === bare(file)).length;
  const single = typographic.filter(({ old, file }) => bare(plainPunctuation(old, "-")) === bare(file)).length;
  return (text) => plainPunctuation(text, double > single ? "--" : "-");
}
