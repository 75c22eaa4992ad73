// Corrects misspelled words that the parsers look for, such as "tomorow" and "wendesday", and no words of a title.
const WORDS =
  "tomorrow monday tuesday wednesday thursday friday saturday sunday morning afternoon evening tonight weekend minutes reminder remind cancel delete schedule reschedule calendar appointment meeting every please".split(
    " ",
  );
const KNOWN_WORDS = new Set([
  ...WORDS,
  ...WORDS.map((word) => `${word}s`),
  ..."minute very ever even event events".split(" "),
]);

/** One letter of a known word is missing, added, changed, or swapped with its neighbour. */
function isOneOff(word: string, known: string): boolean {
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

export function correctSpelling(text: string): string {
  const written = SHORT_FORMS.reduce((all, [pattern, to]) => all.replace(pattern, to), text);
  return written.replace(/\b[a-z]{5,}\b/gi, (word) => {
    const lower = word.toLowerCase();
    if (KNOWN_WORDS.has(lower)) return word;
    return WORDS.find((known) => known.length > 5 && isOneOff(lower, known)) ?? word;
  });
}
