// Shows an earlier observation again, in pages, with the trust that it had when it was first read.
import * as z from "zod";
import { fail } from "../../schema/problem.ts";
import { defineTool } from "../../tools/define-tool.ts";
import { outcome } from "../../tools/outcome.ts";
import { truncateBytes } from "../../tools/truncate-text.ts";

export const PAGE_BYTES = 8_192;
/** The maximum size of the observation's text on a page. The rest of `PAGE_BYTES` is for the heading. */
const TEXT_BYTES = 8_000;

const Output = z.object({
  of: z.string(),
  turn: z.int(),
  receipt_id: z.string(),
  page: z.int(),
  pages: z.int(),
  /** The numbers of the first and the last line on this page, counted from 1. */
  first_line: z.int(),
  last_line: z.int(),
  lines: z.int(),
  text: z.string(),
});

export const recall = defineTool(
  {
    name: "recall",
    description: "Show an earlier observation of this thread again, in pages of 8 KB.",
    toolset: "context",
    category: "context",
    permission: "READ",
    // Each call reports whether it shows untrusted text.
    output_trust: "trusted",
    core: true,
    proves: false,
    prompt_hint: "Use it for an observation that was shortened, instead of repeating the call.",
    input: z.object({
      receipt_id: z
        .string()
        .regex(/^rcp_[0-9a-z]{26}$/, "must be a receipt id: rcp_ and 26 characters")
        .describe("receipt id from the record"),
      from_line: z.int().min(1).optional().describe("line to begin with, default 1"),
      page: z.int().min(1).optional().describe("page number from there on, default 1"),
    }),
    output: Output,
    render: ({ of, turn, page, pages, first_line, last_line, lines, text }) => {
      const more = page < pages ? `; go on with page ${page + 1}` : "";
      return `${of} in turn ${turn}, lines ${first_line}–${last_line} of ${lines}, page ${page} of ${pages}${more}\n${text}`;
    },
    examples: [{ arguments: { receipt_id: "rcp_01jmnzq8m0000000000000000a", page: 2 }, result: null }],
  },
  async ({ receipt_id, from_line = 1, page = 1 }, { own }) => {
    const recalled = await own.recall(receipt_id);
    if (!recalled.ok) return recalled;
    const { name, turn, text, output_trust } = recalled.value;
    const lines = lineBreaks(text) + 1;
    if (from_line > lines) return fail("tool_refused", `It has ${lines} lines; there is no line ${from_line}.`);
    const pages = pagesOf(afterLines(text, from_line - 1));
    const shown = pages[page - 1];
    if (shown === undefined) return fail("tool_refused", `It has ${pages.length} pages; there is no page ${page}.`);
    const first_line = from_line + lineBreaks(pages.slice(0, page - 1).join(""));
    // The line break at the end of a page belongs to its last line.
    const last_line = first_line + lineBreaks(shown.replace(/\n$/, ""));
    const found = { page, pages: pages.length, first_line, last_line, lines, text: shown };
    return outcome({ of: name, turn, receipt_id, ...found }, { output_trust });
  },
);

const lineBreaks = (text: string): number => text.split("\n").length - 1;

const afterLines = (text: string, count: number): string =>
  count === 0 ? text : text.split("\n").slice(count).join("\n");

/** A page ends with a whole line, unless that would leave it less than half full. */
function pagesOf(text: string): readonly string[] {
  const pages: string[] = [];
  let rest = text;
  do {
    const fits = truncateBytes(rest, TEXT_BYTES);
    const end = fits.length < rest.length ? fits.lastIndexOf("\n") + 1 : 0;
    const page = end > fits.length / 2 ? fits.slice(0, end) : fits;
    pages.push(page);
    rest = rest.slice(page.length);
  } while (rest !== "");
  return pages;
}
