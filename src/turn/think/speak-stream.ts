// Streams the top-level "speak" string while the model is still writing its JSON. The text is retracted if the decision is refused.
const THOUGHT_TAG = /<(\/?)(?:think|thinking|thought|reasoning)\s*>$/i;
const THOUGHT_TAG_CHARS = 16;

export type SpeakStream = { readonly write: (delta: string) => void; readonly hasEmitted: () => boolean };

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** Emits only whole characters. Half of a surrogate pair waits for the other half, because alone it has no UTF-8 form. */
export function wholeCharacters(emit: (text: string) => void): (text: string) => void {
  let half = "";
  return (text) => {
    const all = half + text;
    half = /[\ud800-\udbff]$/.test(all) ? all.slice(-1) : "";
    const whole = all.slice(0, all.length - half.length);
    if (whole) emit(whole);
  };
}

/** Emits plain text as it comes. */
export function createTextStream(emit: (text: string) => void): SpeakStream {
  let emitted = false;
  const write = wholeCharacters((text) => {
    emitted = true;
    emit(text);
  });
  return { write, hasEmitted: () => emitted };
}

/** `retract` is called if an end tag shows that the emitted text was a thought. */
export function createSpeakStream(emit: (text: string) => void, retract: () => void = () => undefined): SpeakStream {
  const emitWhole = wholeCharacters((text) => {
    emitted = true;
    emit(text);
  });
  let depth = 0;
  let inString = false;
  let escaped = "";
  let token = "";
  let key = "";
  let speaking = false;
  let emitted = false;
  let recentChars = "";
  let out = "";

  const endString = (): void => {
    inString = false;
    // A string before a colon is a key, and one after it is a value. Only the colon shows which of the two it was.
    if (speaking) speaking = false;
    else if (depth === 1) key = token;
  };
  const append = (char: string): void => {
    if (speaking) out += char;
    else if (depth === 1) token += char;
  };
  const stringChar = (char: string): void => {
    if (escaped) {
      escaped += char;
      if (escaped[1] === "u" && escaped.length < 6) return;
      append(escaped[1] === "u" ? String.fromCharCode(Number.parseInt(escaped.slice(2), 16)) : (ESCAPES[char] ?? char));
      escaped = "";
      return;
    }
    if (char === "\\") escaped = "\\";
    else if (char === '"') endString();
    else append(char);
  };
  const structuralChar = (char: string): void => {
    if (char === '"') {
      inString = true;
      token = "";
      speaking = depth === 1 && key === "speak:";
    } else if (char === ":" && depth === 1) key = `${key}:`;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    if (char === "," || char === "{") key = "";
  };
  const endThought = (): void => {
    insideThought = false;
    out = "";
    if (emitted) retract();
    emitted = false;
  };
  /** Text in thought tags before the object is not speech, even if it contains braces. */
  const inThought = (char: string): boolean => {
    if (depth > 0) return false;
    recentChars = (recentChars + char).slice(-THOUGHT_TAG_CHARS);
    const tag = char === ">" ? THOUGHT_TAG.exec(recentChars) : null;
    if (tag?.[1] === "") insideThought = true;
    else if (tag) endThought();
    return insideThought;
  };
  let insideThought = false;

  return {
    write(delta) {
      for (const char of delta) {
        if (inString) stringChar(char);
        else if (!inThought(char)) structuralChar(char);
      }
      emitWhole(out);
      out = "";
    },
    hasEmitted: () => emitted,
  };
}
