// Translates the sentences of the calendar's tools. Task names are unchanged.
import type { Language } from "./parse-request.ts";

export const WEEKDAYS: Readonly<Record<string, string>> = {
  Mon: "一",
  Tue: "二",
  Wed: "三",
  Thu: "四",
  Fri: "五",
  Sat: "六",
  Sun: "日",
};

/** Applied in order. Places come first, so that "from" and "to" are only translated next to a place. */
const CHINESE_PHRASES: readonly (readonly [RegExp, string])[] = [
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
  [/^There is no change to undo\./, "没有可以撤销的修改。"],
  [/Nothing was changed\.$/, "什么都没有改动。"],
  [/^Good enough to stop: yes\./, "已经够好:是。"],
  [/^Good enough to stop: no \(/, "已经够好:否 ("],
  [/(\d+) hard conflicts? that a move can solve/, "移动可以解决 $1 个硬冲突"],
  [/(\d+) pending tasks? that fits? somewhere/, "$1 个待安排的任务还有空位"],
  [/one move makes the load clearly more even/, "移动一次就能明显更均匀"],
  [/^No single move makes the load clearly more even\./, "没有哪一次移动能明显更均匀。"],
  [/^Hard conflicts: /, "硬冲突:"],
  [/, solved by (?=\[)/g, ",可以解决:"],
  [/, not solved by any move/g, ",没有移动可以解决"],
  [/^Shared slots \(not a conflict\): /, "共用的节次(不算冲突):"],
  [
    /^Load balance: imbalance (\S+) \(standard deviation in slots over (\d+) days?\); lightest /,
    "负荷:不均匀度 $1(按 $2 天的节数标准差);最轻 ",
  ],
  [/, heaviest (?=第)/, ",最重 "],
  [/^Best single move: /, "最好的一次移动:"],
  [/, imbalance (\S+) -> (\S+)\.$/, ",不均匀度 $1 → $2。"],
  [/^Class rules broken: /, "违反的课程规则:"],
  [/^Pending: /, "待安排:"],
  [/ fits nowhere/g, " 没有空位"],
  [/ fits (?=第)/g, " 可放在"],
  [/ with (?=\[|\d+\/12)/g, " 与 "],
  [/(?<=[::])none\.$/, "无。"],
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

export function translateLine(language: Language, line: string): string {
  if (language === "en") return line;
  const places = line.replace(
    /\bday (\d+) \(week (\d+), (\w{3})\)/gi,
    (_, day, week, weekday) => `第${day}天(第${week}周 周${WEEKDAYS[weekday] ?? weekday})`,
  );
  return CHINESE_PHRASES.reduce((text, [english, chinese]) => text.replace(english, chinese), places);
}
