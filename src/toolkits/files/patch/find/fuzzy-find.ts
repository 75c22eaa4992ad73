// Finds all occurrences of text in a file with the first of the nine strategies that matches.

import { indexSource, rawOffset, type SourceText } from "../source-text.ts";
import type { Span } from "./canonical.ts";
import { createSearch, type Search } from "./search.ts";
import { STRATEGIES, type Strategy, type StrategyName, type StrategyResult } from "./strategies.ts";

export type FuzzyMatch = {
  readonly strategy: StrategyName;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly matchedText: string;
};

export type StrategyMatch = StrategyResult & { readonly strategy: Strategy };

/** Returns all matches in order and without overlaps. `content.slice(startIndex, endIndex)` is `matchedText`. */
export function fuzzyFindAll(content: string, search: string): FuzzyMatch[] {
  const source = indexSource(content);
  const found = findFirst(createSearch(source, search), STRATEGIES);
  return found ? found.spans.map((span) => matchOf(source, found.strategy.name, span)) : [];
}

/** Returns the matches of the first strategy that has any. It never tries a looser one to resolve an ambiguous match. */
export function findFirst(search: Search, strategies: readonly Strategy[]): StrategyMatch | null {
  if (search.text.trim() === "" || search.source.lines.length === 0) return null;
  for (const strategy of strategies) {
    const result = strategy.find(search);
    if (result.spans.length > 0) return { ...result, strategy };
  }
  return null;
}

export function matchOf(source: SourceText, strategy: StrategyName, span: Span): FuzzyMatch {
  const startIndex = rawOffset(source, span.start);
  const endIndex = rawOffset(source, span.end);
  return { strategy, startIndex, endIndex, matchedText: source.raw.slice(startIndex, endIndex) };
}
