// Finds what the rest of the project knows of toolkits, which should only be the list. Used by boundaries.test.ts.
import { posix } from "node:path";
import { importsOf, type Node } from "../../scripts/read-source.ts";

/** Files that may import from the folder of a toolkit, each with the reason. */
const MAY_IMPORT: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^src\/toolkits\/(index|all)\.ts$/, "the list, and the tools of 0.1 that are registered one by one"],
  [/^src\/index\.ts$/, "names of 0.1 that are exported to users"],
  [/^src\/console\//, "the console shows the results of toolkits; types only"],
  [/^src\/hosts\/node\/data-sources\.ts$/, "loads the SQL parser, which hosts without data sources must not bundle"],
];

const toolkitOf = (path: string): string | null => /^src\/toolkits\/([a-z-]+)\//.exec(path)?.[1] ?? null;

/** Returns messages about imports from a toolkit's folder by files outside of it. */
export function toolkitImports(path: string, tree: Node): readonly string[] {
  if (MAY_IMPORT.some(([pattern]) => pattern.test(path))) return [];
  return importsOf(tree).flatMap(({ from }) => {
    const target = from.startsWith(".") ? posix.join(posix.dirname(path), from) : from;
    const toolkit = toolkitOf(target);
    if (toolkit === null || toolkit === toolkitOf(path)) return [];
    return [`${path} imports ${target}`];
  });
}

const WORDS = /calendar|timetable/i;

/** Files that may use words of a toolkit, each with the reason. */
export const MAY_NAME: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^src\/toolkits\/(timetable\/|calendar\/|(index|named)\.ts$)/, "the toolkits themselves, and the lists"],
  [/^src\/tools\/ical\//, "iCalendar files, which two toolkits read"],
  [/^src\/console\//, "its console renderers"],
  [
    /^src\/adapters\/(store-sqlite\/document-rows\.ts|store-durable-object\/documents\.ts|store-dynamodb\/keys\.ts)$/,
    "where 0.1 stored it",
  ],
  [/^src\/adapters\/model-demo\//, "the demo model is written for its sample"],
  [/^src\/testing\/document-store\.contract\.ts$/, "a kind of document that stores keep in an old place"],
  [/^src\/schema\/problem\.ts$/, "its two problem codes are part of the one public table"],
  [
    /^src\/(schema\/input|threads\/create|http\/routes\/threads)\.ts$/,
    "the field of a new thread that names its calendar",
  ],
  [
    /^src\/cli\/(calendar|main|messages\/(help-)?messages)\.ts$/,
    "the command that shows and fills calendars, and its texts",
  ],
  [/^src\/cli\/eval\/dialogues\//, "dialogues about calendars, which evals play"],
  [
    /^src\/(schema\/config|hosts\/(node\/(caldav\/dav-accounts|command-sandbox|node-runtime)|shared\/(collect-secrets|secret-variables)))\.ts$/,
    "the section of the configuration with its accounts",
  ],
  [/^src\/(adapters\/caldav\/|ports\/dav\/)/, "the protocol of calendar servers"],
  [/^src\/tools\/time-zone\.ts$/, "the calendar of a time zone, not the toolkit"],
  [/^src\/toolkits\/basics\/time\.ts$/, "calendar days, not the toolkit"],
  [/^src\/toolkits\/shell\/risk\//, "names of commands and modules"],
];

/** Returns lines with a word that belongs to a single toolkit. */
export function namedToolkits(path: string, text: string): readonly string[] {
  if (MAY_NAME.some(([pattern]) => pattern.test(path))) return [];
  return text.split("\n").flatMap((line, n) => (WORDS.test(line) ? [`${path}:${n + 1} ${line.trim()}`] : []));
}
