// Replaces a text in a file by another one, or says why not. Pure: content in, content out; nothing is half done.
import { type Failed, fail } from "../../../schema/problem.ts";
import { isApplied, isPresent } from "./already-applied.ts";
import { summarize } from "./change-summary.ts";
import { replaceExactly } from "./exact-change.ts";
import { escapeDrift, escapesEvery, undoInNew } from "./find/escapes.ts";
import { type Found, type FuzzyMatch, findFirst, matchOf } from "./find/fuzzy-find.ts";
import { createSearch, type Search } from "./find/search.ts";
import { STRATEGIES, type StrategyName } from "./find/strategies.ts";
import { mergeChange } from "./merge/merge.ts";
import { ambiguous, inTheWay, notFound } from "./refusal.ts";
import { plainText, readSource } from "./source-text.ts";
import { overlap, splice } from "./splice.ts";

export type Patched = {
  readonly ok: true;
  readonly content: string;
  readonly strategy: StrategyName;
  readonly matches: readonly FuzzyMatch[];
  readonly diff: string;
};

export type PatchOptions = { readonly replaceAll?: boolean };

const SURE = STRATEGIES.filter((strategy) => !strategy.approximate);
const APPROXIMATE = STRATEGIES.filter((strategy) => strategy.approximate);

export function applyPatch(
  content: string,
  oldString: string,
  newString: string,
  options: PatchOptions = {},
): Patched | Failed {
  if (oldString === "") return fail("patch_empty", "old_string is empty.");
  if (oldString.trim() === "") return fail("patch_blank", "old_string holds nothing but whitespace.");
  const fresh = plainText(newString);
  const search = createSearch(readSource(content), oldString);
  if (search.text === fresh) return fail("patch_identical", "old_string and new_string are the same text.");
  const sure = findFirst(search, SURE);
  if (sure) return isApplied(search, sure, fresh) ? alreadyApplied() : replace(search, sure, fresh, options);
  const present = isPresent(search, fresh);
  if (present === "surely") return alreadyApplied();
  const close = findFirst(search, APPROXIMATE);
  const result = close ? replace(search, close, fresh, options) : notFound(search);
  return present && !result.ok ? alreadyApplied() : result;
}

const alreadyApplied = (): Failed =>
  fail("patch_already_applied", "The file already has new_string in place of old_string; nothing was changed.");

function replace(search: Search, found: Found, fresh: string, { replaceAll = false }: PatchOptions): Patched | Failed {
  const { source } = search;
  const { spans, overlapping, strategy, escaping } = found;
  if (replaceAll && strategy.approximate)
    return fail(
      "patch_approximate",
      `old_string is only approximately in the file (${strategy.name}); replace_all needs text that is there.`,
      { strategy: strategy.name },
    );
  const places = [...spans, ...overlapping].sort((a, b) => a.start - b.start);
  if (!replaceAll && places.length > 1) return ambiguous(source, places, strategy);
  const drifted = driftOf(search, found, fresh);
  if (drifted) return drifted;
  const old = escaping ? escaping.undo(search.text) : search.text;
  const written = escaping ? undoInNew(escaping, search.text, fresh) : fresh;
  const change = strategy.name === "exact" ? replaceExactly : mergeChange;
  const merged = spans.map((span) => change({ source, span, old, fresh: written }));
  const replacements = merged.filter((replacement) => replacement !== null);
  if (replacements.length < merged.length) return inTheWay(source, spans);
  if (overlap(replacements)) return ambiguous(source, places, strategy);
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

/** Backslashes before quotes that slipped into both texts must not get into the file. */
function driftOf(search: Search, { spans, strategy, escaping }: Found, fresh: string): Failed | null {
  if (strategy.name === "exact") return null;
  const matched = spans.map((span) => search.source.text.slice(span.start, span.end)).join("\n");
  const pair = escapeDrift(search.text, fresh, matched);
  if (!pair) return null;
  // Undone with the rest of the text, unless a single line or quotes without a backslash make it doubtful.
  const single = escaping?.name === "quotes" && search.lines.filter((line) => line.trim() !== "").length < 2;
  if (escaping && !single && escapesEvery(pair.slice(1), search.text)) return null;
  return fail("patch_escape_drift", `old_string and new_string have ${pair} where the file has no backslash.`);
}
