// Sentences of the calendar in the language of the user. Names of tasks stay as they are.
import type { Language } from "./understand.ts";

const WEEKDAYS: Readonly<Record<string, string>> = {
  Mon: "一",
  Tue: "二",
  Wed: "三",
  Thu: "四",
  Fri: "五",
  Sat: "六",
  Sun: "日",
};

/** Applied in order: places first, so that "from" and "to" are only taken where a place follows. */
const CHINESE: readonly (readonly [RegExp, string])[] = [
  [/\bslots? (\d+)-(\d+)/g, "第$1-$2节"],
  [/\bslot (\d+)/g, "第$1节"],
  [/ from (?=第)/g, " 从"],
  [/ to (?=第)/g, "到"],
  [/ to nowhere \(pending\)/g, "到待安排"],
  [/ on (?=第)/g, " 在"],
  [/^Moved /, "已移动 "],
  [/^Placed /, "已安排 "],
  [/^Swapped /, "已交换 "],
  [/^Undid the last change: /, "已撤销上一次修改:"],
  [/^Spread (\d+) tasks? \(imbalance (\S+) -> (\S+)\): /, "已分散 $1 个任务(不均匀度 $2 → $3):"],
  [/ is pending again/, " 重新待安排"],
  [/(\d+) pending tasks? left/, "还有 $1 个任务待安排"],
  [/needs (\d+) slots?/, "需要 $1 节"],
  [/(\d+\/12) slots in use \(courses (\S+), tasks (\S+)\)/, "已用 $1(课程 $2,任务 $3)"],
  [/; tasks: none$/, ";任务:无"],
  [/; tasks: /, ";任务:"],
  [/\bsuggested\b/g, "已建议"],
  [
    /^(\d+) days of 12 slots: (\d+) slots, (\d+) in use, (\d+) free/,
    "共 $1 天,每天 12 节:$2 节中已用 $3 节,空闲 $4 节",
  ],
  [/^(\d+) courses/, "$1 门课程"],
  [/\bpending\b/g, "待安排"],
  [/\bexisting\b/g, "固定"],
  [/^Tasks:$/, "任务:"],
  [/^Existing \((\d+)\):$/, "固定($1):"],
  [/^Suggested \((\d+)\):$/, "已建议($1):"],
  [/^Pending \((\d+)\):$/, "待安排($1):"],
  [/\.(?= |$)/g, "。"],
  [/^Free: /, "空闲:"],
  [/: free$/, ":空闲"],
];

export function inLanguage(language: Language, line: string): string {
  if (language === "en") return line;
  const places = line.replace(
    /\bday (\d+) \(week (\d+), (\w{3})\)/gi,
    (_, day, week, weekday) => `第${day}天(第${week}周 周${WEEKDAYS[weekday] ?? weekday})`,
  );
  return CHINESE.reduce((text, [english, chinese]) => text.replace(english, chinese), places);
}
