// Implements the strategies that accept differing lines. They must never accept a similar block when the searched one
// is absent: every difference must be a typo, and no other region of the file may match nearly as well. Only
// `similarBlocks` and `similarLines` do without these checks.

import type { AlignedPair, ComparedLine } from "../merge/line-alignment.ts";
import { wholeLines } from "../source-text.ts";
import type { Candidate } from "./candidates.ts";
import type { Span } from "./canonical.ts";
import { composed } from "./composition.ts";
import { compareIdentity, describesOther, sameOperators } from "./identity.ts";
import type { KnownName } from "./names.ts";
import type { Search } from "./search.ts";
import { sharedWords } from "./similarity.ts";

const MIDDLE_SIMILARITY = 0.6;
const LINE_SIMILARITY = 0.8;
const MIN_SHARE = 0.5;
/** The minimum number of old lines for which an additional line of the file is tolerated. */
const MIN_LINES_FOR_GAP = 3;
/** The minimum number of old lines for which a missing line, or an additional one plus typos, is tolerated. */
const MIN_LINES_FOR_MIXED = 5;
/** The minimum number of old lines for which an extra or missing name is tolerated. */
const MIN_LINES_FOR_NAMES = 6;

/** Matches if the first and last lines are equal and the lines between them are at least 60% similar. */
export const blockAnchor = (search: Search): Span[] => choose(search, isAnchored);

/** Returns every region that is similar enough, without checking which lines differ. */
export const similarBlocks = (search: Search): Span[] => chooseSimilar(search, isAnchored);

/** Matches if half of the lines are at least 80% similar, regardless of the others. */
export const similarLines = (search: Search): Span[] =>
  chooseSimilar(search, ({ old, alignment }) => {
    const good = alignment.pairs.filter((pair) => pair.similarity >= LINE_SIMILARITY);
    return good.length >= old.length * MIN_SHARE;
  });

const chooseSimilar = (search: Search, fits: (candidate: Candidate) => boolean): Span[] => {
  const similar = search.candidates().filter(fits);
  return similar.sort((a, b) => a.first - b.first).map((one) => wholeLines(search.source, one.first, one.last));
};

function isAnchored(candidate: Candidate): boolean {
  const { pairs } = candidate.alignment;
  const first = pairs[0];
  const last = pairs.at(-1);
  if (candidate.old.length < 3 || first?.old !== 0 || last?.old !== candidate.old.length - 1) return false;
  return first.similarity === 1 && last.similarity === 1 && middleSimilarity(candidate) >= MIDDLE_SIMILARITY;
}

/**
 * Matches if the first and last lines have a counterpart and all paired lines are at least 80% similar. Comments and
 * bare punctuation may differ more.
 */
export function contextAware(search: Search): Span[] {
  return choose(search, (candidate) => {
    const { pairs, unmatchedOld } = candidate.alignment;
    const good = pairs.filter((pair) => pair.similarity >= LINE_SIMILARITY);
    if (good.length < candidate.old.length * MIN_SHARE) return false;
    const ends = [0, candidate.old.length - 1];
    if (unmatchedOld.some((at) => ends.includes(at))) return false;
    return pairs.every((pair) => pair.similarity >= LINE_SIMILARITY || isMinor(candidate, pair));
  });
}

function choose(search: Search, fits: (candidate: Candidate) => boolean): Span[] {
  const candidates = search.candidates();
  const known = knownNames(composed(search.source.text));
  const accepted = candidates.filter((candidate) => fits(candidate) && differsOnlyByTypos(candidate, known));
  const best = accepted[0];
  if (!best) return [];
  const rivals = candidates.filter((other) => other !== best && isCompetitor(best, other, known));
  if (rivals.some((rival) => !accepted.includes(rival))) return [];
  const found = [best, ...rivals].sort((a, b) => a.first - b.first);
  return found.map((one) => wholeLines(search.source, one.first, one.last));
}

