// Decides which recurrence rules are safe to expand. The parser iterates until it finds the next date, which may never happen: "daily, on 30
// February" does not end. Only rules that are certain to recur are accepted.
import type ICAL from "ical.js";

export function isBoundedRule(rule: ICAL.Recur): boolean {
  const has = (part: string) => part in (rule.parts as Record<string, unknown>);
  const every = rule.interval ?? 1;
  if (!Number.isInteger(every) || every < 1 || every > 400) return false;
  // A larger count is written in a form that cannot be parsed again.
  const count = rule.count ?? 1;
  if (!Number.isSafeInteger(count) || count < 1) return false;
  if (["BYHOUR", "BYMINUTE", "BYSECOND", "BYWEEKNO", "BYYEARDAY"].some(has)) return false;
  if (has("BYSETPOS") && !picksWeekdays(rule)) return false;
  const dayInMonth = has("BYMONTH") && has("BYMONTHDAY");
  switch (rule.freq) {
    case "DAILY":
      return every === 1
        ? !dayInMonth && !(has("BYDAY") && has("BYMONTHDAY"))
        : !["BYDAY", "BYMONTH", "BYMONTHDAY"].some(has);
    case "WEEKLY":
      return !has("BYMONTHDAY") && (!has("BYMONTH") || every <= 4);
    case "MONTHLY":
      return every <= 12 && !has("BYMONTH");
    case "YEARLY":
      return every <= 4;
    default:
      return false;
  }
}

/** True for rules such as "the second Tuesday" or "the last working day". Every month has the first four and the last four of them. */
function picksWeekdays(rule: ICAL.Recur): boolean {
  const { BYSETPOS, BYDAY, BYMONTHDAY } = rule.parts as Record<string, unknown[] | undefined>;
  const plain = BYDAY?.every((day) => /^[A-Z]{2}$/.test(String(day))) ?? false;
  const near = BYSETPOS?.every((at) => Math.abs(Number(at)) >= 1 && Math.abs(Number(at)) <= 4) ?? false;
  return rule.freq === "MONTHLY" && plain && near && BYMONTHDAY === undefined;
}
