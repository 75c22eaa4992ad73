// Shows again an observation that the window only counts or names, in pages. It is as little trusted as it was then.
import * as z from "zod";
import { fail } from "../../schema/problem.ts";
import { defineTool } from "../../tools/define-tool.ts";
import { outcome } from "../../tools/outcome.ts";
import { truncateBytes } from "../../tools/truncate-text.ts";

export const PAGE_BYTES = 8_192;
/** Of a page, so that its head fits too. */
const TEXT_BYTES = 8_000;

const Output = z.object({
  of: z.string(),
  turn: z.int(),
  receipt_id: z.string(),
  page: z.int(),
  pages: z.int(),
  text: z.string(),
});

export const recall = defineTool(
  {
    name: "recall",
    description: "Show an earlier observation of this thread again, in pages of 8 KB.",
    toolset: "context",
    category: "context",
    permission: "READ",
    scope: "NONE",
    effect: "pure",
    requires_confirmation: false,
    // Whether it shows untrusted text is reported per call.
    output_trust: "trusted",
    outward: false,
    core: true,
    proves: false,
    prompt_hint: "Use it for an observation that was shortened, instead of repeating the call.",
    input: z.object({
      receipt_id: z
        .string()
        .regex(/^rcp_[0-9a-z]{26}$/, "must be a receipt id: rcp_ and 26 characters")
        .describe("receipt id from the record"),
      page: z.int().min(1).optional().describe("page number, default 1"),
    }),
    output: Output,
    render: ({ of, turn, page, pages, text }) =>
      `${of} in turn ${turn}, page ${page} of ${pages}${page < pages ? `; go on with page ${page + 1}` : ""}\n${text}`,
    examples: [{ arguments: { receipt_id: "rcp_01jmnzq8m0000000000000000a", page: 2 }, result: null }],
  },
  async ({ receipt_id, page = 1 }, { own }) => {
    const recalled = await own.recall(receipt_id);
    if (!recalled.ok) return recalled;
    const { name, turn, text, output_trust } = recalled.value;
    const pages = pagesOf(text);
    const shown = pages[page - 1];
    if (shown === undefined) return fail("tool_refused", `It has ${pages.length} pages; there is no page ${page}.`);
    return outcome({ of: name, turn, receipt_id, page, pages: pages.length, text: shown }, { output_trust });
  },
);

function pagesOf(text: string): readonly string[] {
  const pages: string[] = [];
  let rest = text;
  do {
    const page = truncateBytes(rest, TEXT_BYTES);
    pages.push(page);
    rest = rest.slice(page.length);
  } while (rest !== "");
  return pages;
}
