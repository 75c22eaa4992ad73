import { describe, expect, test } from "vitest";
import { matchesEveryHour, nextCronDue } from "../../../src/jobs/schedules/cron-due.ts";
import { changesOf, dueAround, RULES } from "../../support/cron-oracle.ts";

const YEAR = [Date.parse("2026-01-01T00:00:00Z"), Date.parse("2027-01-01T00:00:00Z")] as const;
const HOUR = 3_600_000;

/** Returns the due times after `from` and before `to`, one after another, as a schedule computes them. */
function dueBetween(expression: string, time_zone: string, from: number, to: number): readonly string[] {
  const due: string[] = [];
  for (let at = nextCronDue({ expression, time_zone }, from); at !== null && at < to; ) {
    due.push(new Date(at).toISOString());
    at = nextCronDue({ expression, time_zone }, at);
  }
  return due;
}

describe.each(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Havana", "Africa/Cairo"])(
  "around the changes of %s",
  (zone) => {
    const changes = changesOf(zone, ...YEAR);
    test("there are two a year", () => expect(changes).toHaveLength(2));

    test.each(RULES)("$expression is due as a walk through the minutes says", (rule) => {
      for (const change of changes) {
        const [from, to] = [change.at - 30 * HOUR, change.at + 30 * HOUR];
        const expected = dueAround(change, rule).filter((at) => at > from && at < to);
        const found = dueBetween(rule.expression, zone, from, to);
        expect(found).toEqual(expected.map((at) => new Date(at).toISOString()));
      }
    });
  },
);

test("whenever it is asked, also in the repeated hour, the answer is the next of the same times", () => {
  const [, autumn] = changesOf("Europe/Berlin", ...YEAR);
  if (!autumn) throw new Error("Berlin has an autumn");
  for (const rule of RULES) {
    const all = dueAround(autumn, rule);
    for (let after = autumn.at - 3 * HOUR; after < autumn.at + 3 * HOUR; after += 5 * 60_000 + 1) {
      const expected = all.find((at) => at > after);
      if (expected === undefined) continue;
      expect(nextCronDue({ expression: rule.expression, time_zone: "Europe/Berlin" }, after)).toBe(expected);
    }
  }
});

test.each([
  ["* * * * *", true],
  ["0 */1 * * *", true],
  ["0 0-23 * * *", true],
  ["0 0-11,12-23/1 * * *", true],
  ["0 0/1 * * *", true],
  ["30 0 * * * *", true],
  ["@hourly", true],
  ["0 */2 * * *", false],
  ["0 1-23 * * *", false],
  ["0 2,14 * * *", false],
  ["* 2 * * *", false],
  ["@daily", false],
])("%s names every hour: %s", (expression, expected) => {
  expect(matchesEveryHour(expression)).toBe(expected);
});

test("an expression that is never due has no next time", () => {
  expect(nextCronDue({ expression: "0 0 30 2 *", time_zone: "Europe/Berlin" }, YEAR[0])).toBeNull();
});

test("due times of one expression do not depend on those that were computed before", () => {
  const noon = { expression: "0 12 * * 1-5", time_zone: "Asia/Tokyo" };
  const first = nextCronDue(noon, YEAR[0]);
  for (const zone of ["America/New_York", "UTC", "Asia/Tokyo"])
    for (const after of [YEAR[1], YEAR[0] + 99 * 24 * HOUR])
      nextCronDue({ expression: noon.expression, time_zone: zone }, after);
  expect(nextCronDue(noon, YEAR[0])).toBe(first);
  expect(new Date(first ?? 0).toISOString()).toBe("2026-01-01T03:00:00.000Z");
});

test.each(["1,31", "1,30", "2,31", "1,15,30", "*/10", "*/15", "29-31,1", "1,L"])(
  "the days %s of the month are due in every month, also after February",
  (days) => {
    const [from, to] = [Date.parse("2023-01-01T00:00:00Z"), Date.parse("2029-01-01T00:00:00Z")];
    const named = namedDays(days);
    const expected = Array.from({ length: (to - from) / (24 * HOUR) }, (_, day) => from + day * 24 * HOUR)
      .filter((at) => named(new Date(at).getUTCDate(), new Date(at + 24 * HOUR).getUTCDate() === 1))
      .map((at) => new Date(at).toISOString());
    expect(dueBetween(`0 0 ${days} * *`, "UTC", from - 1, to)).toEqual(expected);
    const weekdays = new Set(dueBetween(`0 0 ${days} * 6`, "UTC", from - 1, to));
    expect(expected.filter((at) => !weekdays.has(at))).toEqual([]);
  },
);

function namedDays(days: string): (day: number, last: boolean) => boolean {
  const parts = days.split(",");
  return (day, last) =>
    parts.some((part) => {
      if (part === "L") return last;
      if (part.startsWith("*/")) return (day - 1) % Number(part.slice(2)) === 0;
      const [from = 0, to = from] = part.split("-").map(Number);
      return day >= from && day <= to;
    });
}
