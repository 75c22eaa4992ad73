// Parses a user's calendar request, in English or Chinese.

import { normalizeRequest, plainPunctuation } from "./normalize-request.ts";
import { namesDayRange } from "./parse-dates.ts";
import { splitRequests } from "./split-requests.ts";

const WORDS =
  "tomorrow monday tuesday wednesday thursday friday saturday sunday morning afternoon evening tonight weekend minutes reminder remind cancel delete schedule reschedule calendar appointment meeting every please".split(
    " ",
  );
const KNOWN_WORDS = new Set([
  ...WORDS,
  ...WORDS.map((word) => `${word}s`),
  ..."minute very ever even event events".split(" "),
]);

/** One letter of a known word is missing, added, changed, or swapped with its neighbor. */
function differsByOneLetter(word: string, known: string): boolean {
  let start = 0;
  while (start < word.length && word[start] === known[start]) start += 1;
  const rest = word.slice(start);
  const wanted = known.slice(start);
  const swapped = `${rest[1] ?? ""}${rest[0] ?? ""}${rest.slice(2)}`;
  const shorter = wanted.slice(1);
  return rest === shorter || rest.slice(1) === wanted || rest.slice(1) === shorter || swapped === wanted;
}

const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tmrw|tmr|tmw|tomo|2moro)\b/gi, "tomorrow"],
  [/\bwends?e?d?ay\b|\bwedensday\b|\bwednsday\b/gi, "wednesday"],
  [/\b(can|could|would) u\b/gi, "$1 you"],
  [/\b(?:pls|plz)\b/gi, "please"],
  [/\bw\/\s?/gi, "with "],
  [/\b(\d+)\s?mins?\b/gi, "$1 minutes"],
  [/\b(\d+(?:\.\d+)?)\s?hrs?\b/gi, "$1 hours"],
  [/\b(tonight|today|tomorrow)s\b/gi, "$1's"],
  [/\bappt\b/gi, "appointment"],
  [/\bmtg\b/gi, "meeting"],
];

/** Corrects misspelled words that the parsers look for, such as "tomorow" and "wendesday", and no words of a title. */
function correctSpelling(text: string): string {
  const written = SHORT_FORMS.reduce((all, [pattern, to]) => all.replace(pattern, to), text);
  return written.replace(/\b[a-z]{5,}\b/gi, (word) => {
    const lower = word.toLowerCase();
    if (KNOWN_WORDS.has(lower)) return word;
    return WORDS.find((known) => known.length > 5 && differsByOneLetter(lower, known)) ?? word;
  });
}

export type EventIntent = keyof typeof BEFORE_ALL | keyof typeof CHANGES | keyof typeof READS | "create";

