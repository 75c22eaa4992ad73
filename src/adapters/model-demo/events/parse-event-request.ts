// What a person wants of their calendar, in English or Chinese.
export type EventIntent =
  | "undo"
  | "plan"
  | "swap"
  | "cancel"
  | "move"
  | "shift"
  | "resize"
  | "relocate"
  | "find"
  | "check"
  | "create"
  | "remind"
  | "reminded"
  | "when"
  | "show"
  | "help"
  | "unknown";

const NUMBER = String.raw`(?:\d+(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten|[一二两三四五六七八九十]+)`;

/** The first match wins: intents that change something come before those that only read. */
const PATTERNS: readonly (readonly [EventIntent, RegExp])[] = [
  // The text that a reminder posts.
  ["reminded", /^Reminder: /],
  ["help", /what can you do|who are you|^\s*help\b|你能做什么|帮助|你是谁/i],
  ["undo", /\b(?:undo|revert|take (?:it|that) back)\b|撤销|撤回|还原/i],
  ["remind", /\bremind\b|提醒/i],
  // Things outside a calendar, which must not become events.
  [
    "unknown",
    /^(?:please |can you |could you )*(?:send|invite|e-?mail|text|order|buy)\b|\bweather\b|发.{0,4}(?:邮件|短信)|邀请|天气/i,
  ],
  ["swap", /\b(?:swap|exchange)\b|交换|对调|互换/i],
  ["plan", new RegExp(`\\bblocks? of\\b|\\bin blocks\\b|${NUMBER} hours? (?:of|for)\\b|分成|几次|每次`, "i")],
  ["cancel", /\b(?:cancel|delete|remove|drop|call off)\b|取消|删除|删掉/i],
  ["resize", /\b(?:longer|shorter|extend|shorten)\b|延长|缩短/i],
  [
    "relocate",
    /\b(?:change|set|update|move)\b.*\b(?:location|place|room)\b.*\bto\b|\bis (?:now )?(?:in|at) .*\b(?:now|update)\b|地点|(?:改在|换到).*(?:室|楼|厅)/i,
  ],
  [
    "shift",
    new RegExp(
      `\\b(?:back|forward|later|earlier)\\b.*\\bby\\b|\\bby (?:an?|half|${NUMBER})\\b|\\b(?:hours?|minutes?) (?:later|earlier)\\b|(?:推迟|延后|提前)(?!到)`,
      "i",
    ),
  ],
  ["move", /\b(?:move|reschedule|shift|postpone|push)\b|移到|改到|挪到|推迟|提前|调到|改成/i],
  [
    "check",
    /\b(?:conflicts?|overlaps?|double[- ]booked|too full|how (?:busy|full)|check (?:my|the|for|if|whether|next|this))\b|冲突|忙不忙|有多忙|太满/i,
  ],
  [
    "create",
    /^(?:please |can you |could you |i (?:need|want|have)\b.*)*\b(?:add|create|schedule|book|put|block|set up|arrange|make)\b/i,
  ],
  ["create", /安排(?!是什么|吗|[??。]|$)|添加|新建|预约|加一个|创建|约/],
  [
    "find",
    /\b(?:find|when (?:am i|can i|do i have)|room for|space for|time for)\b|\bfree (?:time|slot)\b|\bam i free\b|有空|空闲|什么时候能|找.*时间/i,
  ],
  ["when", /\bwhen(?:'s| is| are)\b|什么时候|几点/i],
  [
    "show",
    /\b(?:what(?:'s| is| do i have)|do i have|anything|show|list|agenda|schedule for|what have i)\b|有什么|看看|显示|日程|安排|查看/i,
  ],
];

/** "Even if that is taken", and what to do if it is, are no part of the request itself. */
const ALLOW_CLAUSE =
  /[,,;]?\s*(?:\banyway\b|\beven if\b[^,.;]*|(?:有冲突|即使|就算)?[^,,。]*?也(?:没关系|可以|行)|照样|仍然)/gi;
const FALLBACK_CLAUSE =
  /[,,;]\s*(?:if (?:that|it|the time)(?: is|'s) (?:taken|busy|not free)|如果(?:有冲突|没空|被占))[^.。]*/gi;
const FALLBACK = /\b(?:next|another|first) free\b|下一个空|其他时间/i;

export type EventRequest = {
  readonly intent: EventIntent;
  /** The request without its conditions. */
  readonly text: string;
  /** Book although the time is taken. */
  readonly allow: boolean;
  /** Use the next free time of that day if it is taken. */
  readonly fallback: boolean;
  readonly scope: "this" | "following" | "all";
};

export function parseEventRequest(goal: string): EventRequest {
  const condition = goal.match(FALLBACK_CLAUSE)?.join(" ") ?? "";
  const withoutFallback = goal.replace(FALLBACK_CLAUSE, " ");
  const text = withoutFallback.replace(ALLOW_CLAUSE, " ").trim();
  return {
    intent: intentOf(text),
    text,
    allow: text !== withoutFallback.trim(),
    fallback: FALLBACK.test(condition),
    scope: scopeOf(text),
  };
}

/** A day with a time, or a whole day, is an event to create if nothing else is said. */
const EVENT_LIKE = /(?:点|\d:\d\d|\b\d{1,2} ?[ap]m\b|\bat \d|全天|整天|\ball day\b)/i;

const intentOf = (text: string): EventIntent =>
  PATTERNS.find(([, pattern]) => pattern.test(text))?.[0] ?? (EVENT_LIKE.test(text) ? "create" : "unknown");

function scopeOf(text: string): EventRequest["scope"] {
  if (/\b(?:just|only) (?:that|this|the) one\b|\bonly\b|只/i.test(text)) return "this";
  if (/\bfrom\b.*\b(?:on|onwards?)\b|\band (?:all )?(?:following|later)\b|从.*(?:开始|起)|以后/i.test(text))
    return "following";
  return /\b(?:all|every|series|whole)\b|所有|全部|每(?:天|周|次)|整个/i.test(text) ? "all" : "this";
}

/** Words of a request that are never part of a title. */
const FILLERS_EN =
  /^(?:please|can you|could you|would you|i have|i need|i want|to|add|create|schedule|book|put|block|set up|arrange|new|make|plan|all of|all day|the whole|whole|all|it|on|for|a|an|the|my|event|meeting called|appointment called|called|in|of|blocks?|calendar|me|and|with|study time for|time for)\b/i;
const FILLERS_ZH =
  /请|帮我|帮|我要|我|从|开始|(?:一|总)?共?[\d一二两三四五六七八九十]+次|全天|整天|找个|安排|添加|新建|预约|加一个|创建|一个|一次|一场|的|在|日历|里|上|到|之前|前|把|分成|每次|一共|总共/g;

/** What remains of a request without verbs and times is the title. */
export function titleIn(rest: string): string {
  const quoted = /["“「'](.+?)["”」']/.exec(rest)?.[1];
  if (quoted) return quoted.trim();
  let text = rest
    .replace(/[.,;!?。,;!?、]/g, " ")
    .replace(/\b(?:to|on|in|into) (?:my|the) calendar\b/gi, " ")
    .replace(/\b(?:starting|beginning)\b/gi, " ")
    .replace(new RegExp(`\\b${NUMBER} times\\b`, "gi"), " ");
  if (/\p{Script=Han}/u.test(text)) text = text.replace(FILLERS_ZH, " ");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text
      .trim()
      .replace(FILLERS_EN, "")
      .replace(/\b(?:at|on|for|in|by|of|from|to|before|until|each|every|daily|weekly|it)$/i, "");
  }
  const title = text.replace(/\s+/g, " ").trim();
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** "… is in Room 5 now", "change the place of … to Room 5", "地点改成5号会议室". */
export function placeIn(text: string): string {
  const [, to, at, zh] =
    /\b(?:location|place|room)\b.*?\bto (.+)$|\bis (?:now )?(?:in|at) (.+?)(?: now\b.*|[,.].*)?$|(?:地点改成|地点改为|改在|换到)(.+)$/i.exec(
      text,
    ) ?? [];
  return (to ?? at ?? zh ?? "").replace(/[.。!,,\s]+$/, "").trim();
}
