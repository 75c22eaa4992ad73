// Expands braces and compares shell patterns with a path, component by component. Uses text only, and never reads the
// disk.

const MAX_WORDS = 64;
// Longer words are program text, not paths.
const MAX_LENGTH = 1_024;

/** Expands brace lists, also nested ones: `a{b,c}` becomes ab and ac. The number of words is limited. */
export function expandBraces(text: string): readonly string[] {
  if (text.length > MAX_LENGTH || !text.includes("{")) return [text];
  let words: readonly string[] = [text];
  for (let round = 0; round < 6; round++) {
    const next = words.flatMap(expandInnermost);
    if (next.length === words.length || next.length > MAX_WORDS) return words.slice(0, MAX_WORDS);
    words = next;
  }
  return words.slice(0, MAX_WORDS);
}

function expandInnermost(text: string): readonly string[] {
  const match = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(text);
  if (!match) return [text];
  return (match[2] ?? "").split(",").map((word) => `${match[1]}${word}${match[3]}`);
}

export const isPattern = (text: string): boolean => /[*?[]|[@+!]\(/.test(text);

/** In bash, `*` does not match names that start with a dot. `dots` is true for programs and options where it does. */
export function matchesName(component: string, name: string, dots = false): boolean {
  if (component === name) return true;
  if (!isPattern(component)) return false;
  if (name.startsWith(".") && !dots && /^[*?[]/.test(component)) return false;
  // An extended pattern, or one longer than any name, is not parsed but assumed to match.
  if (/[@+!?*]\(/.test(component) || component.length > 255) return true;
  return simplePattern(component).test(name);
}

function simplePattern(component: string): RegExp {
  let source = "";
  for (let at = 0; at < component.length; at++) {
    const char = component[at] as string;
    if (char === "*") source += source.endsWith(".*") ? "" : ".*";
    else if (char === "?") source += ".";
    else if (char === "[") {
      const end = component.indexOf("]", at + 2);
      // The characters of a class depend on the locale, so the class is assumed to match any character.
      source += end < 0 ? "\\[" : ".";
      if (end >= 0) at = end;
    } else source += char.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  }
  return new RegExp(`^${source}$`, "s");
}

/**
 * Returns whether a path is the protected path or lies inside it ("inside"), is a folder that contains it ("contains"),
 * or neither.
 */
export function relate(
  word: readonly string[],
  place: readonly string[],
  dots = false,
): "inside" | "contains" | "none" {
  // Bounds the work, because each `**` can match any number of folders. An ordinary path contains few of them.
  if (word.length > 8 && word.filter((component) => component === "**").length > 8) return "inside";
  const [component, ...rest] = word;
  const [name, ...deeper] = place;
  if (name === undefined) return "inside";
  if (component === undefined) return "contains";
  if (component === "**") {
    // `**` matches either no folder, or one folder and then `**` again.
    const here = rest.length === 0 ? "contains" : relate(rest, place, dots);
    const descends = deeper.length > 0 && (dots || !name.startsWith("."));
    return here !== "none" || !descends ? here : relate(word, deeper, dots);
  }
  // A star in the protected path itself, as in /proc/*/environ, matches any one name.
  return name === "*" || matchesName(component, name, dots) ? relate(rest, deeper, dots) : "none";
}
