// Converts an HTML page to readable text: one line per block, without scripts, styles and markup.
import { Parser } from "htmlparser2";

const SKIPPED_TAGS = new Set(["script", "style", "noscript", "template", "svg", "head"]);
const BLOCK_TAGS = new Set(
  "p div section article header footer main nav aside h1 h2 h3 h4 h5 h6 ul ol li table tr br hr pre blockquote form title dt dd".split(
    " ",
  ),
);

export function htmlToText(html: string): string {
  const pieces: string[] = [];
  let skipping = 0;
  const breakLine = (name: string): void => {
    if (BLOCK_TAGS.has(name) && pieces.at(-1) !== "\n") pieces.push("\n");
  };
  const parser = new Parser({
    onopentagname(name) {
      if (SKIPPED_TAGS.has(name)) skipping += 1;
      breakLine(name);
    },
    onclosetag(name) {
      if (SKIPPED_TAGS.has(name)) skipping -= 1;
      breakLine(name);
    },
    ontext(text) {
      if (skipping === 0) pieces.push(text);
    },
  });
  parser.end(html);
  return tidy(pieces.join(""));
}

const tidy = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(/[ \t\r\f\v\u00a0]+/g, " ").trim())
    .filter((line, i, lines) => line !== "" || (lines[i - 1] ?? "") !== "")
    .join("\n")
    .trim();
