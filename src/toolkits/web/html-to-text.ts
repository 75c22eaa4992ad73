// The words of a page without its markup. Good enough to read; no browser. Linear: every character is looked at once.

const SKIPPED_TAGS = new Set(["script", "style", "noscript", "template", "svg", "head"]);
const BLOCK_TAGS = new Set(
  "p div section article header footer main nav aside h1 h2 h3 h4 h5 h6 ul ol li table tr br hr pre blockquote form title dt dd".split(
    " ",
  ),
);
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

export function htmlToText(html: string): string {
  let text = "";
  let at = 0;
  const unclosed = new Set<string>();
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) return tidy(text + html.slice(at));
    text += html.slice(at, open);
    const tag = readTag(html, open);
    if (BLOCK_TAGS.has(tag.name) && !text.endsWith("\n")) text += "\n";
    at = SKIPPED_TAGS.has(tag.name) && !tag.closing ? afterSkipped(html, tag, unclosed) : tag.end;
  }
  return tidy(text);
}

type Tag = { readonly name: string; readonly closing: boolean; readonly end: number };

function readTag(html: string, open: number): Tag {
  if (html.startsWith("<!--", open)) {
    const end = html.indexOf("-->", open + 4);
    return { name: "!", closing: false, end: end < 0 ? html.length : end + 3 };
  }
  const end = html.indexOf(">", open);
  const stop = end < 0 ? html.length : end + 1;
  const named = /^<(\/?)([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 24));
  return { name: named?.[2]?.toLowerCase() ?? "!", closing: named?.[1] === "/", end: stop };
}

/** Nothing inside is for reading: on behind its end, or behind the tag itself when it has none. That is looked for once. */
function afterSkipped(html: string, { name, end }: Tag, unclosed: Set<string>): number {
  if (unclosed.has(name)) return end;
  const closing = new RegExp(`</${name}\\s*>`, "gi");
  closing.lastIndex = end;
  if (closing.test(html)) return closing.lastIndex;
  unclosed.add(name);
  return end;
}

const tidy = (text: string): string =>
  text
    .replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => entity(name) ?? whole)
    .split("\n")
    .map((line) => line.replace(/[ \t\r\f\v]+/g, " ").trim())
    .filter((line, i, lines) => line !== "" || (lines[i - 1] ?? "") !== "")
    .join("\n")
    .trim();

function entity(name: string): string | null {
  if (!name.startsWith("#")) return NAMED_ENTITIES[name.toLowerCase()] ?? null;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : null;
}
