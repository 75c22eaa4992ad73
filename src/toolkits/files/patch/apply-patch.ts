// Replaces text in a file's content, or explains why it cannot. It is pure, and applies all of a patch or nothing.
import { type Failed, fail } from "../../../schema/problem.ts";
import { isApplied, isPresent } from "./already-applied.ts";
import { replaceExactly } from "./exact-change.ts";
import { escapeDrift, escapesEvery, unescapeNewText } from "./find/escapes.ts";
import { type FuzzyMatch, findFirst, matchOf, type StrategyMatch } from "./find/fuzzy-find.ts";
import { createSearch, type Search } from "./find/search.ts";
import {
  APPROXIMATE_STRATEGIES,
  SIMILARITY_STRATEGIES,
  STRICT_STRATEGIES,
  type StrategyName,
} from "./find/strategies.ts";
import { mergeChange } from "./merge/merge.ts";
import { ambiguous, conflictingLines, notFound } from "./refusal.ts";
import { indexSource, plainText } from "./source-text.ts";
import { hasOverlap, splice, summarize } from "./splice.ts";

export type Patched = {
  readonly ok: true;
  readonly content: string;
  readonly strategy: StrategyName;
  readonly matches: readonly FuzzyMatch[];
  readonly diff: string;
};

export type PatchOptions = {
  readonly replaceAll?: boolean;
  /**
   * How similar a block must be if the file does not contain it literally. With `strict`, the default, it may differ
   * only by typos, and no other block of the file may match nearly as well. With `seed`, a similarity of 60 % between
   * equal first and last lines is enough, or of 80 % in half of the lines.
   */
  readonly likeness?: "strict" | "seed";
};

export function applyPatch(
  content: string,
  oldString: string,
  newString: string,
  options: PatchOptions = {},
): Patched | Failed {
  if (oldString === "") return fail("patch_empty", "old_string is empty.");
  if (oldString.trim() === "") return fail("patch_blank", "old_string contains only whitespace.");
  const newText = plainText(newString);
  const search = createSearch(indexSource(content), oldString);
  if (search.text === newText) return fail("patch_identical", "old_string and new_string are the same text.");
  const strictMatch = findFirst(search, STRICT_STRATEGIES);
  if (strictMatch)
    return isApplied(search, strictMatch, newText) ? alreadyApplied() : replace(search, strictMatch, newText, options);
  const present = isPresent(search, newText);
  if (present === "certain") return alreadyApplied();
  const strategies = options.likeness === "seed" ? SIMILARITY_STRATEGIES : APPROXIMATE_STRATEGIES;
  const approximateMatch = findFirst(search, strategies);
  const result = approximateMatch ? replace(search, approximateMatch, newText, options) : notFound(search);
  return present && !result.ok ? alreadyApplied() : result;
}

const alreadyApplied = (): Failed =>
  fail("patch_already_applied", "The file already has new_string in place of old_string; nothing was changed.");

function replace(
  search: Search,
  found: StrategyMatch,
  newText: string,
  { replaceAll = false }: PatchOptions,
): Patched | Failed {
  const { source } = search;
  const { spans, overlapping, strategy, escaping } = found;
  if (replaceAll && strategy.approximate) {
    const message = `old_string is only approximately in the file (${strategy.name}); replace_all needs an exact match.`;
    return fail("patch_approximate", message, { strategy: strategy.name });
  }
  const allSpans = [...spans, ...overlapping].sort((a, b) => a.start - b.start);
  if (!replaceAll && allSpans.length > 1) return ambiguous(source, allSpans, strategy);
  const driftProblem = escapeDriftProblem(search, found, newText);
  if (driftProblem) return driftProblem;
  const oldText = escaping ? escaping.undo(search.text) : search.text;
  const replacementText = escaping ? unescapeNewText(escaping, search.text, newText) : newText;
  const change = strategy.name === "exact" ? replaceExactly : mergeChange;
  const merged = spans.map((span) => change({ source, span, oldText, newText: replacementText }));
  const replacements = merged.filter((replacement) => replacement !== null);
  if (replacements.length < merged.length) return conflictingLines(source, spans);
  if (hasOverlap(replacements)) return ambiguous(source, allSpans, strategy);
  const { content, changed } = splice(source, replacements);
  if (content === source.raw) return alreadyApplied();
  return {
    ok: true,
    content,
    strategy: strategy.name,
    matches: spans.map((span) => matchOf(source, strategy.name, span)),
    diff: summarize(changed, spans.length, strategy.name),
  };
}

/** Rejects backslashes that the old and the new text contain before quotes by mistake, so that they are not written to the file. */
function escapeDriftProblem(
  search: Search,
  { spans, strategy, escaping }: StrategyMatch,
  newText: string,
): Failed | null {
  if (strategy.name === "exact") return null;
  const matched = spans.map((span) => search.source.text.slice(span.start, span.end)).join("\n");
  const pair = escapeDrift(search.text, newText, matched);
  if (!pair) return null;
  // Unescaping also removes the backslashes from the new text. For a single line or an unescaped quote they may be intended.
  const single = escaping?.name === "quotes" && search.lines.filter((line) => line.trim() !== "").length < 2;
  if (escaping && !single && escapesEvery(pair.slice(1), search.text)) return null;
  return fail("patch_escape_drift", `old_string and new_string have ${pair} where the file has no backslash.`);
}
