// Computes the similarity of two lines, from 0 to 1. Long lines are compared by words, to avoid a quadratic cost.
import { distance } from "fastest-levenshtein";

const COMPARED_CHARS_MAX = 400;

export function similarity(a: string, b: string): number {
  if (a === b) return 1;
  const longest = Math.max(a.length, b.length);
  const shortest = Math.min(a.length, b.length);
  // The edit distance is at least the difference in length, so the similarity is below 0.3, and an estimate is enough.
  if (shortest / longest < 0.3) return shortest / longest / 2;
  const head = commonPrefix(a, b, shortest);
  const tail = commonSuffix(a, b, shortest - head);
  const restA = a.slice(head, a.length - tail);
  const restB = b.slice(head, b.length - tail);
  if (Math.max(restA.length, restB.length) <= COMPARED_CHARS_MAX) return 1 - distance(restA, restB) / longest;
  return (head + tail + sharedWords(restA, restB) * Math.min(restA.length, restB.length)) / longest;
}

/** The Dice coefficient of the words, in one pass over each string. */
export function sharedWords(a: string, b: string): number {
  const counts = new Map<string, number>();
  const wordsA = a.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const wordsB = b.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  for (const word of wordsA) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of wordsB) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    shared += 1;
    counts.set(word, left - 1);
  }
  const total = wordsA.length + wordsB.length;
  return total === 0 ? 0 : (2 * shared) / total;
}

function commonPrefix(a: string, b: string, limit: number): number {
  let length = 0;
  while (length < limit && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

function commonSuffix(a: string, b: string, limit: number): number {
  let length = 0;
  while (length < limit && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length += 1;
  return length;
}
