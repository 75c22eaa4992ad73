// Tests phrases for dates and times, read at a fixed time: Monday, 2 March 2026, 09:00 in Berlin.
import { describe, expect, test } from "vitest";
import { time } from "../../../src/toolkits/basics/time.ts";
import { resolvePhrase } from "../../../src/toolkits/basics/time-phrase.ts";
import { localTimeIn } from "../../../src/tools/time-zone.ts";
import { runBuiltin } from "../../support/run-builtin.ts";
import { aContext } from "../../support/tool-context.ts";

const ZONE = "Europe/Berlin";
const NOW = Date.parse("2026-03-02T08:00:00Z");

const localText = (ms: number): string => {
  const { day, minute } = localTimeIn(ZONE, ms);
  return new Date((day * 1440 + minute) * 60_000).toISOString().slice(0, 16).replace("T", " ");
};

/** Returns each reading of the phrase: a day such as `2026-03-10`, or a time with its end, if it has one. */
async function read(phrase: string): Promise<readonly string[]> {
  const found = await resolvePhrase(phrase, ZONE, NOW);
  return (found?.candidates ?? []).map(({ from, to, precision }) => {
    if (precision === "day") return localText(from).slice(0, 10);
    return `${localText(from)}${to === null ? "" : ` to ${localText(to)}`}`;
  });
}

describe("phrases", () => {
  test.each([
    ["next Tuesday morning", ["2026-03-10 06:00 to 2026-03-10 12:00", "2026-03-03 06:00 to 2026-03-03 12:00"]],
    ["Thursday", ["2026-03-05"]],
    ["Monday", ["2026-03-02", "2026-03-09"]],
    ["the day after tomorrow at 3pm", ["2026-03-04 15:00"]],
    ["day before yesterday", ["2026-02-28"]],
    ["last Monday", ["2026-02-23"]],
    ["last Friday", ["2026-02-27"]],
    ["letzten Freitag", ["2026-02-27"]],
    ["03.12.2026", ["2026-12-03"]],
    ["03.12.2026 at 3pm", ["2026-12-03 15:00"]],
    ["in two weeks", ["2026-03-16"]],
    ["in 90 minutes", ["2026-03-02 10:30"]],
    ["tomorrow at 3pm", ["2026-03-03 15:00"]],
    ["tomorrow at 3", ["2026-03-03 03:00", "2026-03-03 15:00"]],
    ["tomorrow at 15:00 UTC", ["2026-03-03 16:00"]],
    ["friday 2-4pm", ["2026-03-06 14:00 to 2026-03-06 16:00"]],
    ["from 10 March to 12 March", ["2026-03-10 00:00 to 2026-03-13 00:00"]],
    ["in four weeks at 9:30am", ["2026-03-30 09:30"]],
    ["morgen nachmittag", ["2026-03-03 12:00 to 2026-03-03 18:00"]],
    ["in zwei Wochen", ["2026-03-16"]],
    ["mardi prochain", ["2026-03-10", "2026-03-03"]],
    ["en dos semanas", ["2026-03-16"]],
    ["明日の午後3時です", ["2026-03-03 15:00"]],
  ])("%s", async (phrase, expected) => {
    expect(await read(phrase)).toEqual(expected);
  });

  test.each([
    ["下周二上午", ["2026-03-10 06:00 to 2026-03-10 12:00"]],
    ["周四", ["2026-03-05"]],
    ["这周日晚上八点", ["2026-03-08 20:00"]],
    ["下下个星期三", ["2026-03-18"]],
    ["两周后", ["2026-03-16"]],
    ["三天后的下午", ["2026-03-05 12:00 to 2026-03-05 18:00"]],
    ["一个半小时后", ["2026-03-02 10:30"]],
    ["明天下午三点半", ["2026-03-03 15:30"]],
    ["明晚7点一刻", ["2026-03-03 19:15"]],
    ["后天三点", ["2026-03-04 03:00", "2026-03-04 15:00"]],
    ["中午12点", ["2026-03-02 12:00"]],
    ["早上8点", ["2026-03-03 08:00"]],
    ["3月29日", ["2026-03-29"]],
    ["一月十五号上午十点", ["2027-01-15 10:00"]],
    ["下个月五号", ["2026-04-05"]],
    ["1号", ["2026-04-01"]],
    ["月底", ["2026-03-31"]],
    ["一个月后", ["2026-04-02"]],
    ["2027年2月28日14:05", ["2027-02-28 14:05"]],
  ])("%s", async (phrase, expected) => {
    expect(await read(phrase)).toEqual(expected);
  });

  test.each(["the usual", "随便", "2月30日", "25点", ""])("%j is not a date", async (phrase) => {
    expect(await read(phrase)).toEqual([]);
  });
});

describe("time with a phrase", () => {
  const run = async (args: unknown) =>
    (await runBuiltin(time, args, aContext({ now: () => NOW, time_zone: ZONE }))).text;

  test("gives candidates with weekday and date in the zone of the thread", async () => {
    expect(await run({ phrase: "lunch next Tuesday" })).toBe(
      [
        'Understood: "next Tuesday"; not read: "lunch"',
        "- Tuesday 2026-03-10 00:00:00 Europe/Berlin (UTC+01:00) = 2026-03-09T23:00:00.000Z (the whole day)",
        "- Tuesday 2026-03-03 00:00:00 Europe/Berlin (UTC+01:00) = 2026-03-02T23:00:00.000Z (the whole day)",
      ].join("\n"),
    );
  });

  test.each([
    ["the day after tomorrow", 'Understood: "in 2 days"'],
    ["on Thursday", 'Understood: "on Thursday"'],
    ["quarter to five tomorrow", 'Understood: "tomorrow"; not read: "quarter to five"'],
    ["两周后的周一", 'Understood: "两周后"; not read: "的周一"'],
  ])("says which words of %j it did not read", async (phrase, first) => {
    expect((await run({ phrase })).split("\n")[0]).toBe(first);
  });

  test("counts in the zone of the thread, too", async () => {
    expect(await run({})).toContain(ZONE);
  });

  test("a zone in the call overrides that of the thread", async () => {
    expect(await run({ phrase: "明天下午三点", zone: "Asia/Shanghai" })).toContain(
      "Tuesday 2026-03-03 15:00:00 Asia/Shanghai (UTC+08:00) = 2026-03-03T07:00:00.000Z",
    );
  });

  test("a phrase without a date, or with other arguments, is refused with a hint", async () => {
    expect(await run({ phrase: "whenever it suits" })).toContain("There is no date or time");
    expect(await run({ phrase: "tomorrow", add: { days: 1 } })).toContain("only with zone");
  });
});
