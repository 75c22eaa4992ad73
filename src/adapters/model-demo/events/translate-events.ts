// Rewrites the output of the calendar tools for the user: without ids, and in Chinese for a Chinese request. Titles are
// unchanged.
import type { Language } from "../parse-request.ts";
import { WEEKDAYS } from "../translate.ts";

const WEEKDAY = Object.keys(WEEKDAYS).join("|");

/** Applied in order to each line. A time begins with a digit once its day is translated. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/^Undone: /, "已撤销："],
  [/^(已撤销：)?Created (".*") on (?=\d)/, "$1已新建$2："],
  [/^(已撤销：)?Cancelled (".*") on (?=\d)/, "$1已取消$2："],
  [/^(已撤销：)?Moved (".*") from (\d.*?) to (?=\d)/, "$1已将$2从 $3 移到 "],
  [
    /^(已撤销：)?Swapped (".*?") from (\d.*?) to (\d.*?); (".*?") from (\d.*?) to (?=\d)/,
    "$1已交换：$2从 $3 改到 $4；$5从 $6 改到 ",
  ],
  [/^(已撤销：)?Updated (".*?") on (\d.*?): (?=[a-z])/, "$1已修改$2（$3）："],
  [/(?<=）：|; )title: (?=")/, "标题 "],
  [/(?<=）：|; )location: (?=")/, "地点 "],
  [/^Planned (\d+) blocks? of (".*"), (\d+) minutes in all:$/, "已安排$2 $1 段，共 $3 分钟："],
  [/^Reminder is set: (".*") on (?=\d)/, "已设置提醒$1："],
  [/, repeating (\S+?)(?=\.(?: |$))/, "，按 $1 重复"],
  [/, with the whole series(?=\.)/, "，包括整个系列"],
  [/, with all following occurrences(?=\.)/, "，包括之后的每一次"],
  [/\. This is outside working hours\.$/, "。这不在工作时间内。"],
  [/^The time is taken:$/, "这段时间已被占用："],
  [/^At the same time:$/, "同一时间还有："],
  [/^Nothing was changed\. Choose another time.*$/, "没有更改任何内容。请选择别的时间。"],
  [/^Rejected by the user\. The call did not run\.$/, "您拒绝了这次调用，它没有执行。"],
  [/^(\d+) events? in "(.*)" \((\S+)\)\. Now: (\d.*?)\./, "“$2”有 $1 个日程（$3）。现在是 $4。"],
  [/^Searched: the working hours \((.*?)\)(?:; the rest .*? other hours)?\. ?/, "在工作时间（$1）内查找。"],
  [/^Searched: (\d\d:\d\d–\d\d:\d\d) on each day\. ?/, "在每天的 $1 查找。"],
  [/Free for (\d+) minutes \((\S+)\):/, "可用的 $1 分钟（$2）："],
  [/^Nothing is free for (\d+) minutes in that range\. ?/, "这个范围内没有 $1 分钟的空闲。"],
  [/ ?Today, tomorrow and next week are those of (\S+)\.$/, "今天、明天和下周以 $1 为准。"],
  [/: free (\d\d:\d\d–\d\d:\d\d)(?=,|$)/, "：空闲 $1"],
  [/(?<=–\d\d:\d\d), after (".*?")/, "，在$1之后"],
  [/(?<=–\d\d:\d\d|之后), before (".*")$/, "，在$1之前"],
  [/^(\d+) problems?:$/, "$1 个问题："],
  [/^No problems\.?$/, "没有问题。"],
  [/^- overlap: (.*) and (?=\d)/, "- 时间重叠：$1 与 "],
  [/^- no break: /, "- 没有休息："],
  [/^- outside working hours: /, "- 工作时间之外："],
  [/^Load per day:$/, "每天的安排："],
  [/(?<=\d): (\d+) events?, ([\d.]+) h$/, "：$1 个日程，$2 小时"],
  [/(?<=^(?:.*：|- )\d{4}-\d\d-\d\d（周.）(?:全天|\d\d:\d\d–\d\d:\d\d)): /, "："],
  [/ \(repeats\)/, "（重复）"],
  [/ \(at (.*?)\)$/, "（地点：$1）"],
  [/\.$/, "。"],
  [/"([^"]*)"/g, "“$1”"],
];

const inChinese = (line: string): string =>
  PHRASES.reduce(
    (text, [english, chinese]) => text.replace(english, chinese),
    line
      .replace(
        new RegExp(`\\b(${WEEKDAY}) (\\d{4}-\\d\\d-\\d\\d) ?`, "g"),
        (_, day, date) => `${date}（周${WEEKDAYS[day]}）`,
      )
      .replaceAll("）(all day)", "）全天")
      .replace(new RegExp(`(?<=\\(|–|, )(${WEEKDAY})(?=–| \\d\\d:)`, "g"), (day) => `周${WEEKDAYS[day]}`),
  );

/** Removes ids, because they mean nothing to users and the next run lists the events again. */
const withoutIds = (text: string): string =>
  text.replace(/ \[e\d+@[\dT:-]+\]/g, "").replace(/^Reminder sch_\w+ is set/, "Reminder is set");

export function translateResult(language: Language, text: string): string {
  const plain = withoutIds(text);
  return language === "en" ? plain : plain.split("\n").map(inChinese).join("\n");
}
