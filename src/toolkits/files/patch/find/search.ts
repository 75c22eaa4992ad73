// Represents one search for text in a file, which all strategies share. Expensive parts are computed once, on demand.

import { lazy, linesOf, plainText, type SourceText, stripWhitespace } from "../source-text.ts";
import { type Candidate, findCandidates } from "./candidates.ts";

export type Search = {
  readonly source: SourceText;
  /** The searched text without BOM and with `\n` endings. */
  readonly text: string;
  readonly lines: readonly string[];
  /** True if the file contains the text when whitespace is removed from both: a cheap first check. */
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
