// Decides whether a request only asks to look something up: a question, or an order to find, read, check or compare, without asking for a change. Only
// such a request can be proven by observations alone. If no known word decides, the answer is no, because reporting a result as unproven is better
// than reporting it as proven by mistake.
import { lazyExpression } from "./lazy-expression.ts";
import { LOOKUP_WORDS, VERB_FINAL_LOOKUPS, VERB_FINAL_POLITE, WRITES_ANSWER } from "./lookup-words.ts";
import { ordersChange } from "./orders-change.ts";
import { tellsUser } from "./tells-user.ts";

const END = "(?![\\p{L}\\p{M}])";
const LEADING_WORDS =
  "please|now|then|first|next|finally|also|and|try to|go and|let['’]s|help (?:me|us)(?: to)?|i(?: want| need| would like|['’]d like) to|i(?= wonder)|bitte|dann|zuerst|nun|mir|uns|s['’]il te plaît|me|m['’]|nous|puis|por favor|luego|mi|per favore|пожалуйста|мне|proszę|mi|请问?|請|再|先|首先|然后|接着|最后|我?(?:想|要|需要)|麻烦(?:你|您)?|帮(?:我们?|忙|个忙)?|给我们?|(?:从|在)[^，。；从在]{1,12}?(?:里面?|中|上|内|下|周|天|月)";
/** Matches punctuation, the number of a step, and words that may precede the verb. */
const LEAD = `[\\s\\d.:)¿¡*•、，,-]*(?:(?:step\\s+\\d+|第[一二三四五六七八九十\\d]+步|${LEADING_WORDS})(?:${END}|(?=\\p{Script=Han}))[\\s\\d.:：)，,-]*)*`;

const isGiven = (source: string | undefined): source is string => source !== undefined;
const oneOf = (sources: readonly (string | undefined)[]): string => `(?:${sources.filter(isGiven).join("|")})`;

/* Matches all languages with one expression, because compiling the words before the verb once per language takes longer than a whole turn. */
const BEGINS = lazyExpression(`^${LEAD}${oneOf(LOOKUP_WORDS.map(({ begins }) => begins))}${END}`);
const CONDITIONS = LOOKUP_WORDS.flatMap(({ begins_if = {} }) => Object.entries(begins_if));
const BEGINS_IF = lazyExpression(
  `^${LEAD}${oneOf(CONDITIONS.map(([verb, condition]) => `${verb}${condition}`))}${END}`,
);
/** Matched first, because compiling the conditions takes as long as all other words, and most requests contain none of these verbs. */
const HAS_CONDITION = lazyExpression(oneOf(CONDITIONS.map(([verb]) => verb)));
const beginsWithLookup = (text: string): boolean =>
  BEGINS.test(text) || (HAS_CONDITION.test(text) && BEGINS_IF.test(text));
/** Matches the beginning of a polite question. Has one group per language, to show which one matched. */
const POLITE = lazyExpression(
  `^${LEAD}(?:${LOOKUP_WORDS.map(({ polite }) => (polite === undefined ? "([])" : `(${polite})`)).join("|")})(?:${END}|(?=\\p{Script=Han}))`,
);
const ASKED = LOOKUP_WORDS.map(({ asked }) =>
  asked === undefined ? null : lazyExpression(`(?:${asked})${END}|(?=\\p{Script=Han})(?:${asked})`),
);
const ENDS = lazyExpression(`\\S\\s+${oneOf(LOOKUP_WORDS.map(({ asked }) => asked))}\\s*[.!]?$`);
const FINAL_LOOKUPS = lazyExpression(oneOf([...VERB_FINAL_LOOKUPS, `^${LEAD}(?:${WRITES_ANSWER})${END}`]));
const FINAL_POLITE = lazyExpression(VERB_FINAL_POLITE);

