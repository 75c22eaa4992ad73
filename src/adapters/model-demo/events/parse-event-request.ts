// What a person wants of their calendar, in English or Chinese.
export type EventIntent =
  | "undo"
  | "plan"
  | "swap"
  | "cancel"
  | "move"
  | "find"
  | "check"
  | "create"
  | "remind"
  | "reminded"
  | "show"
  | "help"
  | "unknown";

/** The first match wins: intents that change something come before those that only read. */
const PATTERNS: readonly (readonly [EventIntent, RegExp])[] = [
  // The text that a reminder posts.
  ["reminded", /^Reminder: /],
  ["help", /what can you do|who are you|\bhelp\b|你能做什么|帮助|你是谁/i],
  ["undo", /\b(?:undo|revert|take (?:it|that) back)\b|撤销|撤回|还原/i],
  ["remind", /\bremind\b|提醒/i],
  ["swap", /\b(?:swap|exchange)\b|交换|对调|互换/i],
  ["plan", /\bblocks?\b|\b(?:plan|spread)\b.*\bhours?\b|\bhours? of\b|分成|几次|每次/i],
  ["cancel", /\b(?:cancel|delete|remove|drop|call off)\b|取消|删除|删掉/i],
  ["move", /\b(?:move|reschedule|shift|postpone|push)\b|移到|改到|挪到|推迟|调到|改成/i],
  ["check", /\b(?:conflicts?|overlaps?|too full|how (?:busy|full)|check)\b|冲突|忙不忙|有多忙|太满/i],
  [
    "find",
    /\b(?:find|when (?:am i|can i|do i have))\b.*|\bfree (?:time|slot)\b|\bam i free\b|有空|空闲|什么时候能|找.*时间/i,
  ],
  [
    "show",
    /\b(?:what(?:'s| is| do i have)|show|list|agenda|schedule for|what have i)\b|有什么|看看|显示|日程|安排(?:是什么|吗)|查看/i,
  ],
  ["create", /\b(?:add|create|schedule|book|put|set up|arrange|new|make)\b|安排|添加|新建|预约|加一个|创建|约/i],
];

export const eventIntentOf = (text: string): EventIntent =>
  PATTERNS.find(([, pattern]) => pattern.test(text))?.[0] ?? "unknown";

/** Words of a request that are never part of a title. */
const FILLERS_EN =
  /^(?:please|can you|could you|would you|i have|i need|i want|to|add|create|schedule|book|put|set up|arrange|new|make|plan|a|an|the|my|event|meeting called|appointment called|called|in|of|blocks?|calendar|me|and|with|study time for|time for)\b/i;
const FILLERS_ZH =
  /请|帮我|帮|我要|我|安排|添加|新建|预约|加一个|创建|一个|一次|一场|的|在|日历|里|上|到|之前|前|把|分成|每次|一共|总共/g;

/** What remains of a request without verbs and times is the title. */
export function titleIn(rest: string): string {
  const quoted = /["“「'](.+?)["”」']/.exec(rest)?.[1];
  if (quoted) return quoted.trim();
  let text = rest
    .replace(/[.,!?。,!?、]/g, " ")
    .replace(/\b(?:to|on|in|into) (?:my|the) calendar\b/gi, " ")
    .replace(/\b(?:anyway|even if busy)\b/gi, " ");
  if (/\p{Script=Han}/u.test(text)) text = text.replace(FILLERS_ZH, " ");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text
      .trim()
      .replace(FILLERS_EN, "")
      .replace(/\b(?:at|on|for|in|by|of|from|to|before|until|each|every|daily|weekly)$/i, "");
  }
  const title = text.replace(/\s+/g, " ").trim();
  return title.charAt(0).toUpperCase() + title.slice(1);
}
