// Compiles a search pattern to a linear-time test for one line. Refuses patterns that need more than linear time.
import { RE2JS } from "re2js";
import type { GrepQuery } from "../../ports/operations.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";

export const PATTERN_CHARS_MAX = 1_000;
const PROGRAM_MAX = 2_000;
const LINE_CHARS_MAX = 65_536;
const LINE_CHARS_MIN = 1_024;
/** Limits the uninterruptible work on one line to tens of milliseconds. */
const LINE_STEPS_MAX = 2_000_000;
/** Beyond a larger program or a slower line, the more predictable engine is used. */
const TABLE_PROGRAM_MAX = 100;
const TABLE_LINE_MS = 10;

export type LinePattern = {
  test(line: string): boolean;
  /** The index of the match in a line that has one. */
  find(line: string): number;
  /** The number of characters of a longer line that are searched. */
  readonly lineChars: number;
};

export function compilePattern(query: Pick<GrepQuery, "pattern" | "literal" | "ignore_case">): Result<LinePattern> {
  const { pattern } = query;
  if (pattern === "" || pattern.length > PATTERN_CHARS_MAX) {
    const message = `A pattern must have 1 to ${PATTERN_CHARS_MAX} characters; this one has ${pattern.length}.`;
    return fail("pattern_invalid", message);
  }
  try {
    const source = query.literal ? RE2JS.quote(pattern) : pattern;
    const expression = RE2JS.compile(source, query.ignore_case ? RE2JS.CASE_INSENSITIVE : 0);
    const size = expression.programSize();
    if (size > PROGRAM_MAX)
      return fail("pattern_invalid", `The pattern needs ${size} steps; the limit is ${PROGRAM_MAX}.`);
    return ok({
      test: createLineTest(expression, size),
      find(line) {
        const matcher = expression.matcher(line);
        return matcher.find() ? matcher.start() : 0;
      },
      lineChars: Math.min(LINE_CHARS_MAX, Math.max(LINE_CHARS_MIN, Math.floor(LINE_STEPS_MAX / size))),
    });
  } catch (error) {
    return fail("pattern_invalid", `The pattern is invalid: ${(error as Error).message}`, { pattern });
  }
}

/**
 * A lazily built DFA is several times faster for ordinary patterns, and several times slower for patterns that are
 * designed to make it grow. Both engines take time proportional to the line.
 */
function createLineTest(expression: RE2JS, size: number): (line: string) => boolean {
  let useTable = size <= TABLE_PROGRAM_MAX;
  return (line) => {
    if (!useTable) return expression.matcher(line).find();
    const started = performance.now();
    const found = expression.test(line);
    if (performance.now() - started > TABLE_LINE_MS) useTable = false;
    return found;
  };
}
