// Parses the user's text: intent, task words and place, in English and Chinese. Does not read the calendar.
import type { ParsedPrompt } from "./parse-prompt.ts";
import {
  hasConstraint,
  NO_CONSTRAINT,
  type PlaceConstraint,
  parseConstraint,
  parseDuration,
  parseNumber,
  refine,
  withoutConstraint,
} from "./place-constraint.ts";

export type Intent = keyof typeof INTENT_PATTERNS | "stop" | "unknown";
export type Language = "en" | "zh";
export type Misbehavior = "garbage" | "early-done" | "unconfirmed-write";

export type UserRequest = {
  readonly intent: Intent;
  readonly language: Language;
  /** The goal and later messages, which may name tasks, newest last. */
  readonly task_texts: readonly string[];
  readonly where: PlaceConstraint;
  /** The constraint in the goal, before later messages refined it. */
  readonly goal_where: PlaceConstraint;
  readonly duration: number | null;
  /** True if a message after the goal changes the intent or the place. */
  readonly refined: boolean;
  /** True if the user rejected something or cancelled in this run. */
  readonly stopped: boolean;
};

/** The first match wins, so intents that change something come before those that only read. */
const INTENT_PATTERNS = {
  undo: /\b(?:undo|revert|roll back|take (?:it|that) back)\b|撤销|撤回|还原|回退|恢复原样/i,
  swap: /\b(?:swap|exchange|trade|switch)\b|交换|对调|互换|调换/i,
  spread: /\b(?:spread|even out|balance|distribute)\b|均匀|分散|摊开|平均|均衡/i,
  clear:
    /\b(?:clear|unplace|unschedule|remove|delete|free up|get rid of|take\b.*\boff)\b|\bcancel\s+(?:the|my|all)?\s*\w|取消(?=\S)|清空|清除|移除|删除|拿掉|撤下|腾出|腾空|取消安排/i,
  move: /\b(?:move|reschedule|shift|postpone|put off|bring forward)\b|移到|移动|挪|改到|调到|推迟|提前|搬到/i,
  place:
    /(?:^|please |you |to |and |, ?)(?:schedule|place|fit)\b|\bput\b|\bfind a place\b|把.*安排|安排[到在]|^(?:请|帮我|请帮我)?安排|放[到在]|排[到进]/i,
  evaluate:
    /\b(?:evaluate|good enough|conflicts?|overloaded|how (?:good|busy|full|even|balanced))\b|\b(?:schedule|calendar|week)\b.*\b(?:good|ok|okay|fine|all right)\b|\b(?:check|rate|review) (?:my|the) (?:schedule|calendar)\b|评估|够好|冲突|忙不忙|有多忙|忙吗|太满|(?:日程|课表|日历|安排)(?:怎么样|好不好|合理)/i,
  find: /\bfree (?:time|slots?|places?)\b|\b(?:find|when|look for)\b.*\b(?:time|slots?|free|gap)\b|\bavailable\b|空闲|有空|空档|找.*时间/i,
  show_tasks:
    /\b(?:list|which|what)\b.*\b(?:tasks|pending|unplaced|open)\b|列出|哪些任务|哪些.*没(?:有)?安排|待安排|任务列表/i,
  show_task: /\b(?:where|when)(?:'s| is| are)\b|在哪|什么时候/i,
  show: /\b(?:show|display|overview|view|see|look at|list)\b|\bwhat(?:'s| is) (?:on|up)\b|\bwhat do i have\b|\bwhat(?:'s| is) (?:my|the) (?:schedule|calendar|plan|week|day)\b|显示|看看|查看|概览|总览|有什么|日程|课表|看一下|^\s*(?:(?:and|what about|how about) )?(?:today|tonight|tomorrow|the day after tomorrow)\b|^\s*(?:今天|明天|后天)/i,
  help: /\bhelp\b|\bhow does (?:this|it) work\b|帮助|能做什么|怎么用/i,
  thanks: /^\s*(?:thanks?(?: you)?|thx|great|perfect|cool|nice)\b|谢谢|多谢|感谢/i,
  greet: /^\s*(?:hi|hello|hey|good (?:morning|afternoon|evening))\b|你好|您好|嗨/i,
};
const INTENTS = Object.keys(INTENT_PATTERNS) as (keyof typeof INTENT_PATTERNS)[];
const STOP = /\b(?:never ?mind|forget it|leave it|no thanks|don't|do not|stop)\b|^\s*no\b|算了|不用了|不要了|别动|停/i;
const HELP_FIRST = /what (?:can|do) you do|(?:who|what) are you|what is this|你能做什么|会什么|你是谁|你是什么/i;

export function intentOf(text: string): Intent {
  if (HELP_FIRST.test(text)) return "help";
  const found = INTENTS.find((intent) => INTENT_PATTERNS[intent].test(text));
  return found ?? (STOP.test(text) ? "stop" : "unknown");
}

export const languageOf = (text: string): Language => (/\p{Script=Han}/u.test(text) ? "zh" : "en");

const MISBEHAVE = /\/misbehave\s+(garbage|early-done|unconfirmed-write)\b/;
const REJECTED = /^\(rejected\)\s*/;

/** Later user messages refine the goal. `intent` is the one of `intentsIn` to assume. */
export function parseRequest(prompt: ParsedPrompt, intent: Intent): UserRequest {
  const goal = stripMisbehaveCommand(prompt.goal);
  const answers = prompt.dialogue.flatMap(({ role, text }, i) => {
    if (role === "user") return [resolveChoice(prompt.dialogue[i - 1]?.text ?? "", text)];
    // The question timed out, so its default counts as the answer.
    const [, fallback] = role === "runtime" ? (/Go on with the default: ([\s\S]*)\)$/.exec(text) ?? []) : [];
    return fallback ? [fallback] : [];
  });
  const later = answers.map((text) => withoutNegated(stripMisbehaveCommand(text.replace(REJECTED, ""))));
  const laterConstraints = later.map((text) => parseConstraint(destinationText(text)));
  const goal_where = parseConstraint(hasDestination(intent) ? destinationText(goal) : goal);
  return {
    intent,
    language: languageOf(prompt.goal),
    task_texts: [goal, ...later].map(withoutConstraint),
    where: laterConstraints.reduce(refine, goal_where),
    goal_where,
    duration: parseDuration(goal),
    refined: laterConstraints.some((one) => hasConstraint(one) || one.from_today !== null) || intent !== intentOf(goal),
    stopped: later.some((text, i) => STOP.test(text) && !hasConstraint(laterConstraints[i] ?? NO_CONSTRAINT)),
  };
}

/** An answer such as "2", "the second one" or "第二个" means that choice of the question. */
function resolveChoice(question: string, answer: string): string {
  const [, english, chinese] = /^\s*(?:the )?(\w+)(?: one)?\s*\.?\s*$|^\s*第(.+)个\s*$/i.exec(answer) ?? [];
  const n = parseNumber(english ?? chinese);
  return question.split("\n").find((line) => n !== null && line.startsWith(`${n}. `)) ?? answer;
}

/** Drops Thursday from "not Thursday, Friday". */
const withoutNegated = (text: string): string =>
  text
    .replace(/\b(?:not|no|too \w+)\s+(?:(?:on|in|at|the|a)\s+)*(?:(?:day|week|slots?)\s+\d+|\w+)/gi, (words) =>
      hasConstraint(parseConstraint(words)) ? " " : words,
    )
    .replace(
      /(?:不要|不想|不是|别|不)(?:在|放|放在)?(?:周[一二三四五六日天]|第[^,,。\s]{1,4}?[天周节]|上午|下午|晚上)/g,
      " ",
    );

const CONVERSATIONAL: readonly Intent[] = ["greet", "thanks", "help", "stop", "unknown"];

/** The newest message comes first, and the goal last. */
export function intentsIn(prompt: ParsedPrompt): readonly Intent[] {
  const later = prompt.dialogue
    .filter(({ role }) => role === "user")
    .map(({ text }) => intentOf(stripMisbehaveCommand(text.replace(REJECTED, ""))))
    .filter((intent) => !CONVERSATIONAL.includes(intent));
  return [...new Set([...later.reverse(), intentOf(stripMisbehaveCommand(prompt.goal))])];
}

const stripMisbehaveCommand = (text: string): string => text.replace(MISBEHAVE, " ").trim();

const hasDestination = (intent: Intent): boolean => intent === "move" || intent === "place";

/** Returns the text after "to", as in "from Monday to Thursday", or the whole text if there is no such word. */
function destinationText(text: string): string {
  for (const match of text.matchAll(/\b(?:to|into|onto)\b|到|至|去|往/gi)) {
    const after = text.slice(match.index + match[0].length);
    const { day, week, weekday, slot, part, anywhere } = parseConstraint(after);
    if (anywhere || [day, week, weekday, slot, part].some((one) => one !== null)) return after;
  }
  return text;
}

export function misbehaviorIn({ goal, dialogue, hasNewMessage }: ParsedPrompt): Misbehavior | null {
  const newest = hasNewMessage ? dialogue.at(-1)?.text : undefined;
  const [, kind] = MISBEHAVE.exec(newest ?? "") ?? MISBEHAVE.exec(goal) ?? [];
  return (kind as Misbehavior | undefined) ?? null;
}

/** The goal contains no task in which to make the mistake. */
export const isBareMisbehavior = (goal: string): boolean =>
  /^\s*\/misbehave\b/.test(goal) && intentOf(stripMisbehaveCommand(goal)) === "unknown";

export function statusIn(text: string): "pending" | "suggested" | "existing" | null {
  if (/\b(?:pending|unplaced|open|left)\b|没(?:有)?安排|待安排|还没/i.test(text)) return "pending";
  if (/\b(?:fixed|existing|courses?)\b|课程|固定/i.test(text)) return "existing";
  return /\b(?:suggested|movable|placed)\b|已安排|可移动/i.test(text) ? "suggested" : null;
}
