// Finds every place of a text in a file by the first of the nine strategies that finds any.

import { rawOffset, readSource, type SourceText } from "../source-text.ts";
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

/** All matches in order, none overlapping another; `content.slice(startIndex, endIndex)` is `matchedText`. */
export function fuzzyFindAll(content: string, search: string): FuzzyMatch[] {
  const source = readSource(content);
  const found = findFirst(createSearch(source, search), STRATEGIES);
  return found ? found.spans.map((span) => matchOf(source, found.strategy.name, span)) : [];
}

/** The first of these strategies that finds anything. It never goes on to a looser one to get rid of a second match. */
export function findFirst(search: Search, strategies: readonly Strategy[]): StrategyMatch | null {
  if (search.text.trim() === "" || search.source.lines.length === 0) return null;
  for (const strategy of strategies) {
    const finding = strategy.find(search);
    if (finding.spans.length > 0) return { ...finding, strategy };
  }
  return null;
}

export function matchOf(source: SourceText, strategy: StrategyName, span: Span): FuzzyMatch {
  const startIndex = rawOffset(source, span.start);
  const endIndex = rawOffset(source, span.end);
  return { strategy, startIndex, endIndex, matchedText: source.raw.slice(startIndex, endIndex) };
}
