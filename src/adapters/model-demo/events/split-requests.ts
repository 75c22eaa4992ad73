// Splits a message such as "cancel the gym and move the dentist to 4pm" or "取消站会,牙医改到下午四点" into its requests.

const VERB =
  "(?:please |then |also |can you |could you )*(?:add|book|bring|cancel|create|delete|drop|extend|move|postpone|push|put|remind|remove|rename|reschedule|schedule|set|shift|shorten|skip|swap)";
/** "… and add it" does not begin a new request, because it refers to the previous event. */
const SEPARATOR = new RegExp(
  String.raw`\s*(?:[,;.]\s*(?:and |then |and then |also )?|\s(?:and then|and also|and|then|also|plus)\s)(?=${VERB}\s(?!(?:it|that|this|them|one|in)\b)|(?:make|move|push|rename|shift|shorten|extend) (?:it|that)\b)`,
  "i",
);
const SEPARATOR_ZH =
  /[,,;;。]\s*(?:然后|再|并且?|同时|还有|另外|顺便)?\s*(?=把|将|取消|删除|删掉|提醒(?!我?[。!!]?$)|新建|添加|交换|[^,,;;。]{1,12}(?:改到|改成|移到|挪到|推迟|提前|取消))|(?:然后|并且|同时|另外)(?=把|将|取消|删除|提醒|新建|添加)/;

const FIRST_VERB = /^(?:please |can you |could you |can u )*(cancel|delete|remove|drop|move|push|shift|reschedule)\b/i;
/** In "Move A to Friday and B to Monday" or "cancel A and B", both requests share the first verb. */
const SAME_VERB = /\s+and\s+(?=(?:(?:also|the|my)\s)+\S|\S.*\bto\b)/i;
const CANCEL_BOTH =
  /^(cancel|delete|remove|drop) ((?:(?!\bwith\b|\bon\b).)+?) and (?!on\b|(?:sun|mon|tues|wednes|thurs|fri|satur)day)(\S.*)$/i;
const CANCEL_BOTH_ZH =
  /^(?:请|帮我)?(取消|删除|删掉)(?![和跟与])([^,,和跟与]+)(?:和|以及|跟|与)(?!周|星期)([^,,和跟与]+)$/;
/** Reminders and quotations may contain any text. */
const FREE_TEXT = /^(?:please )?(?:set (?:up )?a )?remind|提醒.*[,,].*(?:取消|改)|["“「]/i;
const QUOTED = /["“][^"”]+["”]/;
/** Matches one request in two clauses, such as "Find an hour and book it" or "I can't come, cancel it". */
const ONE_REQUEST = /\bfind\b|找|去不了|\b(?:can't|cannot|won't) (?:make|attend|come|go)\b/i;

const GREETING = /^(?:(?:hey|hi|hello|ok|okay|so|well|sorry|thanks|oh|please|now)\b[,!. ]*)+/i;
const ANY_VERB = new RegExp(String.raw`\b${VERB}\b|\b(?:have|make|swap|undo)\b|[\p{Script=Han}]{3}`, "iu");

export function splitRequests(message: string): readonly string[] {
  const text = message.replace(GREETING, "") || message;
  if (FREE_TEXT.test(text) || QUOTED.test(text) || ONE_REQUEST.test(text)) return [text];
  const parts = text
    .split(/\p{Script=Han}/u.test(text) ? SEPARATOR_ZH : SEPARATOR)
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.length > 1) return parts.every((part) => ANY_VERB.test(part)) ? parts : [text];
  const [, cancel, one, other] = CANCEL_BOTH.exec(text) ?? CANCEL_BOTH_ZH.exec(text) ?? [];
  if (cancel) return [`${cancel} ${one}`, `${cancel} ${other}`];
  const verb = FIRST_VERB.exec(text)?.[1]?.toLowerCase();
  if (!verb || /\bswap\b/i.test(text)) return [text];
  const [first = "", ...more] = text.split(SAME_VERB);
  // "Move A and B to Friday" is not split, because the day applies to both events.
  if (more.length === 0 || (!/^(?:cancel|delete|remove|drop)$/.test(verb) && !/\bto\b/i.test(first))) return [text];
  return [first, ...more.map((part) => `${verb} ${part}`)];
}
