// One search for a wanted text in a file: what every strategy gets to see. Costly parts are computed once, on demand.
import { type Candidate, findCandidates } from "./candidates.ts";
import { linesOf, plainText, type SourceText } from "./source-text.ts";

export type Search = {
  readonly source: SourceText;
  /** The wanted text without BOM and with `\n` endings. */
  readonly text: string;
  readonly lines: readonly string[];
  /** Whether the file holds every word of the wanted text; if not, no strategy that compares whole words can match. */
  readonly hasAllWords: () => boolean;
  readonly candidates: () => readonly Candidate[];
};

export function createSearch(source: SourceText, wanted: string): Search {
  const text = plainText(wanted);
  const lines = linesOf(text);
  return {
    source,
    text,
    lines,
    hasAllWords: once(() => everyWordOccurs(source.text, text)),
    candidates: once(() => findCandidates(source, lines)),
  };
}

function everyWordOccurs(text: string, wanted: string): boolean {
  const words = new Set(wanted.match(/[A-Za-z0-9_]{3,}/g) ?? []);
  const longestFirst = [...words].sort((a, b) => b.length - a.length).slice(0, 40);
  return longestFirst.every((word) => text.includes(word));
}

function once<T>(compute: () => T): () => T {
  let result: { value: T } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}