const QUESTION = /[?？؟՞](?:["'”»)\s]*$|\s)|;$(?<=\p{Script=Greek}[^.]*;)/u;
/** Chinese verbs for changes that follow a lookup ("找个时间订下来") or name a destination ("加到日历"). */
const ZH_CHANGE_VERBS =
  "加(?!班|起来|总)|订|约(?!好的|会)|改(?!天)|锁定|留[给出下]|预留|放|存|写[到进入下成]|发[给到送]|删|移|挪|修|记[下到录]|填|设|建(?!议)|合并|付|下单|提交|买|取消|通知|回复|邀请|发布|部署|安装|更新|替换|换成|清[理空除]|关[闭掉]|重启|处理|解决|安排";
const ZH_LATER = `(?:[，,；;、]|(?<!合)并且?|然后|再|的话|就|(?<![最之以])后|时间|时段|空档|空位|空闲)(?:就|再|并|然后|帮我|请|直接)*(?:${ZH_CHANGE_VERBS})(?![^，。；]{0,8}(?:的(?!话)|吗|没有?|[?？]))`;
/** "把" names the object of a change before the verb, as in "把周五空出来". The order is a lookup if the object is only to be shown: "把会议列给我看". */
const ZH_CHANGE = lazyExpression(
  `^[^，。；]{0,8}[把将](?![^，。；]+(?:列|读|念|讲|说|展示|显示|解释|翻译|总结)(?:出来|一下|一遍)?(?:[^，。；]{0,6}给我们?[看听讲]?)?[。！]?$)|提醒我|[删取关清卸]消?[掉了](?![^，。；]*的)|(?:跟|和|与|给)[^，。；的]{1,6}(?:约|打电话)(?!好|会|的)|往[前后]推|推迟|挪|安排(?=\\d|一|个)|[发存加放写移搬传][给到进入](?![^，。；]*(?:的|吗|没|哪|谁|[?？]))|${ZH_LATER}`,
);
/** Matches endings that turn any order into a question, such as "帮我订个会议室，好吗" or "Bump it, ok?". */
const POLITE_ENDING =
  /[，,\s]*(?:(?:好|行|可以|成)(?:吗|么|嘛|不好|不行)|[好行]不[好行]|可不可以|,\s*(?:ok(?:ay)?|please|thanks|(?:will|would|can|could) you))\s*[?？!！.。]*$/iu;
/** Verbs for changes, limited to words that cannot be nouns or that are followed by an object. */
const CHANGE_VERBS =
  "(?:pay|invite|buy|purchase|subscribe|unsubscribe|reserve|enable|disable|restart|hide|archive|register|approve|decline|accept|reject|merge|rsvp)\\b|(?:order|call|text|block|start|stop|sort|close|email|message|ping|lock|tell|clean|switch|tag|label|assign|share|forward|flag|pin|kill|squash)\\s+(?:the|an?|my|our|every(?:one|body|thing)?|all|each|him|her)\\b|(?:reply|respond|apologi[sz]e|write)\\s+to\\b|(?:push|commit|deploy|save|send|submit)\\s*[.!]?$";
const { begins: ENGLISH_WORDS = "", begins_if: ENGLISH_CONDITIONS = {} } = LOOKUP_WORDS[0] ?? {};
const ENGLISH_BEGINS = [ENGLISH_WORDS, ...Object.entries(ENGLISH_CONDITIONS).map((parts) => parts.join(""))].join("|");
/** Matches a later clause with an unknown verb ("and bump it") or with a verb in two parts ("and put in a break"). */
const LATER_ORDER = lazyExpression(
  `(?:\\band|\\bthen|[,;])\\s+(?:then\\s+)?(?!(?:${ENGLISH_BEGINS}|whether|if|that|in|on|of|with|for|to|about|from|at|by|report|as|while|because|once|since|before|after)\\b)(?:\\p{L}+\\s+(?:it|them)|(?:put|block|fill|sign|set|pencil|jot|turn|hand)\\s+(?:in|down|out|off|up|on))\\b|(?<!^(?:what|who|which|when|where|why|how|is|are|does|did|can)\\b.*)(?:\\band|\\bthen|[,;])\\s+(?:then\\s+)?(?:${CHANGE_VERBS})`,
);

/** The number of characters that are read. In a longer request, they alone decide. */
const CHARS_READ = 2_000;

/** Matches questions such as "How do I disable it?", which ask for an explanation, whatever verbs follow. */
const ASKS_HOW = /^how\s+(?:do|does|can|could|would|to)\b/i;

/** Matched first, because most requests have one clause, and compiling the search for later ones takes longer than a turn. */
const LATER_CLAUSE = /\b(?:and|then)|[,;]/i;
const hasLaterOrder = (goal: string): boolean =>
  LATER_CLAUSE.test(goal) && LATER_ORDER.test(goal) && !ASKS_HOW.test(goal);

export function asksForLookup(text: string): boolean {
  const goal = text.trim().slice(0, CHARS_READ).replace(POLITE_ENDING, "");
  if (goal === "" || ordersChange(text) || hasLaterOrder(goal) || ZH_CHANGE.test(goal)) return false;
  if (FINAL_POLITE.test(goal)) return FINAL_LOOKUPS.test(goal);
  const polite = POLITE.exec(goal);
  if (polite) return asksPolitely(goal, polite);
  return (
    tellsUser(goal) || QUESTION.test(goal) || beginsWithLookup(goal) || ENDS.test(goal) || FINAL_LOOKUPS.test(goal)
  );
}

function asksPolitely(goal: string, [request, ...languages]: RegExpExecArray): boolean {
  const wanted = goal.slice(request.length).replace(/[吗嘛么]?[?？؟\s]*$/u, "");
  const asked = ASKED[languages.findIndex((matched) => matched !== undefined)];
  return (asked?.test(wanted) ?? false) || beginsWithLookup(wanted);
}
