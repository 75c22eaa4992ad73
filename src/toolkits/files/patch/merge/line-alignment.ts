// Aligns the lines of the searched text with a region of the file, maximizing total similarity and ignoring blank lines. A
// band around the diagonal bounds the work, so the cost depends only on the length of the searched text.
import { composed } from "../find/composition.ts";
import { isComment } from "../find/identity.ts";
import { plainPunctuation } from "../find/punctuation.ts";
import { sharedWords, similarity } from "../find/similarity.ts";

export type ComparedLine = {
  /** The index of the line in its text. */
  readonly at: number;
  readonly text: string;
  readonly plain: string;
  /** Lines with equal keys differ only in whitespace, punctuation and insignificant spelling. */
  readonly key: string;
  readonly weight: number;
  readonly comment: boolean;
};

export type AlignedPair = { readonly old: number; readonly file: number; readonly similarity: number };

/** An alignment as indexes into the compared lines: pairs in order, and unmatched lines. */
export type Alignment = {
  readonly pairs: readonly AlignedPair[];
  readonly unmatchedOld: readonly number[];
  /** The unmatched lines between the first and the last pair. */
  readonly unmatchedFile: readonly number[];
};

const MIN_SIMILARITY = 0.45;
const COMMENT_SIMILARITY = 0.5;
const SHARED_WORDS_MIN = 0.2;

export function compareLine(line: string, at: number): ComparedLine {
  const text = composed(line.trim());
  const comment = isComment(text);
  const letters = Math.min(text.length, 60);
  const plain = plainSpelling(text);
  return { at, text, plain, key: lineKey(plain), weight: (1 + letters) * (comment ? 0.3 : 1), comment };
}

/** Removes differences of style, such as those in quotes, declaration keywords and line terminators. */
const plainSpelling = (text: string): string =>
  text
    .replace(/["`]/g, "'")
    .replace(/\b(?:const|var)\b/g, "let")
    .replace(/\bawait\s+/g, "")
    .replace(/([=!])==/g, "$1=")
    .replace(/[;,]$/, "");

export function lineKey(line: string): string {
  const bare = line.replace(/\s+/g, "").replaceAll("--", "-");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: tests quickly for characters beyond ASCII.
  return /[^\x00-\x7f]/.test(bare) ? composed(plainPunctuation(bare, "-")) : bare;
}

export function lineSimilarity(a: ComparedLine, b: ComparedLine): number {
  if (a.key === b.key) return 1;
  const score = similarity(a.plain, b.plain);
  // Comments that share words are treated as reworded versions of each other.
  const reworded =
    a.comment && b.comment && score < COMMENT_SIMILARITY && sharedWords(a.plain, b.plain) >= SHARED_WORDS_MIN;
  return reworded ? COMMENT_SIMILARITY : score;
}

/** The expected offset of the first old line in the file lines, and the maximum deviation of a pair from it. */
export type Band = { readonly lead: number; readonly slack: number };

const PAIR = 1;
const SKIP_FILE = 2;
const SKIP_OLD = 3;
const NEVER = Number.NEGATIVE_INFINITY;

// Skipping an old line costs more than skipping a line of the file: even a bracket at its edge belongs to the region.
const OLD_GAP = 5;
const FILE_GAP = 2;
const FILE_GAP_SHARE = 0.05;

/** Aligns all old lines with part of the file lines. File lines before the first and after the last pair cost nothing. */
export function alignLines(old: readonly ComparedLine[], file: readonly ComparedLine[], band: Band): Alignment {
  const width = 2 * band.slack + 1;
  const shift = band.slack - band.lead;
  const best = new Float64Array((old.length + 1) * width).fill(NEVER).fill(0, 0, width);
  const step = new Uint8Array((old.length + 1) * width);
  const similarities = new Float64Array((old.length + 1) * width);
  old.forEach((a, index) => {
    const i = index + 1;
    for (let k = 0; k < width; k += 1) {
      const j = i - shift + k;
      if (j < 0 || j > file.length) continue;
      const here = i * width + k;
      const b = file[j - 1];
      const like = b ? lineSimilarity(a, b) : 0;
      const pair = b && like >= MIN_SIMILARITY ? (best[here - width] ?? 0) + a.weight * like + 0.01 : NEVER;
      const skipOld = k + 1 < width ? (best[here - width + 1] ?? 0) - OLD_GAP : NEVER;
      const gap = i === old.length ? 0 : FILE_GAP + (b?.weight ?? 0) * FILE_GAP_SHARE;
      const skipFile = b && k > 0 ? (best[here - 1] ?? 0) - gap : NEVER;
      const top = Math.max(pair, skipFile, skipOld);
      best[here] = top;
      similarities[here] = like;
      step[here] = top === pair ? PAIR : top === skipFile ? SKIP_FILE : SKIP_OLD;
    }
  });
  return trace(old.length, Math.min(width - 1, file.length - old.length + shift), width, shift, step, similarities);
}

function trace(
  oldCount: number,
  lastColumn: number,
  width: number,
  shift: number,
  step: Uint8Array,
  similarities: Float64Array,
): Alignment {
  const pairs: AlignedPair[] = [];
  const unmatchedOld: number[] = [];
  let i = oldCount;
  let k = lastColumn;
  while (i > 0) {
    const here = i * width + k;
    const move = k < 0 ? SKIP_OLD : step[here];
    if (move === SKIP_FILE) {
      k -= 1;
      continue;
    }
    if (move === PAIR) pairs.push({ old: i - 1, file: i - shift + k - 1, similarity: similarities[here] ?? 0 });
    else {
      unmatchedOld.push(i - 1);
      k += 1;
    }
    i -= 1;
  }
  pairs.reverse();
  unmatchedOld.reverse();
  return { pairs, unmatchedOld, unmatchedFile: unpaired(pairs) };
}

function unpaired(pairs: readonly AlignedPair[]): number[] {
  const unmatched: number[] = [];
  pairs.forEach((pair, index) => {
    const next = pairs[index + 1]?.file ?? pair.file + 1;
    for (let line = pair.file + 1; line < next; line += 1) unmatched.push(line);
  });
  return unmatched;
}
