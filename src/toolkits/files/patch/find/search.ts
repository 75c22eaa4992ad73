// One search for a wanted text in a file: what every strategy gets to see. Costly parts are computed once, on demand.

import { lazy, linesOf, plainText, type SourceText, stripWhitespace } from "../source-text.ts";
import { type Candidate, findCandidates } from "./candidates.ts";

export type Search = {
  readonly source: SourceText;
  /** The wanted text without BOM and with `\n` endings. */
  readonly text: string;
  readonly lines: readonly string[];
  /** Whether the file holds the wanted text when all whitespace is taken out of both: a cheap way to say no. */
  readonly containsIgnoringWhitespace: () => boolean;
  readonly candidates: () => readonly Candidate[];
};

export function createSearch(source: SourceText, wanted: string): Search {
  const text = plainText(wanted);
  const lines = linesOf(text);
  return {
    source,
    text,
    lines,
    containsIgnoringWhitespace: lazy(() => source.withoutWhitespace().includes(stripWhitespace(text))),
    candidates: lazy(() => findCandidates(source, lines)),
  };
}
