// Defines the nine search strategies, strictest first. Each returns all matches, and the caller decides how to treat
// several.

import { stripWhitespace, wholeLines } from "../source-text.ts";
import { blockAnchor, contextAware, similarBlocks, similarLines } from "./approximate.ts";
import {
  findNormalized,
  NO_INDENT,
  type NormalForm,
  type Occurrences,
  ONE_SPACE,
  occurrences,
  PLAIN_ONE_SPACE,
  PLAIN_TIGHT,
  type Span,
  TIGHT,
} from "./canonical.ts";
import { composed, isComposable } from "./composition.ts";
import { type Escape, possibleEscapes } from "./escapes.ts";
import { hasTypographic, plainPunctuation } from "./punctuation.ts";
import { createSearch, type Search } from "./search.ts";

export type StrategyName =
  | "exact"
  | "line_trimmed"
  | "whitespace_normalized"
  | "indent_flexible"
  | "escape_normalized"
  | "trimmed_boundary"
  | "unicode_normalized"
  | "block_anchor"
  | "context_aware";

export type StrategyResult = Occurrences & { readonly escaping?: Escape };

export type Strategy = {
  readonly name: StrategyName;
  /** True for strategies that accept different words, not only different whitespace, punctuation or escapes. */
  readonly approximate: boolean;
  readonly find: (search: Search) => StrategyResult;
};

const NO_MATCHES: Occurrences = { spans: [], overlapping: [] };

const strict = (name: StrategyName, find: Strategy["find"]): Strategy => ({ name, approximate: false, find });

const approximate = (name: StrategyName, find: (search: Search) => Span[]): Strategy => ({
  name,
  approximate: true,
  find: (search) => ({ spans: find(search), overlapping: [] }),
});

export const STRATEGIES: readonly Strategy[] = [
  strict("exact", ({ source, text }) => occurrences(source.text, text)),
  strict("line_trimmed", (search) => (search.containsIgnoringWhitespace() ? findTrimmedLines(search) : NO_MATCHES)),
  strict("whitespace_normalized", (search) => findInForms(search, [ONE_SPACE, TIGHT])),
  strict("indent_flexible", (search) => findInForms(search, [NO_INDENT])),
  strict("escape_normalized", findUnescaped),
  strict("trimmed_boundary", ({ source, text }) => occurrences(source.text, text.trim(), { wholeWords: true })),
  strict("unicode_normalized", findPlain),
  approximate("block_anchor", blockAnchor),
  approximate("context_aware", contextAware),
];

export const STRICT_STRATEGIES = STRATEGIES.filter((strategy) => !strategy.approximate);
export const APPROXIMATE_STRATEGIES = STRATEGIES.filter((strategy) => strategy.approximate);

/** Approximate strategies that use only similarity. They find more, but may find the wrong block. */
export const SIMILARITY_STRATEGIES: readonly Strategy[] = [
  approximate("block_anchor", similarBlocks),
  approximate("context_aware", similarLines),
];

const findInForms = (search: Search, forms: readonly NormalForm[]): Occurrences =>
  search.containsIgnoringWhitespace() ? findInAnyForm(search, forms) : NO_MATCHES;

const findInAnyForm = ({ source, text }: Search, forms: readonly NormalForm[]): Occurrences =>
  firstFound(forms.map((form) => () => findNormalized(source.text, text, form)));

function firstFound(attempts: readonly (() => Occurrences)[]): Occurrences {
  for (const attempt of attempts) {
    const matches = attempt();
    if (matches.spans.length > 0) return matches;
  }
  return NO_MATCHES;
}

function findTrimmedLines({ source, lines }: Search): Occurrences {
  const framed = (list: readonly string[]) => `\n${list.map((line) => line.trim()).join("\n")}\n`;
  const needle = framed(lines);
  const haystack = framed(source.lines);
  const spans: Span[] = [];
  const overlapping: Span[] = [];
  let line = 0;
  let counted = 0;
  let from = 0;
  let free = 0;
  for (;;) {
    const hit = haystack.indexOf(needle, from);
    if (hit < 0) return { spans, overlapping };
    for (; counted < hit; counted += 1) if (haystack.charCodeAt(counted) === 10) line += 1;
    const span = wholeLines(source, line, line + lines.length - 1);
    const overlaps = hit < free;
    (overlaps ? overlapping : spans).push(span);
    // The line break after the last line can also precede the next match.
    if (!overlaps) free = hit + needle.length - 1;
    from = overlaps ? free : hit + 1;
  }
}

function findUnescaped({ source, text }: Search): StrategyResult {
  for (const { escaping, undone } of possibleEscapes(text)) {
    const search = createSearch(source, undone);
    const matches = firstFound([
      () => occurrences(source.text, search.text),
      () => (search.containsIgnoringWhitespace() ? findTrimmedLines(search) : NO_MATCHES),
      () => findInForms(search, [ONE_SPACE, TIGHT]),
    ]);
    if (matches.spans.length > 0) return { ...matches, escaping };
  }
  return NO_MATCHES;
}

function findPlain(search: Search): Occurrences {
  const { source, text } = search;
  if (![text, source.text].some((one) => hasTypographic(one) || isComposable(one))) return NO_MATCHES;
  const plain = (bare: string) => composed(plainPunctuation(bare, "-").replace(/[\s-]+/g, "-"));
  if (!plain(source.withoutWhitespace()).includes(plain(stripWhitespace(text)))) return NO_MATCHES;
  return findInAnyForm(search, [PLAIN_ONE_SPACE, PLAIN_TIGHT]);
}
