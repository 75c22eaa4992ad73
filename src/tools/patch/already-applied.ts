// Tells a patch that was applied before from one whose text is missing: a repeated request must not change a file twice.
import { inForm, type Span, TIGHT } from "./canonical.ts";
import { type Found, findFirst } from "./fuzzy-find.ts";
import { createSearch, type Search } from "./search.ts";
import { linesOf } from "./source-text.ts";
import { STRATEGIES } from "./strategies.ts";

const FEWEST_CHARACTERS = 8;
const SURE = STRATEGIES.filter((strategy) => !strategy.approximate);

/**
 * Whether the old text was found only inside the new one, which is already there. A new text that does not contain the
 * old one says nothing here: the old text is still to be replaced.
 */
export function isApplied(search: Search, { spans, strategy }: Found, fresh: string): boolean {
  if (!strategy.approximate && !inForm(fresh, TIGHT).includes(inForm(search.text, TIGHT).trim())) return false;
  const standing = placesOf(search, fresh);
  const inside = (span: Span) => standing.some(({ start, end }) => start <= span.start && span.end <= end);
  const touches = (span: Span) => standing.some(({ start, end }) => start < span.end && span.start < end);
  return spans.length > 0 && spans.every(strategy.approximate ? touches : inside);
}

/** Whether the new text is in the file: surely if it is long enough not to be there by chance. */
export function isPresent(search: Search, fresh: string): "surely" | "perhaps" | null {
  if (placesOf(search, fresh).length === 0) return null;
  return linesOf(fresh.trim()).length > 1 && !onlyDeletes(search.lines, linesOf(fresh)) ? "surely" : "perhaps";
}

function placesOf(search: Search, fresh: string): readonly Span[] {
  if (fresh.replace(/\s/g, "").length < FEWEST_CHARACTERS) return [];
  return findFirst(createSearch(search.source, fresh), SURE)?.spans ?? [];
}

/** What a deletion leaves over was in the file before, too. */
function onlyDeletes(old: readonly string[], fresh: readonly string[]): boolean {
  let at = 0;
  for (const line of old) if (line === fresh[at]) at += 1;
  return at === fresh.length;
}
