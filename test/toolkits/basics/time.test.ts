import { describe, expect, test } from "vitest";
import { time } from "../../../src/toolkits/basics/time.ts";
import { runBuiltin } from "../../support/run-builtin.ts";
import { aContext } from "../../support/tool-context.ts";

const NOW = Date.parse("2026-03-02T08:00:00.000Z");
const run = async (args: unknown) => (await runBuiltin(time, args, aContext({ now: () => NOW }))).text;

describe("time", () => {
  test.each([
    [{}, "Monday 2026-03-02 08:00:00 UTC (UTC+00:00) = 2026-03-02T08:00:00.000Z"],
    [{ zone: "Asia/Shanghai" }, "Monday 2026-03-02 16:00:00 Asia/Shanghai (UTC+08:00) = 2026-03-02T08:00:00.000Z"],
    [
      { zone: "America/St_Johns" },
      "Monday 2026-03-02 04:30:00 America/St_Johns (UTC-03:30) = 2026-03-02T08:00:00.000Z",
    ],
    [
      { zone: "America/New_York", from: "2026-12-31", add: { days: 1 } },
      "Friday 2027-01-01 00:00:00 America/New_York (UTC-05:00) = 2027-01-01T05:00:00.000Z",
    ],
    [
      { from: "2024-02-29", add: { years: 1 } },
      "Friday 2025-02-28 00:00:00 UTC (UTC+00:00) = 2025-02-28T00:00:00.000Z",
    ],
    [
      { from: "2026-01-31", add: { months: 1 } },
      "Saturday 2026-02-28 00:00:00 UTC (UTC+00:00) = 2026-02-28T00:00:00.000Z",
    ],
    [
      { from: "2026-01-15", add: { months: -2, weeks: 1 } },
      "Saturday 2025-11-22 00:00:00 UTC (UTC+00:00) = 2025-11-22T00:00:00.000Z",
    ],
    [
      { zone: "Asia/Shanghai", from: "2026-03-02T08:00:00Z" },
      "Monday 2026-03-02 16:00:00 Asia/Shanghai (UTC+08:00) = 2026-03-02T08:00:00.000Z",
    ],
    [
      { zone: "UTC", from: "2026-03-02 10:00+02:00" },
      "Monday 2026-03-02 08:00:00 UTC (UTC+00:00) = 2026-03-02T08:00:00.000Z",
    ],
  ])("%j", async (args, expected) => {
    expect(await run(args)).toBe(expected);
  });

  test("a day is a day by the calendar and 24 hours are 24 hours, also when the clocks change", async () => {
    const zone = "Europe/Berlin";
    const eve = "2026-03-28 12:00";
    expect(await run({ zone, from: eve, add: { days: 1 } })).toContain("2026-03-29 12:00:00 Europe/Berlin (UTC+02:00)");
    expect(await run({ zone, from: eve, add: { hours: 24 } })).toContain(
      "2026-03-29 13:00:00 Europe/Berlin (UTC+02:00)",
    );
  });

  test("a skipped local time is moved forward, and of a repeated one the first is meant", async () => {
    expect(await run({ zone: "Europe/Berlin", from: "2026-03-29 02:30" })).toContain(
      "03:30:00 Europe/Berlin (UTC+02:00)",
    );
    expect(await run({ zone: "Europe/Berlin", from: "2026-10-25 02:30" })).toContain(
      "02:30:00 Europe/Berlin (UTC+02:00)",
    );
  });

  test("returns the difference between two times", async () => {
    expect(await run({ until: "2026-03-04 10:30" })).toContain(
      "Until Wednesday 2026-03-04 10:30:00 UTC (UTC+00:00): 2 calendar days; exactly 2 days 2 hours 30 minutes (181800 seconds)",
    );
    expect(await run({ until: "2026-03-02 07:59" })).toContain("0 calendar days; exactly 1 minute ago (-60 seconds)");
    expect(await run({ zone: "Europe/Berlin", from: "2026-03-28", until: "2026-03-30" })).toContain(
      "2 calendar days; exactly 1 day 23 hours",
    );
  });

  test.each([
    [{ zone: "Berlin" }, "There is no time zone"],
    [{ from: "tomorrow" }, "is not a time"],
    [{ from: "2026-02-30" }, "is not a time"],
    [{ from: "2026-01-01 25:00" }, "is not a time"],
    [{ until: "soon" }, "until:"],
    [{ add: { years: 90_000 } }, "too far away"],
  ])("%j is refused", async (args, why) => {
    expect(await run(args)).toContain(why);
  });
});
