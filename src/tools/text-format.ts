// Preserves the byte order mark and the line endings of a text file, which the model that rewrites it does not see.
const BOM = "\uFEFF";

/** Keeps the byte order mark. Null if the bytes are not UTF-8, because rewriting them as text would damage them. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

export const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

/** In a file with mixed line endings, unchanged lines at the beginning and the end keep theirs; all others take the most frequent one. */
export function keepTextFormat(before: string, after: string): string {
  const hadBom = before.startsWith(BOM);
  const old = lines(hadBom ? before.slice(1) : before);
  const now = lines(after.startsWith(BOM) ? after.slice(1) : after);
  const usual = mostFrequentEnding(old);
  const bom = hadBom || (before === "" && after.startsWith(BOM)) ? BOM : "";
  if (usual === null) return bom + now.map((line) => line.text + line.ending).join("");
  const head = sameLines(old, now);
  const tail = sameLines(old.slice(head).reverse(), now.slice(head).reverse());
  const endingOf = (i: number): string => {
    if (i < head) return old[i]?.ending || usual;
    if (i >= now.length - tail) return old[i + old.length - now.length]?.ending || usual;
    return usual;
  };
  return bom + now.map((line, i) => (line.ending === "" ? line.text : line.text + endingOf(i))).join("");
}

type Line = { readonly text: string; readonly ending: string };

function lines(text: string): Line[] {
  const found: Line[] = [];
  for (const [whole, ending = ""] of text.matchAll(/[^\r\n]*(\r\n|\n|\r|$)/g)) {
    if (whole !== "") found.push({ text: whole.slice(0, whole.length - ending.length), ending });
  }
  return found;
}

function mostFrequentEnding(all: readonly Line[]): string | null {
  const counts = new Map<string, number>();
  for (const { ending } of all) if (ending !== "") counts.set(ending, (counts.get(ending) ?? 0) + 1);
  let usual: string | null = null;
  for (const [ending, count] of counts) if (usual === null || count > (counts.get(usual) ?? 0)) usual = ending;
  return usual;
}

function sameLines(one: readonly Line[], other: readonly Line[]): number {
  let i = 0;
  while (i < one.length && i < other.length && one[i]?.text === other[i]?.text) i++;
  return i;
}

// Matches control and direction characters, tags and halves of characters, but not the joiners that Persian and emoji need.
const INVISIBLE = /(?![\u200c\u200d])\p{C}/gu;

/** Without anything that breaks the line, moves the cursor, changes the direction or hides text. */
export function plainLine(text: string, max = Number.POSITIVE_INFINITY): string {
  const line = text
    .replaceAll(/[\s\u0085]+/g, " ")
    .replaceAll(INVISIBLE, "")
    .trim();
  return line.slice(0, max).replace(/[\ud800-\udbff]$/, "");
}
