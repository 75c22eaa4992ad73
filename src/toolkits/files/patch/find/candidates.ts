// Finds the regions of the file most similar to the searched lines, best first. Shared lines (or, if there are too few,
// rare words) vote for an offset between the searched lines and the file, and only the offsets with the most votes are
// compared line by line.

import { type Alignment, alignLines, type ComparedLine, compareLine } from "../merge/line-alignment.ts";
import { isBlank, type SourceText } from "../source-text.ts";
import { composed } from "./composition.ts";

export type Candidate = {
  readonly first: number;
  readonly last: number;
  readonly old: readonly ComparedLine[];
  readonly file: readonly ComparedLine[];
  readonly alignment: Alignment;
  /** 0 for a perfect match, and about 1 if the lines have nothing in common. */
  readonly cost: number;
};

const MAX_COMPARED = 8;
/** The maximum number of non-blank lines for which approximate matches are searched. */
const MAX_LINES = 1000;
const MAX_REPEATS = 300;
const MAX_WORDS = 24;
/** A line that the old text omits counts less against a candidate than a line that the file lacks. */
const OMITTED_LINE_WEIGHT = 0.5;

export function findCandidates(source: SourceText, wanted: readonly string[]): readonly Candidate[] {
  const old = wanted.flatMap((line, at) => (isBlank(line) ? [] : [compareLine(line, at)]));
  if (old.length === 0 || old.length > MAX_LINES) return [];
  const file = source.lines.flatMap((line, at) => (isBlank(line) ? [] : [at]));
  const slack = Math.min(8, 2 + Math.ceil(old.length / 8));
  const votes = voteByLines(source, old, file);
  const enough = old.reduce((sum, line) => sum + line.weight, 0) * 0.4;
  if (strongest(votes) < enough) voteByWords(source, old, file, votes);
  const seen = new Map<number, ComparedLine>();
  const compared = (index: number): ComparedLine => {
    const known = seen.get(index);
    if (known) return known;
    const at = file[index] ?? 0;
    const line = compareLine(source.lines[at] ?? "", at);
    seen.set(index, line);
    return line;
  };
  const found = pickDiagonals(votes, slack).map((diagonal) => {
    const from = Math.max(0, diagonal - slack);
    const to = Math.min(file.length, diagonal + old.length + slack);
    const window = Array.from({ length: Math.max(0, to - from) }, (_, index) => compared(from + index));
    return scoreCandidate(old, window, { lead: diagonal - from, slack });
  });
  return distinct(found.filter((candidate) => candidate !== null));
}

type Votes = Map<number, number>;

function voteByLines(source: SourceText, old: readonly ComparedLine[], file: readonly number[]): Votes {
  const wanted = new Map<string, number[]>();
  for (const [index, line] of old.entries()) wanted.set(line.text, [...(wanted.get(line.text) ?? []), index]);
  const hits = new Map<string, number[]>();
  file.forEach((at, index) => {
    const text = composed((source.lines[at] ?? "").trim());
    if (!wanted.has(text)) return;
    const list = hits.get(text);
    if (list) list.push(index);
    else hits.set(text, [index]);
  });
  const votes: Votes = new Map();
  for (const [text, positions] of hits) {
    // A line that occurs too often does not indicate a position.
    if (positions.length > MAX_REPEATS) continue;
    for (const index of wanted.get(text) ?? []) {
      const weight = (old[index]?.weight ?? 0) / (1 + Math.log2(positions.length));
      for (const position of positions) votes.set(position - index, (votes.get(position - index) ?? 0) + weight);
    }
  }
  return votes;
}

function voteByWords(source: SourceText, old: readonly ComparedLine[], file: readonly number[], votes: Votes): void {
  const wanted = new Map<string, Set<number>>();
  old.forEach((line, index) => {
    for (const word of line.text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? [])
      wanted.set(word, (wanted.get(word) ?? new Set()).add(index));
  });
  const words = [...wanted.keys()].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS);
  if (words.length === 0) return;
  const hits = new Map<string, number[]>(words.map((word) => [word, []]));
  const pattern = new RegExp(words.map((word) => word.replaceAll("$", "\\$")).join("|"), "gu");
  let index = 0;
  for (const match of source.text.matchAll(pattern)) {
    while (index + 1 < file.length && (source.starts[file[index + 1] ?? 0] ?? 0) <= match.index) index += 1;
    hits.get(match[0])?.push(index);
  }
  for (const [word, positions] of hits) {
    if (positions.length > MAX_REPEATS) continue;
    for (const position of new Set(positions))
      for (const line of wanted.get(word) ?? []) {
        const diagonal = position - line;
        votes.set(diagonal, (votes.get(diagonal) ?? 0) + word.length / (1 + Math.log2(positions.length)));
      }
  }
}

const strongest = (votes: Votes): number => Math.max(0, ...votes.values());

function pickDiagonals(votes: Votes, slack: number): number[] {
  const ranked = [...votes].sort(([a, x], [b, y]) => y - x || a - b).slice(0, 40 * MAX_COMPARED);
  const picked: number[] = [];
  for (const [diagonal] of ranked) {
    if (picked.length === MAX_COMPARED) break;
    if (picked.every((other) => Math.abs(other - diagonal) > slack / 2)) picked.push(diagonal);
  }
  return picked;
}

function scoreCandidate(
  old: readonly ComparedLine[],
  file: readonly ComparedLine[],
  band: { lead: number; slack: number },
): Candidate | null {
  const alignment = alignLines(old, file, band);
  const first = alignment.pairs[0];
  const last = alignment.pairs.at(-1);
  if (!first || !last) return null;
  const weightAt = (lines: readonly ComparedLine[], at: number) => lines[at]?.weight ?? 0;
  const total = old.reduce((sum, line) => sum + line.weight, 0);
  const difference =
    alignment.pairs.reduce((sum, pair) => sum + weightAt(old, pair.old) * (1 - pair.similarity), 0) +
    alignment.unmatchedOld.reduce((sum, at) => sum + weightAt(old, at), 0) +
    alignment.unmatchedFile.reduce((sum, at) => sum + weightAt(file, at) * OMITTED_LINE_WEIGHT, 0);
  const [from, to] = [file[first.file]?.at ?? 0, file[last.file]?.at ?? 0];
  return { first: from, last: to, old, file, alignment, cost: difference / total };
}

/** Returns the best candidates first, without those that overlap a better one. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of [...candidates].sort((a, b) => a.cost - b.cost || a.first - b.first))
    if (kept.every((other) => candidate.last < other.first || candidate.first > other.last)) kept.push(candidate);
  return kept;
}