/** A rival matches nearly as well, and names nothing else in a line in which the best candidate is equal. */
function isCompetitor(best: Candidate, other: Candidate, known: KnownName): boolean {
  if (other.cost > best.cost * 1.6 + 0.02) return false;
  const exact = (candidate: Candidate) =>
    new Set(candidate.alignment.pairs.filter(({ similarity }) => similarity === 1).map(({ old }) => old));
  const [ours, theirs] = [exact(best), exact(other)];
  if ([...theirs].some((at) => !ours.has(at))) return true;
  const differing = other.alignment.pairs.filter(({ old, similarity }) => similarity < 1 && ours.has(old));
  return !differing.some(({ old, file }) => {
    return compareIdentity(other.old[old]?.text ?? "", other.file[file]?.text ?? "", known) === "other";
  });
}

function differsOnlyByTypos({ old, file, alignment }: Candidate, known: KnownName): boolean {
  const { pairs, unmatchedOld, unmatchedFile } = alignment;
  const anchored = pairs.some((pair) => pair.similarity === 1 && !old[pair.old]?.comment);
  // Unmatched comments count only if no line of code is equal.
  const counts = (line: ComparedLine | undefined) => !anchored || !line?.comment;
  const differing = pairs.filter((pair) => pair.similarity < 1);
  if (!anchored && differing.length > Math.max(1, Math.floor(old.length / 4))) return false;
  const extraOld = unmatchedOld.filter((at) => counts(old[at])).length;
  const extraFile = unmatchedFile.filter((at) => counts(file[at])).length;
  // A line that only one side lacks was probably forgotten. If both sides lack lines, the lines are different ones.
  if (extraOld > 0 && extraFile > 0) return false;
  if (old.length < MIN_LINES_FOR_GAP && extraOld + extraFile > 0) return false;
  if (old.length < MIN_LINES_FOR_MIXED && (extraOld > 0 || (extraFile > 0 && differing.length > 0))) return false;
  const kinds = differing.map((pair) => {
    const before = old[pair.old]?.text ?? "";
    const after = file[pair.file]?.text ?? "";
    if (old.length < 3 && !sameOperators(before, after)) return "other";
    if (!anchored && sharedWords(before, after) < MIN_SHARE) return "other";
    const isEdge = pair.old === 0 || pair.old === old.length - 1;
    if (isEdge && old[pair.old]?.comment && describesOther(before, after, known)) return "other";
    return compareIdentity(before, after, known);
  });
  if (kinds.includes("other")) return false;
  const partly = kinds.filter((kind) => kind === "partly").length;
  // An extra or missing name is accepted only in a long block without other differences.
  if (partly > 0 && (old.length < MIN_LINES_FOR_NAMES || differing.length > partly)) return false;
  const severeCount = extraOld + extraFile + partly;
  return (
    severeCount <= Math.max(1, Math.floor(old.length / 8)) &&
    (severeCount === 0 || unmatchedOld.length + unmatchedFile.length <= severeCount)
  );
}

function isMinor({ old, file }: Candidate, pair: AlignedPair): boolean {
  const before = old[pair.old];
  const after = file[pair.file];
  if (!before || !after) return false;
  return (before.comment && after.comment) || !/[\p{L}\p{N}]/u.test(before.text + after.text);
}

function middleSimilarity({ old, file, alignment }: Candidate): number {
  const { pairs, unmatchedOld, unmatchedFile } = alignment;
  const middle = pairs.slice(1, -1);
  const weightAt = (lines: readonly ComparedLine[], at: number) => lines[at]?.weight ?? 0;
  const alike = middle.reduce((sum, pair) => sum + weightAt(old, pair.old) * pair.similarity, 0);
  const all =
    middle.reduce((sum, pair) => sum + weightAt(old, pair.old), 0) +
    unmatchedOld.reduce((sum, at) => sum + weightAt(old, at), 0) +
    unmatchedFile.reduce((sum, at) => sum + weightAt(file, at), 0);
  return all === 0 ? 1 : alike / all;
}

function knownNames(text: string): KnownName {
  const answers = new Map<string, boolean>();
  return (name) => {
    const answer = answers.get(name) ?? isUsed(text, name);
    answers.set(name, answer);
    return answer;
  };
}

function isUsed(text: string, name: string): boolean {
  if (!/^[\p{L}\p{N}_$]+$/u.test(name)) return text.includes(name);
  return new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`, "u").test(text);
}
