// Tells a patch that was applied before from one whose text is missing: a repeated request must not change a file twice.
import { normalize, TIGHT } from "./find/canonical.ts";
import { findFirst, type StrategyMatch } from "./find/fuzzy-find.ts";
import { createSearch, type Search } from "./find/search.ts";
import { STRATEGIES } from "./find/strategies.ts";
import { linesOf } from "./source-text.ts";

const MIN_CHARACTERS = 8;
const STRICT_STRATEGIES = STRATEGIES.filter((strategy) => !strategy.approximate);

/**
 * Whether a text that was found is what the same patch left behind: the old text stands only inside the new one, or it is
 * not there as written while the new text is.
 */
export function isApplied(search: Search, { spans, strategy }: StrategyMatch, fresh: string): boolean {
  const verbatim = isLongEnough(fresh) && search.source.text.includes(fresh);
  if (verbatim && strategy.name !== "exact" && isSubstantial(search, fresh)) return true;
  if (!isExtension(search.text, fresh) && !(verbatim && fresh.includes(search.text))) return false;
  const newSpans = findNewText(search, fresh)?.spans ?? [];
  return spans.every((span) => newSpans.some(({ start, end }) => start <= span.start && span.end <= end));
}

/** Whether the new text is the old one and more; where only whitespace differs, finding one says nothing of the other. */
function isExtension(old: string, fresh: string): boolean {
  const [before, after] = [normalize(old, TIGHT).trim(), normalize(fresh, TIGHT).trim()];
  return before !== after && after.includes(before);
}

/** Whether the new text is in the file: surely if it is there line by line and too much to be there by chance. */
export function isPresent(search: Search, fresh: string): "surely" | "perhaps" | null {
  const found = findNewText(search, fresh);
  if (!found) return null;
  const byLine = found.strategy.name === "exact" || found.strategy.name === "line_trimmed";
  return byLine && isSubstantial(search, fresh) ? "surely" : "perhaps";
}

/** Several lines, not all of which the old text has too. */
const isSubstantial = (search: Search, fresh: string): boolean =>
  linesOf(fresh.trim()).length > 1 && !onlyDeletes(search.lines, linesOf(fresh));

const isLongEnough = (text: string): boolean => text.replace(/\s/g, "").length >= MIN_CHARACTERS;

function findNewText(search: Search, fresh: string): StrategyMatch | null {
  if (!isLongEnough(fresh)) return null;
  return findFirst(createSearch(search.source, fresh), STRICT_STRATEGIES);
}

/** What a deletion leaves over was in the file before, too. */
function onlyDeletes(old: readonly string[], fresh: readonly string[]): boolean {
  let at = 0;
  for (const line of old) if (line === fresh[at]) at += 1;
  return at === fresh.length;
}
