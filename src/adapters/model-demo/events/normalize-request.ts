// Writes the numbers, durations and clock times of a request in one form, so that the parsers read only digits. For
// example, "half past two" becomes "at 14:30", and "一个半小时" becomes "90分钟". Numbers without a time unit are unchanged,
// because they may be part of a title.

const ENGLISH: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
};
const NUMBER = String.raw`(?:\d+(?:[.,]\d+)?|${Object.keys(ENGLISH).join("|")}|(?:twenty|thirty|forty|fifty)[- ]five)`;

function numberIn(text: string): number {
  const [tens = "", five] = text.toLowerCase().split(/[- ]/);
  return (ENGLISH[tens] ?? Number(tens.replace(",", "."))) + (five ? 5 : 0);
}

const CHINESE = "零一二三四五六七八九";
const ZH_NUMBER = "[零一二两三四五六七八九十]+";

function chineseNumber(text: string): number {
  const digit = (one: string) => CHINESE.indexOf(one === "两" ? "二" : one);
  const [tens = "", ones] = text.split("十");
  if (ones === undefined) return digit(tens);
  return (tens ? digit(tens) : 1) * 10 + (ones ? digit(ones) : 0);
}

const minutes = (hours: number, more = 0): string => `${Math.round(hours * 60 + more)} minutes`;

/** An hour before 8 without "am" or "morning" is p.m., because users rarely mean the night. */
function clock(hour: number, minute: number, text: string): string {
  const later = hour < 8 && !/\bmorning\b|\ba\.?m\b/i.test(text) ? 12 : 0;
  const at = (hour + later) * 60 + minute;
  return `at ${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;
}

function normalizeEnglish(text: string): string {
  const all = (pattern: string) => new RegExp(String.raw`\b${pattern}\b`, "gi");
  return (
    text
      .replace(/\b([ap])\.\s?m\b\.?/gi, "$1m")
      .replace(all(String.raw`(\d{1,2})\.(\d\d)(?= ?(?:am|pm)\b| ?(?:to|until|till?|-|–) ?\d)`), "$1:$2")
      .replace(/\b(?:midday|noon)\b/gi, "12:00")
      .replace(/\b(\d{1,2})([0-5]\d) ?([ap]m)\b/gi, "$1:$2$3")
      .replace(
        /(?:@|\b(?:(?:starts?|starting|begins)(?! at)|around|about)) ?(?=\d{1,2}(?::\d\d)?(?:ish)? ?(?:[ap]m\b|$|[,.;]| (?:on|tomorrow|today|for|to|until)\b))/gi,
        "at ",
      )
      .replace(/\b(\d{1,2}(?::\d\d)?)ish\b/gi, "$1")
      // Converts "move it to 10", but not "from 9 to 10" and not "to 10 people".
      .replace(
        /(?<!\d[^a-z]*(?:[ap]m )?)\bto (\d{1,2})(?=\s*(?:$|[,.!?]|on\b|today\b|tomorrow\b|this\b|next\b|instead\b))/gi,
        (_, hour: string) => clock(Number(hour), 0, text).replace("at", "to"),
      )
      .replace(all(`three[- ]quarters of an hour`), minutes(0.75))
      .replace(all(`(?:a )?quarter of an hour`), minutes(0.25))
      .replace(all(`(?:a couple of|a few) (hours|days|weeks)`), "2 $1")
      .replace(all(`(${NUMBER}) hours? and a half`), (_, n: string) => minutes(numberIn(n) + 0.5))
      .replace(all(`(${NUMBER}) and a half hours?`), (_, n: string) => minutes(numberIn(n) + 0.5))
      .replace(all(String.raw`(\d+) ?h(?:ours?)?(?: and)? ?(\d+)(?: ?min(?:ute)?s?)?`), (_, h: string, m: string) =>
        minutes(Number(h), Number(m)),
      )
      .replace(all(`(${NUMBER}) hours?,? and (${NUMBER}) minutes?`), (_, h: string, m: string) =>
        minutes(numberIn(h), numberIn(m)),
      )
      .replace(all("(?:a )?half[- ](?:an[- ])?hour"), minutes(0.5))
      .replace(all("once"), "1 times")
      .replace(all("twice"), "2 times")
      .replace(
        all(`(${NUMBER})([- ])(hours?|minutes?|mins?|times|blocks?|sessions?|days?|weeks?)`),
        (_, n: string, _gap: string, unit: string) => `${numberIn(n)} ${unit}`,
      )
      .replace(
        all(`(half|(?:a )?quarter|${NUMBER})(?: minutes?)? past (${NUMBER})(?: o'?clock)?`),
        (_, m: string, h: string) => clock(numberIn(h), part(m), text),
      )
      .replace(
        all(
          `((?:a )?quarter|${NUMBER})(?: minutes?)? to (?=(?:${NUMBER})\\b(?! ?(?:hour|min|[ap]m)))(${NUMBER})(?: o'?clock)?`,
        ),
        (found, m: string, h: string) => (/^\d/.test(m) ? found : clock(numberIn(h) - 1, 60 - part(m), text)),
      )
      .replace(all(`(${NUMBER}) o'?clock`), (_, h: string) => clock(numberIn(h), 0, text))
      .replace(all(`at (${Object.keys(ENGLISH).slice(2).join("|")})(?! ?(?:am|pm|hours?|minutes?))`), (_, h: string) =>
        clock(numberIn(h), 0, text),
      )
  );
}

const part = (text: string): number => (/half/i.test(text) ? 30 : /quarter/i.test(text) ? 15 : numberIn(text));

function normalizeChinese(text: string): string {
  return text
    .replace(/:/g, ":")
    .replace(/([今明])([早晚])上?/g, "$1天$2上")
    .replace(
      // Keeps the weekday in "周五五点", which means five o'clock on Friday.
      new RegExp(
        `(?<!周|星期|礼拜|同)(${ZH_NUMBER})(?=(?:个半|个)?(?:小时|钟头)|分钟?|点|时|次|天|周后|月|日|号|刻|段)`,
        "g",
      ),
      (found) => String(chineseNumber(found)),
    )
    .replace(
      new RegExp(`(\\d+)点(${ZH_NUMBER})(?:分)?`, "g"),
      (_, h: string, m: string) => `${h}点${chineseNumber(m)}分`,
    )
    .replace(/(\d+)点(\d+)刻/g, (_, h: string, quarters: string) => `${h}点${Number(quarters) * 15}分`)
    .replace(
      /(\d+)(?:个)?半(?:小时|钟头)|(\d+)个?半?(?:小时|钟头)半/g,
      (_, a?: string, b?: string) => `${Number(a ?? b) * 60 + 30}分钟`,
    )
    .replace(
      /(\d+(?:\.\d+)?)个?(?:小时|钟头)(\d+)分钟?/g,
      (_, h: string, m: string) => `${Number(h) * 60 + Number(m)}分钟`,
    )
    .replace(/(\d+(?:\.\d+)?)个(?:小时|钟头)/g, "$1小时")
    .replace(/半个?(?:小时|钟头)/g, "30分钟")
    .replace(/(\d+)刻钟/g, (_, quarters: string) => `${Number(quarters) * 15}分钟`);
}

export const normalizeRequest = (text: string): string =>
  /\p{Script=Han}/u.test(text) ? normalizeChinese(text) : normalizeEnglish(text);

export const plainPunctuation = (text: string): string =>
  text.replace(/[\uFF01-\uFF5E]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0));
