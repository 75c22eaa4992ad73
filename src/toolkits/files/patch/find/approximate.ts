// The two strategies that accept differing lines. They must never take a similar sibling for an absent block: every
// difference has to be a slip, and no other stretch of the file may be nearly as good.

import type { ComparedLine, LinePair } from "../merge/line-alignment.ts";
import type { Candidate } from "./candidates.ts";
import type { Span } from "./canonical.ts";
import { composed } from "./composition.ts";
import { compareIdentity, describesOther, sameOperators } from "./identity.ts";
import type { KnownName } from "./names.ts";
import type { Search } from "./search.ts";
import { sharedWords } from "./similarity.ts";

const MIDDLE_LIKENESS = 0.6;
const LINE_LIKENESS = 0.8;
const MIN_SHARE = 0.5;
// How many old lines it takes to forgive a forgotten line, one together with slips, and a name more or less.
const MIN_LINES_FOR_GAP = 3;
const MIN_LINES_FOR_MIXED = 5;
const MIN_LINES_FOR_NAMES = 6;

/** First and last line match, and the lines between are at least 60 % alike. */
export function blockAnchor(search: Search): Span[] {
  return choose(search, (candidate) => {
    const { pairs } = candidate.alignment;
    const first = pairs[0];
    const last = pairs.at(-1);
    if (candidate.old.length < 3 || first?.old !== 0 || last?.old !== candidate.old.length - 1) return false;
    return first.likeness === 1 && last.likeness === 1 && middleLikeness(candidate) >= MIDDLE_LIKENESS;
  });
}

/** Every line is at least 80 % alike, both ends too; comments and bare punctuation may differ more. */
export function contextAware(search: Search): Span[] {
  return choose(search, (candidate) => {
    const { pairs, unmatchedOld: oldAlone } = candidate.alignment;
    const good = pairs.filter((pair) => pair.likeness >= LINE_LIKENESS);
    if (good.length < candidate.old.length * MIN_SHARE) return false;
    const ends = [0, candidate.old.length - 1];
    if (oldAlone.some((at) => ends.includes(at))) return false;
    return pairs.every((pair) => pair.likeness >= LINE_LIKENESS || isMinor(candidate, pair));
  });
}

function choose(search: Search, fits: (candidate: Candidate) => boolean): Span[] {
  const candidates = search.candidates();
  const known = knownNames(composed(search.source.text));
  const accepted = candidates.filter((candidate) => fits(candidate) && differsOnlyByTypos(candidate, known));
  const best = accepted[0];
  if (!best) return [];
  const rivals = candidates.filter((other) => other !== best && isRival(best, other, known));
  if (rivals.some((rival) => !accepted.includes(rival))) return [];
  return [best, ...rivals].sort((a, b) => a.first - b.first).map((candidate) => spanOf(search, candidate));
}

/** Nearly as good, unless it also lacks a line of other things that the best one has word for word. */
function isRival(best: Candidate, other: Candidate, known: KnownName): boolean {
  if (other.cost > best.cost * 1.6 + 0.02) return false;
  const exact = (candidate: Candidate) =>
    new Set(candidate.alignment.pairs.filter(({ likeness }) => likeness === 1).map(({ old }) => old));
  const [ours, theirs] = [exact(best), exact(other)];
  if ([...theirs].some((at) => !ours.has(at))) return true;
  const telling = other.alignment.pairs.filter(({ old, likeness }) => likeness < 1 && ours.has(old));
  return !telling.some(({ old, file }) => {
    return compareIdentity(other.old[old]?.text ?? "", other.file[file]?.text ?? "", known) === "other";
  });
}

function spanOf({ source }: Search, { first, last }: Candidate): Span {
  return { start: source.starts[first] ?? 0, end: (source.starts[last] ?? 0) + (source.lines[last]?.length ?? 0) };
}

function differsOnlyByTypos({ old, file, alignment }: Candidate, known: KnownName): boolean {
  const { pairs, unmatchedOld: oldAlone, unmatchedFile: fileAlone } = alignment;
  const anchored = pairs.some((pair) => pair.likeness === 1 && !old[pair.old]?.comment);
  // Among comments alone a comment is all there is to go by.
  const counts = (line: ComparedLine | undefined) => !anchored || !line?.comment;
  const differing = pairs.filter((pair) => pair.likeness < 1);
  if (!anchored && differing.length > Math.max(1, Math.floor(old.length / 4))) return false;
  const invented = oldAlone.filter((at) => counts(old[at])).length;
  const left = fileAlone.filter((at) => counts(file[at])).length;
  // A line missing on one side was forgotten; one missing on both sides was another line.
  if (invented > 0 && left > 0) return false;
  if (old.length < MIN_LINES_FOR_GAP && invented + left > 0) return false;
  if (old.length < MIN_LINES_FOR_MIXED && (invented > 0 || (left > 0 && differing.length > 0))) return false;
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
  // A name more or less takes a long block to be sure, and everything else in its place.
  if (partly > 0 && (old.length < MIN_LINES_FOR_NAMES || differing.length > partly)) return false;
  const severeCount = invented + left + partly;
  return (
    severeCount <= Math.max(1, Math.floor(old.length / 8)) &&
    (severeCount === 0 || oldAlone.length + fileAlone.length <= severeCount)
  );
}

function isMinor({ old, file }: Candidate, pair: LinePair): boolean {
  const before = old[pair.old];
  const after = file[pair.file];
  if (!before || !after) return false;
  return (before.comment && after.comment) || !/[\p{L}\p{N}]/u.test(before.text + after.text);
}

function middleLikeness({ old, file, alignment }: Candidate): number {
  const { pairs, unmatchedOld: oldAlone, unmatchedFile: fileAlone } = alignment;
  const middle = pairs.slice(1, -1);
  const alike = middle.reduce((sum, pair) => sum + (old[pair.old]?.weight ?? 0) * pair.likeness, 0);
  const all =
    middle.reduce((sum, pair) => sum + (old[pair.old]?.weight ?? 0), 0) +
    oldAlone.reduce((sum, at) => sum + (old[at]?.weight ?? 0), 0) +
    fileAlone.reduce((sum, at) => sum + (file[at]?.weight ?? 0), 0);
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