const BEFORE_ALL = {
  // The text that a reminder sends.
  reminded: /^Reminder: /,
  // "Don't cancel it" requests no change, but "don't forget" and "I don't need it any more" do.
  leave:
    /\b(?:don't|do not|dont|never|no need to|please not)\b(?! (?:let me |you )?forget)(?! \w+ (?:to be )?reminded).{0,12}\b(?:cancel|delete|remove|move|change|touch|reschedule|shift|postpone|push|swap|drop|add|book|create|schedule|do (?:it|that|anything))\b|^(?:never ?mind|forget it|leave it)\b|(?:别|不要|不用|不必|先不|勿)(?:再)?(?:把.*)?(?:给我)?(?:取消|删|改|移|挪|动|推迟|提前|交换|添加|新建|安排|建)|^(?:算了|没事了|不用了)[。!,,]?$/i,
  help: /what can you do|who are you|^\s*help\b|你能做什么|帮助|你是谁/i,
};

/** Requests that do not concern a calendar and must not become events. */
const ELSEWHERE = {
  unknown:
    /^(?:please |can you |could you )*(?:send|invite|e-?mail|text|order|buy|translate|tell me a)\b|\bweather\b|\b(?:book|reserve|get|order|buy|find|call)\b(?: (?:me|us|a|an|the|some))* (?:flights?|taxi|cab|uber|hotel|train|tickets?|pizza|food|restaurant|table)\b|发.{0,4}(?:邮件|短信|消息)|邀请|天气|机票|火票|车票|订.{0,4}(?:酒店|餐|票|外卖)|打车|叫.{0,2}车|买|翻译|写一?[篇封首]/i,
};

const CHANGES = {
  undo: /\b(?:undo|revert|restore|(?:take|put|bring) (?:it|that|them) back|go back to how it was)\b|撤销|撤回|还原|恢复/i,
  remind: /\bremind(?:er)?\b|\bdon't (?:let me )?forget\b|提醒|别忘了/i,
  ...ELSEWHERE,
  swap: /\b(?:swap|exchange|trade places|switch\b.*\b(?:with|and))\b|交换|对调|互换|调换|[和跟与].*换一下/i,
  plan: /\bblocks of\b|\bin (?:[\w-]+ ){0,3}blocks?\b|\b(?:hours?|minutes?) blocks?\b|\b\d+ blocks\b|\bat a time\b|\bsessions? of\b|\b(?:[3-9]|\d\d)(?:\.\d+)? hours? (?:of|for)\b|分成|分\d+次|几次|每次/i,
  rename: /\brename\b|\bchange the (?:title|name)\b|\bcall (?:it|the)\b.*\binstead\b|改名|重命名|名(?:称|字)改/i,
  cancel:
    /\b(?:cancel|delete|remove|kill|ditch|drop(?! off)|no more|call off|skip|scrap|clear|get rid of|take\b.*\boff)\b|^no (?!more|wait|need)\S+(?: \S+)? (?:today|tonight|tomorrow|on|this|next)\b|(?<!\bi )\bis (?:off|cancell?ed)\b|\b(?:can't|cannot|won't) (?:make|attend|come|go)\b|取消|删除|删掉|去掉|不去了|跳过/i,
  resize:
    /\b(?:longer|shorter|extend|shorten|lengthen)\b|\bmake (?:the|my|it|this|that)\b.*\b\d[\d.]* (?:hours?|minutes?)(?: long)?\b(?! (?:later|earlier))|\bshould (?:last|take|be \d[\d.]* (?:hours?|minutes?))\b|延长|缩短|改成\d+(?:小时|分钟)|(?:改为|变成)\d+(?:小时|分钟)/i,
  relocate:
    /\b(?:change|set|update|move)\b.*\b(?:location|place|room|venue)\b|\b(?:is|will be|takes place|happens) (?:now )?(?:in|at) (?!\d)(?!noon)|地点|改在|换到.*(?:室|楼|厅)/i,
  shift:
    /\b(?:back|forward|later|earlier)\b.*\bby\b|\b(?:push|move|shift|bring|bump)\b.*\b(?:back|forward|up|down)\b.*\b\d[\d.]* (?:hours?|minutes?|days?|weeks?)\b|\b(?:delay|postpone|push|bump)\b.*\b\d[\d.]* (?:hours?|minutes?|days?|weeks?)\b(?!.*\bto\b)|\b\d+ (?:days?|weeks?) (?:later|earlier)\b|\bby \d[\d.]* (?:hours?|minutes?)\b|\b(?:hours?|minutes?) (?:later|earlier)\b|(?:推迟|延后|提前|提早|往后|往前|[改调往]?[晚早])(?!到|上|点到)(?:点|些)?.{0,3}?\d+(?:小时|分钟|天|周)/i,
  move: /\b(?:moved?|reschedule|shift|postpone|push|put off|delay|bump)\b|\b(?:put|make|do|have)\b.*\binstead\b|^(?:no|actually|rather|better)\b,? (?:at |on |to )?(?:\d|(?:sun|mon|tues|wednes|thurs|fri|satur|tomorrow|next))|\bmake (?:the|my|it|this|that)\b.*\d(?: ?[ap]m\b|:\d\d)|\bbring\b.*\b(?:forward|up)\b|\b(?:should|must|shall) (?:start|begin|be) at\b|\bstarts? at\b.*\b(?:instead|now|from now)\b|\bchange\b.*\bto\b|移到|挪到|改到|改成|改为|改在|调到|调整到|推迟|提前|换到|延后|改(?=[周下明后今上晚早\d])|^(?:还是|不如)/i,
};

const READS = {
  check:
    /\b(?:conflicts?|clash(?:es)?|overlap(?:s|ping)?|double[- ]booked|too full|how (?:busy|full)|check (?:my|the|for|if|whether|next|this))\b|冲突|重叠|忙不忙|有多忙|太满/i,
  find: /\b(?:find|when (?:am i|can i|could i|can we|could we|do i have)|room for|space for|time for|have (?:any )?time|times? (?:are|is) (?:open|free|available)|open (?:times?|slots?)|gaps?)\b|\bfree (?:time|slots?|hours?)\b|\b(?:am|are) (?:i|we) (?:free|available)\b|有空|有.{0,8}空(?=[吗么??]|$)|空闲|空档|空当|有时间|\bslots?\b|什么时候能|能(?:不能|否)约|找.*(?:时间|小时|分钟)/i,
  when: /\b(?:when|(?:at )?what time|how long|where|(?:what|which) room)\b|什么时候|几点|多久|多长|在哪|哪个(?:会议)?[室房]/i,
  show: /\b(?:what(?:'?s| is| do i have| else| am i doing)|rest of the (?:week|day)|coming up|do i have|anything|show|list|agenda|schedule for|what have i|which (?:events|appointments|meetings))\b|^(?:is|are)\b.*\b(?:free|available|open|taken|busy|booked)\b|有什么|有啥|有哪些|忙什么|干什么|干嘛|看看|看一下|显示|日程(?!里|上|中|表里)|查看|安排(?:是什么|吗|[??。]|$)/i,
};

export const CREATE_VERB =
  /\b(?:add|create|schedule|book|put|block|set up|arrange|enter|pencil|reserve|note down|mark|plan|make)\b(?! (?:it )?(?:on|for) (?:my|the) (?:agenda|schedule)\?)|安排(?!是什么|吗|[??。]|$)|添加|新建|预约|加一?[个场次]|加进|加到|记上|记下|记到|创建|约|留(?:出|\d)|空出/i;

/** "Can you" and "could you" begin a request, not a question. */
const QUESTION =
  /^(?:so |and |hey |please |tell me |show me |do you know )*(?:do|does|did|is|are|am|was|will|what|what's|whats|which|when|where|who|how|any|anything)\b|^(?!能|可以|请|帮).*(?:(?<![好以行])吗|呢|没有|什么|哪些|几点|多久|多长时间|哪[里儿]?)[??]?\s*$|有没有|什么时候|几点(?!前)|看看.*能(?:不能|否)/i;

/** Matches "find an hour on Monday and book a haircut". */
const FIND_AND_CREATE =
  /\bfind\b.*?\b(?:and|to|for)\b(?: please)? (?:then )?(?:book|put in|put|add|schedule|enter|reserve)\b(?: in)?(.+)$/i;

/** A message with a time or an all-day activity creates an event if no other intent matches. */
const EVENT_LIKE = /(?:\d点|\d:\d\d|\b\d{1,2} ?[ap]m\b|\bat \d|全天|整天|\ball day\b)/i;

/** Matches "on vacation" and "休假", which are all-day events. */
const ABSENCE =
  /\b(?:on (?:holidays?|vacation|leave|pto|annual leave|a (?:business )?trip)|out of (?:the )?office|ooo|days? off|(?:i'm|i am|we are|we're) (?:off|away)|(?:take|taking|have) .{0,12}off)\b|休假|请假|放假|出差|度假|年假|休息一天|不在(?:公司|办公室|家)?(?=[,,。]|$)/i;

/** Activities that become all-day events unless a time is given. */
export const WHOLE_DAYS = new RegExp(
  `${ABSENCE.source}|\\b(?:birthday|anniversary)\\b(?! (?:party|dinner|lunch|brunch|drinks|call|cake|card|gift|present|celebration))|生日$|纪念日`,
  "i",
);

const firstOf = <Intent extends string>(patterns: Readonly<Record<Intent, RegExp>>, text: string): Intent | undefined =>
  (Object.keys(patterns) as Intent[]).find((intent) => patterns[intent].test(text));

function intentOf(text: string): EventIntent {
  const always = firstOf(BEFORE_ALL, text);
  if (always) return always;
  if (QUESTION.test(text)) return firstOf({ ...ELSEWHERE, ...READS }, text) ?? "unknown";
  const changes = firstOf(CHANGES, text);
  if (changes) return changes;
  if (FIND_AND_CREATE.test(text)) return "create";
  return (
    firstOf({ check: READS.check, create: CREATE_VERB }, text) ??
    firstOf(READS, text) ??
    (EVENT_LIKE.test(text) || WHOLE_DAYS.test(text) || namesDayRange(text) ? "create" : "unknown")
  );
}

/** Matches "even if that is taken", which allows a conflict and is removed before the request is parsed. */
const ALLOW_CLAUSE =
  /[,,;]?\s*(?:\b(?:anyway|regardless)\b|\beven if\b[^,.;]*|(?:有冲突|即使|就算)?[^,,。]*?也(?:没关系|可以|行)|照样|仍然)/gi;
const FALLBACK_CLAUSE =
  /[,,;]\s*(?:(?:and )?(?:if|in case) (?:that|it|the time|this)(?:'s| is)? (?:taken|busy|not free|not available)|or (?:else )?(?:at |use |take )?(?:the )?(?:next|first|another) (?:free|available|open)|otherwise|如果(?:有冲突|没空|被占|已满)|否则|不行的话)[^.。]*/gi;
const FALLBACK = /\b(?:next|another|first) (?:free|available|open)\b|下一个空|其他时间|顺延/i;

export type EventRequest = {
  readonly intent: EventIntent;
  /** The text of the user, in which titles of events are searched. */
  readonly original: string;
  /** The previous request in the same message. */
  readonly before: string | null;
  /** The normalized text, without conditions. */
  readonly text: string;
  /** The event is booked even if the time is taken. */
  readonly allow: boolean;
  /** If the time is taken, the next free time of that day is used. */
  readonly fallback: boolean;
  readonly scope: "this" | "following" | "all";
};

/** Titles before ids are ignored, because an event may be called "Cancel the gym". */
const TITLE_OF_ID = /["“].*["”] ?(?=\[e\d)/g;

export function parseRequests(goal: string): readonly EventRequest[] {
  const text = plainPunctuation(goal.replace(TITLE_OF_ID, ""));
  return splitRequests(/\p{Script=Han}/u.test(text) ? text : correctSpelling(text)).map((part, at, all) =>
    parseEventRequest(part, all[at - 1] ?? null),
  );
}

function parseEventRequest(goal: string, before: string | null): EventRequest {
  const condition = goal.match(FALLBACK_CLAUSE)?.join(" ") ?? "";
  const withoutFallback = goal.replace(FALLBACK_CLAUSE, " ");
  const unconditional = withoutFallback.replace(ALLOW_CLAUSE, " ").trim();
  const text = normalizeRequest(unconditional);
  return {
    // Quoted text is a title, whatever it contains.
    intent: intentOf(text.replace(/"[^"]*"|“[^”]*”/g, "x")),
    original: goal,
    before,
    text,
    allow: unconditional !== withoutFallback.trim(),
    fallback: FALLBACK.test(condition),
    scope: scopeOf(text),
  };
}

function scopeOf(text: string): EventRequest["scope"] {
  if (/\b(?:just|only) (?:that|this|the) one\b|\bonly\b|只/i.test(text)) return "this";
  if (
    /\bfrom\b.*\b(?:on|onwards?)\b|\band (?:all )?(?:following|later)\b|\bfrom now on\b|\bonwards?\b|从.*(?:开始|起)|以后|今后/i.test(
      text,
    )
  )
    return "following";
  return /\b(?:all|every|each|series|whole)\b|所有|全部|每(?:天|周|次)|整个/i.test(text) ? "all" : "this";
}

/** Drops the words that ask to find a time first. */
export const createdPart = (text: string): string => FIND_AND_CREATE.exec(text)?.[1] ?? text;
