// Finds the title and the place of an event in a request.

/** Words before a title that are never part of it. */
const LEADING =
  /^(?:please|i'm|i am|i'll be|we're|we are|can you|could you|would you|i have to|i need to|i have|i've got|i need|i want to|i want|we have|there is|there's|let's|to|add|create|schedule|book|put in|put|block out|block off|block|set up|arrange|enter|pencil in|reserve|note down|mark|new|make|plan|find|a slot for|slot for|time for|time to|all of|all day|the whole|whole|all|it|on|for|as|a|an|the|my|our|event\b:?|entry\b:?|meeting called|appointment called|called|named|in|of|at|blocks?|sessions?|calendar|me|us|and|with|study time for|each|every)\b/i;
const TRAILING =
  /(?:^|\s)(?:please|thanks|thank you|at|on|for|in|by|of|from|to|before|until|all|each|every|daily|weekly|starting|beginning|it|and|at a time|long|for me|if possible)$/i;
/** Remarks that are not part of a title, such as "please add it" or "put it in my calendar". */
const ASIDES =
  /\b(?:please )?(?:add|put|enter|note|book|schedule|block|save|reserve|create) (?:it|that|this)(?: (?:down|in))?(?: (?:to|in|into|on) (?:my|the) (?:calendar|schedule|diary))?\b|\b(?:to|on|in|into) (?:my|the) (?:calendar|schedule|diary)\b|\b(?:before|until|by) (?:it is|it's|its) due\b|\bwhenever (?:i'm|i am|we're|we are|it is|it's) (?:free|possible)\b|\bat a time\b|\ball[- ]day\b|\b(?:starting|beginning)\b|\b\d+ (?:times|sessions)\b|\bin total\b|\beach time\b/gi;

const ASIDES_ZH =
  /(?:帮我|请)?(?:加进|加到|记到|记在|放进)(?:我的)?(?:日程|日历)(?:里|上|中)?|(?:帮我|请)?(?:记上|记下|安排一下|安排上)|一?共\d+次|总共\d+次|\d+次|全天|整天|之前|每次|分成|一共|总共|提前完成/g;
const LEADING_ZH =
  /^(?:请(?!假)|帮我|帮忙|帮|给我|麻烦|我要|我想|我有|我|从|开始|起|每天|每周|每|找个|找|安排|添加|新建|预约|加一?[个场次]|加|创建|约(?=[^会])|留出?|空出|一[个次场节]|的|在|把|到|有|要|去(?=做|看|参加)|里|日历|日程|前|段|，|,)/;
const TRAILING_ZH = /(?:的|在|到|从|前|之前|里|上|一下|吧|开始|起|段|块)$/;

/** Repeats until no pattern matches at the ends of the text. */
function strip(text: string, patterns: readonly RegExp[]): string {
  let rest = text.trim();
  for (let before = ""; before !== rest; ) {
    before = rest;
    for (const pattern of patterns) rest = rest.replace(pattern, "").trim();
  }
  return rest;
}

/** Words about times that were already parsed. */
const FILLERS =
  /\b(?:(?:it )?(?:takes|lasts|starts|starting|will take)(?: (?:about|around|roughly))?|approximately|approx|roughly|or so|chunks?|just (?:this|that) (?:once|time|one)|o'?clock)\b|(?<=^|\s)(?:about|around|from|at|on|in) *(?=$|[,.;])|(?:大概|大约|左右|差不多|时长|为期|持续)|(?:帮我|请)?记一下|(?:帮我|给我)?(?:留出?|记着)/gi;

/** The title is what remains of a request without verbs and times. */
export function titleIn(rest: string): string {
  const quoted = /["“「](.+?)["”」]|(?<!\w)'(.+?)'(?!\w)/.exec(rest);
  if (quoted) return (quoted[1] ?? quoted[2] ?? "").trim();
  const text = rest
    .replace(ASIDES, " ")
    .replace(ASIDES_ZH, " ")
    .replace(FILLERS, " ")
    .replace(/^\W*(?:event|entry)?\s*:|:\s|[.,;!?。，；！？、]/g, " ");
  const isChinese = /\p{Script=Han}/u.test(text);
  const title = strip(text.replace(/\s+/g, " "), isChinese ? [LEADING_ZH, TRAILING_ZH] : [LEADING, TRAILING]).replace(
    /(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu,
    "",
  );
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** A title with one of these words was not understood. */
const NO_TITLE =
  /\b(?:every|other|each|except|unless|not|don't|instead|if|cancel|move|everything|something|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|每|别|不要|除了|如果|取消|改|还是|提早|推迟|周[一二三四五六日]|[,,;。]/i;

/** Null if the title contains words that cannot be part of one. */
export function titleAndPlaceIn(rest: string): { readonly title: string; readonly location?: string } | null {
  const isQuoted = /["“「].+["”」]|(?<!\w)'.+'(?!\w)/.test(rest);
  const zh =
    /在(.{1,10}?(?:会议室|室|厅|楼|馆|店|餐厅|公司|学校|家|医院|公园|办公室))(?=跟|和|与|同|开|吃|见|做|上|$)/.exec(
      rest,
    );
  const parts = (zh ? rest.replace(zh[0], "") : rest).split(/[,,;;。.!?]/).filter((part) => titleIn(part) !== "");
  // If two parts remain, one of them was not understood.
  if (parts.length > 1 && !isQuoted) return null;
  const title = titleIn(zh ? rest.replace(zh[0], "") : rest);
  if (!title || isQuoted) return title ? { title } : null;
  if (NO_TITLE.test(title)) return null;
  if (zh?.[1]) return { title, location: zh[1] };
  const [, what, where] =
    /^(.+?\w) (?:in|at) ((?:the |my |our )?(?!person\b|advance\b)[\p{L}\p{N}].*)$/iu.exec(title) ?? [];
  return what && where ? { title: what, location: where } : { title };
}

/** Reads the place in "… is in Room 5 now", "change the place of … to Room 5" or "地点改成5号会议室". */
export function placeIn(text: string): string {
  const [, to, at, zh] =
    /\b(?:location|place|room|venue)\b.*?\bto (.+)$|\b(?:is|will be|takes place|happens) (?:now )?(?:in|at) (.+?)(?: now\b.*| instead\b.*|, .*|[.](?: .*)?)?$|(?:地点(?:改成|改为|换成|是|在)|改在|换到|在)(.+?)(?:举行|开|见)?$/i.exec(
      text.trim(),
    ) ?? [];
  return (to ?? at ?? zh ?? "").replace(/[.。!！,，\s]+$/, "").trim();
}

/** Reads the new title in "Rename the review to Release review" or "把项目评审改名为发布评审". */
export function newTitleIn(text: string): string {
  const [, to, zh] =
    /\b(?:to|as|it)\b (?!.*\b(?:to|as)\b )(.+?)(?: instead)?$|(?:改名|重命名|改)(?:为|成)(.+)$/i.exec(text.trim()) ??
    [];
  return titleOf(to ?? zh ?? "");
}

const titleOf = (text: string): string => text.replace(/^["“「']|["”」'.。!！]+$/g, "").trim();
