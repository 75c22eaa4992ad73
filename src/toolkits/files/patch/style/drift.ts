// Habits of the writer that the file does not share (other spacing, other or typographic quotes, spaces at line ends), learned
// from lines both have. What the writer added is freed of a habit only if the file contradicts it.
import { learnComposition, type Rewrite } from "../find/composition.ts";
import { hasTypographic, plainPunctuation } from "../find/punctuation.ts";
import { lineKey } from "../merge/line-alignment.ts";
import type { LinePair } from "./line-pair.ts";
import { learnQuotes } from "./quote-habit.ts";
import { learnSpacing } from "./spacing.ts";

export type Drift = {
  /** A written line, without indentation and trailing space, as the file would have it. */
  readonly body: (written: string) => string;
  /** Trailing whitespace of new lines is a habit, not meant. */
  readonly trims: boolean;
};

const asIs: Rewrite = (text) => text;
const oneSpace: Rewrite = (text) => text.replace(/[^\S\n]+/g, " ");

export function learnDrift(twins: readonly LinePair[]): Drift {
  const trims = twins.some(({ old, file }) => old !== old.trimEnd() && file === file.trimEnd());
  const bodies = twins.map(({ old, file }) => ({ old: old.trim(), file: file.trim() }));
  const form = learnComposition(bodies) ?? asIs;
  const unmarked = learnMarks(bodies);
  const plain: Rewrite = (text) => form(unmarked(text));
  const quotes = learnQuotes(bodies.map(({ old, file }) => ({ old: plain(old), file })));
  const marks: Rewrite = quotes ? (text) => quotes(plain(text)) : plain;
  const spaced = bodies
    .map(({ old, file }) => ({ old: marks(old), file }))
    .filter(({ old, file }) => lineKey(old) === lineKey(file));
  if (spaced.every(({ old, file }) => old === file)) return { body: marks, trims };
  const spacing = learnSpacing(spaced);
  const doubles = spaced.some(({ old, file }) => oneSpace(old) !== old && oneSpace(file) === file);
  return { body: (written) => (doubles ? oneSpace : asIs)(spacing(marks(written))), trims };
}

/** Plain punctuation where the writer has typographic marks and the file has none. */
function learnMarks(bodies: readonly LinePair[]): Rewrite {
  const fancy = bodies.filter(({ old, file }) => hasTypographic(old) && !hasTypographic(file));
  if (fancy.length === 0) return asIs;
  const bare = (text: string) => text.replace(/\s+/g, "");
  const double = fancy.filter(({ old, file }) => bare(plainPunctuation(old, "--")) === bare(file)).length;
  const single = fancy.filter(({ old, file }) => bare(plainPunctuation(old, "-")) === bare(file)).length;
  return (text) => plainPunctuation(text, double > single ? "--" : "-");
}
