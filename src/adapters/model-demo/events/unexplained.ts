// Finds words of a change request that the parsers did not use. A request with such words is refused, because "don't",
// "except" or a second event would give it another meaning.
import { type ListedEvent, normal, titleWords } from "./listed-events.ts";
import { withoutDates } from "./parse-dates.ts";
import { withoutTimes } from "./parse-when.ts";

const WORDS = new Set(
  (
    "please can could would will you i i'd i'm we need needs going gonna want wanna have has had got to like let let's lets the a an my our your me us it its it's that that's this them these those one ones just only all " +
    "every each series whole entire rest session sessions event events appointment appointments meeting meetings entry entries visit slot occurrence occurrences from on at in into by for of until " +
    "till through back forward later earlier ahead up down off out away long longer shorter more do move moved moving bump reschedule rescheduled shift postpone postponed push put delay bring drag change update " +
    "make should shall must start starting starts begin beginning begins be is are was been now once instead kill ditch delay cancel cancelled canceled delete remove drop call skip scrap clear get rid take extend shorten " +
    "lengthen last takes lasts swap exchange trade places switch with and same time times day days week weeks next coming onwards onward following so then hey hi hello ok okay yes yeah well thanks thank " +
    "calendar schedule agenda plan too also can't cannot won't make attend come go no longer any today tonight tomorrow evening morning afternoon night both between currently actually sorry oh wait booked scheduled " +
    "again between location place room venue address title name rename renamed happens takes set there not_needed ends end ending finish finishes as planned minutes hours hour minute half free even if overlaps taken anyway"
  ).split(" "),
);

const REASON = /[,;.]?\s*\b(?:because|since (?!\w+day)|as (?:i|we|he|she|they|it)\b|so (?:that )?(?:i|we)\b).*$/i;

const WORDS_ZH =
  /麻烦|帮我|帮忙|请|可以|能不能|能|给我|我的|我们的|我|把|将|帮|给|取消|删除|删掉|删了|去掉|跳过|推迟|延后|延迟|提前|往后|往前|推|提早|移动|移到|挪到|改到|改成|改为|改在|改|调整|调到|换到|换成|挪|移|调|变成|所有|全部|整个|系列|每次|每个?(?=的|$)|每|都|只|从|开始|起|以后|之后|后面|后续|时间|时长|同一|一样|不变|还是|不如|和|跟|与|及|交换|对调|互换|换一下|调换|位置|延长|缩短|去不了|不去了|参加不了|不能参加|到|会议|会面|会|日程|日历|安排|预约|活动|那|这|它|刚才|刚刚|个|次|场|节|一下|了|吧|啊|呢|的|在|上|里|晚点?|早点?|点|再|也|就|先|有冲突|没关系|现在|地点|开|举行|要|想|得|吗|呀|哈|谢谢|好/g;

export function unexplainedIn(text: string, events: readonly ListedEvent[]): string | null {
  const plain = withoutDates(withoutTimes(text.replace(/\[e\d[^\]]*\]/g, " ").replace(REASON, "")));
  return /\p{Script=Han}/u.test(text) ? unexplainedChinese(plain, events) : unexplainedEnglish(plain, events);
}

function unexplainedEnglish(text: string, events: readonly ListedEvent[]): string | null {
  const titles = new Set(events.flatMap(({ title }) => titleWords(title)));
  const left = normal(text.replace(/\b\d+ (?:days?|weeks?)\b/gi, " "))
    .replaceAll("’", "'")
    .split(/[^\p{L}\p{N}'_]+/u)
    .map((word) => word.replace(/^'+|'+$/g, "").replace(/'s$/, ""))
    .find((word) => word !== "" && !WORDS.has(word) && !titles.has(word) && !titles.has(word.replace(/s$/, "")));
  return left ?? null;
}

function unexplainedChinese(text: string, events: readonly ListedEvent[]): string | null {
  const withoutTitles = events.reduce((rest, { title }) => dropParts(rest, normal(title)), normal(text));
  const [left] =
    withoutTitles
      .replace(/\d+个?(?:天|周|星期|次)/g, " ")
      .replace(WORDS_ZH, " ")
      .match(/[\p{L}\p{N}]+/u) ?? [];
  return left ?? null;
}

/** Removes every part of a title with at least two characters, longer parts first. */
function dropParts(text: string, title: string): string {
  for (let length = title.length; length > 1; length -= 1)
    for (let at = 0; at + length <= title.length; at += 1) {
      const part = title.slice(at, at + length);
      if (text.includes(part)) return dropParts(text.replaceAll(part, " "), title);
    }
  return text;
}
