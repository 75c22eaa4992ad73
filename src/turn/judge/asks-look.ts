// Whether a text asks to look something up, and for no change: a question, or an order to find, read, check, compare … Only such
// a text is proven by a look. Words that nobody recognises count as no look: a result is rather reported as not proven.
import { LOOK_WORDS, VERB_FINAL_LOOKS, VERB_FINAL_POLITE, WRITES_ANSWER } from "./look-words.ts";
import { ordersChange } from "./orders-change.ts";
import { tellsUser } from "./tells-user.ts";

const END = "(?![\\p{L}\\p{M}])";
const LEADS =
  "please|now|then|first|next|finally|also|and|try to|go and|let['’]s|help (?:me|us)(?: to)?|i (?:want|need|would like|['’]d like) to|bitte|dann|zuerst|nun|mir|uns|s['’]il te plaît|me|m['’]|nous|puis|por favor|luego|mi|per favore|пожалуйста|мне|proszę|mi|请|請|再|先|首先|然后|接着|最后|我(?:想|要|需要)";
/** Signs, the number of a step, and words before the verb. */
const LEAD = `[\\s\\d.:)¿¡*•、，,-]*(?:(?:step\\s+\\d+|第[一二三四五六七八九十\\d]+步|${LEADS})(?:${END}|(?=\\p{Script=Han}))[\\s\\d.:：)，,-]*)*`;

const regex = (source: string): RegExp => new RegExp(source, "iu");

const READERS = LOOK_WORDS.map(({ begins, polite, asked }) => ({
  begins: regex(`^${LEAD}(?:${begins})${END}`),
  polite: polite === undefined ? null : regex(`^${LEAD}(?:${polite})(?:${END}|(?=\\p{Script=Han}))`),
  asked: asked === undefined ? null : regex(`(?:${asked})${END}|(?=\\p{Script=Han})(?:${asked})`),
  ends: asked === undefined ? null : regex(`\\S\\s+(?:${asked})\\s*[.!]?$`),
}));
const FINAL_LOOKS = [...VERB_FINAL_LOOKS, `^${LEAD}(?:${WRITES_ANSWER})${END}`].map(regex);
const FINAL_POLITE = regex(VERB_FINAL_POLITE);

const QUESTION = /[?？؟՞](?:["'”»)\s]*$|\s)|;$(?<=\p{Script=Greek}[^.]*;)/u;
/** Chinese names what is changed before the verb: "把周五空出来", or asks for it after a look. */
const DISPOSES = /^[^，。；]{0,8}[把将]|提醒我|往[前后]推|推迟|挪|安排(?=\d|一|个)/u;
/** A later clause with a verb that nobody recognises ("and bump it"), or one in two parts ("and put in a break"). */
const LATER_ORDER = regex(
  `(?:\\band|\\bthen|[,;])\\s+(?:then\\s+)?(?!(?:${LOOK_WORDS[0]?.begins ?? ""}|whether|if|that|in|on|of|with|for|to|about|from|at|by|report|as|while|because|once|since|before|after)\\b)(?:\\p{L}+\\s+(?:it|them)|(?:put|block|fill|sign|set|pencil|jot|turn|hand)\\s+(?:in|down|out|off|up|on))\\b`,
);

/** A longer text is rarely one wish, and is read by its beginning. */
const CHARS_READ = 2_000;

export function asksForLook(text: string): boolean {
  const goal = text.trim().slice(0, CHARS_READ);
  if (goal === "" || ordersChange(text) || LATER_ORDER.test(goal) || DISPOSES.test(goal)) return false;
  if (FINAL_POLITE.test(goal)) return FINAL_LOOKS.some((looks) => looks.test(goal));
  for (const { polite, asked } of READERS) {
    const request = polite?.exec(goal);
    if (!request) continue;
    const wanted = goal.slice(request[0].length).replace(/[?？؟\s]+$/u, "");
    return (asked?.test(wanted) ?? false) || READERS.some(({ begins }) => begins.test(wanted));
  }
  if (tellsUser(goal)) return true;
  return (
    QUESTION.test(goal) ||
    READERS.some(({ begins, ends }) => begins.test(goal) || ends?.test(goal)) ||
    FINAL_LOOKS.some((looks) => looks.test(goal))
  );
}
