// Creates the problems for rejected patches. Each shows the lines that help the caller correct the request.
import { type Failed, fail } from "../../../schema/problem.ts";
import type { Candidate } from "./find/candidates.ts";
import type { Span } from "./find/canonical.ts";
import type { Search } from "./find/search.ts";
import type { Strategy } from "./find/strategies.ts";
import { isBlank, lineAt, linesOfSpan, type SourceText, stripWhitespace } from "./source-text.ts";
import { shorten } from "./splice.ts";

const MAX_PLACES = 5;
const MAX_REGIONS = 3;
const CONTEXT = 2;
const SNIPPET_CHARS = 80;
const REGION_LINES_MAX = 24;

export function ambiguous(source: SourceText, spans: readonly Span[], { name, approximate }: Strategy): Failed {
  const places = spans.map((span) => lineAt(source, span.start) + 1);
  const rows = spans.slice(0, MAX_PLACES).map((span) => placeRow(source, span));
  const more = spans.length - rows.length;
  const advice = approximate ? "quote it exactly with more context" : "add more context, or set replace_all to true";
  const message = [
    `old_string matches ${spans.length} places (${name}); ${advice}:`,
    ...rows,
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join("\n");
  return fail("patch_ambiguous", message, { count: spans.length, lines: places.slice(0, 100), strategy: name });
}

function placeRow(source: SourceText, span: Span): string {
  const { first, last } = linesOfSpan(source, span);
  const filled = source.lines.slice(first, last + 1).find((line) => !isBlank(line)) ?? "";
  return `  line ${first + 1}: ${shorten(filled.trim(), SNIPPET_CHARS)}`;
}

/** Refuses a change whose position is known, but that affects lines that old_string does not contain. */
export function conflictingLines(source: SourceText, spans: readonly Span[]): Failed {
  const at = spans.map((span) => linesOfSpan(source, span));
  const message = [
    "The lines were found, but not as old_string has them, and the change touches what differs. Copy them as they are:",
    ...at.slice(0, 1).map((place) => regionOf(source, place)),
  ].join("\n");
  return fail("patch_not_found", message, { closest: at.map(({ first }) => first + 1) });
}

export function notFound({ source, lines: wanted, candidates }: Search): Failed {
  const near = candidates()
    .filter((candidate) => 1 - candidate.cost > 0.3)
    .slice(0, MAX_REGIONS);
  const regions = near.map((candidate) => regionOf(source, candidate));
  const spaces = near[0] ? whitespaceDifference(near[0], wanted, source) : [];
  const message = [
    "old_string is not in the file. Read the file again and copy the lines as they are.",
    ...(regions.length > 0 ? ["The closest lines:", ...regions, ...spaces] : []),
  ].join("\n");
  const lines = near.map((candidate) => candidate.first + 1);
  return fail("patch_not_found", message, { closest: lines });
}

function regionOf(source: SourceText, { first, last }: { first: number; last: number }): string {
  const from = Math.max(0, first - CONTEXT);
  const to = Math.min(source.lines.length - 1, Math.min(last, first + REGION_LINES_MAX) + CONTEXT);
  const width = String(to + 1).length;
  const numberOf = (index: number) => String(from + index + 1).padStart(width);
  const rows = source.lines.slice(from, to + 1).map((line, index) => `  ${numberOf(index)} | ${shorten(line)}`);
  return rows.join("\n");
}

/** The first line that differs only in whitespace, with the whitespace made visible. */
function whitespaceDifference(
  { alignment, old, file }: Candidate,
  wanted: readonly string[],
  source: SourceText,
): string[] {
  const pair = alignment.pairs.find(({ old: at, file: line }) => {
    const written = wanted[old[at]?.at ?? 0] ?? "";
    const fileLine = source.lines[file[line]?.at ?? 0] ?? "";
    return stripWhitespace(written) === stripWhitespace(fileLine) && written !== fileLine;
  });
  if (!pair) return [];
  const visible = (line: string) => shorten(line.replaceAll(" ", "·").replaceAll("\t", "→"));
  const written = wanted[old[pair.old]?.at ?? 0] ?? "";
  const fileLine = source.lines[file[pair.file]?.at ?? 0] ?? "";
  return ["This line differs only in whitespace:", `  file: ${visible(fileLine)}`, `  old:  ${visible(written)}`];
}
