// Distinguishes a patch that was already applied from one whose text is missing, so that a repeated request changes
// nothing.
import { normalize, TIGHT } from "./find/canonical.ts";
import { findFirst, type StrategyMatch } from "./find/fuzzy-find.ts";
import { createSearch, type Search } from "./find/search.ts";
import { STRICT_STRATEGIES } from "./find/strategies.ts";
import { linesOf } from "./source-text.ts";

const MIN_CHARACTERS = 8;

/**
 * True if the match is the result of the same patch: the old text occurs only inside the new text, or the new text is
 * present verbatim and the old text is not.
 */
export function isApplied(search: Search, { spans, strategy }: StrategyMatch, newText: string): boolean {
  const verbatim = isLongEnough(newText) && search.source.text.includes(newText);
  if (verbatim && strategy.name !== "exact" && isSubstantial(search, newText)) return true;
  if (!isExtension(search.text, newText) && !(verbatim && newText.includes(search.text))) return false;
  const newSpans = findNewText(search, newText)?.spans ?? [];
  return spans.every((span) => newSpans.some(({ start, end }) => start <= span.start && span.end <= end));
}

/** True if the new text contains the old one, and the two differ in more than whitespace. */
function isExtension(oldText: string, newText: string): boolean {
  const [before, after] = [normalize(oldText, TIGHT).trim(), normalize(newText, TIGHT).trim()];
  return before !== after && after.includes(before);
}

/**
 * "certain" if the file contains the new text line by line and the text is too long for a coincidence, "possible" if it
 * is found less reliably.
 */
export function isPresent(search: Search, newText: string): "certain" | "possible" | null {
  const found = findNewText(search, newText);
  if (!found) return null;
  const byLine = found.strategy.name === "exact" || found.strategy.name === "line_trimmed";
  return byLine && isSubstantial(search, newText) ? "certain" : "possible";
}

/** True if the text has several lines, at least one of which is not in the old text. */
const isSubstantial = (search: Search, newText: string): boolean =>
  linesOf(newText.trim()).length > 1 && !onlyDeletes(search.lines, linesOf(newText));

const isLongEnough = (text: string): boolean => text.replace(/\s/g, "").length >= MIN_CHARACTERS;

function findNewText(search: Search, newText: string): StrategyMatch | null {
  if (!isLongEnough(newText)) return null;
  return findFirst(createSearch(search.source, newText), STRICT_STRATEGIES);
}

/** True if the patch only removes lines. The file then contained all new lines even before the patch. */
function onlyDeletes(oldLines: readonly string[], newLines: readonly string[]): boolean {
  let at = 0;
  for (const line of oldLines) if (line === newLines[at]) at += 1;
  return at === newLines.length;
}
