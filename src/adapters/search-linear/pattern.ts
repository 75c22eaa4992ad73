// A search pattern as a linear-time test of one line. What cannot be searched in linear time is refused by name.
import { RE2JS } from "re2js";
import type { GrepQuery } from "../../ports/operations.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";

export const PATTERN_CHARS_MAX = 1_000;
const PROGRAM_MAX = 2_000;
const LINE_CHARS_MAX = 65_536;
const LINE_CHARS_MIN = 2_048;
/** Steps of the worst kind of pattern on one line: keeps a single line well below a second. */
const LINE_STEPS = 4_000_000;

export type LinePattern = {
  test(line: string): boolean;
  /** Where the match begins in a line that has one. */
  find(line: string): number;
  /** Longer lines are searched up to here. */
  readonly lineChars: number;
};

export function compilePattern(query: Pick<GrepQuery, "pattern" | "literal" | "ignore_case">): Result<LinePattern> {
  const { pattern } = query;
  if (pattern === "" || pattern.length > PATTERN_CHARS_MAX) {
    return fail("pattern_invalid", `A pattern has 1 to ${PATTERN_CHARS_MAX} characters, this one ${pattern.length}.`);
  }
  try {
    const source = query.literal ? RE2JS.quote(pattern) : pattern;
    const expression = RE2JS.compile(source, query.ignore_case ? RE2JS.CASE_INSENSITIVE : 0);
    const size = expression.programSize();
    if (size > PROGRAM_MAX) return fail("pattern_invalid", `The pattern needs ${size} steps, ${PROGRAM_MAX} at most.`);
    return ok({
      test: (line) => expression.test(line),
      find(line) {
        const matcher = expression.matcher(line);
        return matcher.find() ? matcher.start() : 0;
      },
      lineChars: Math.min(LINE_CHARS_MAX, Math.max(LINE_CHARS_MIN, Math.floor(LINE_STEPS / size))),
    });
  } catch (error) {
    return fail("pattern_invalid", `The pattern cannot be read: ${(error as Error).message}`, { pattern });
  }
}
