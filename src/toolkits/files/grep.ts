// Finds text or a pattern in the files of the workspace, in bounded, linear time for every pattern.
import * as z from "zod";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { type OperationsFor, WORKSPACE_MANIFEST } from "./workspace.ts";

const Output = z.object({
  matches: z.array(
    z.object({
      path: z.string(),
      line: z.int(),
      text: z.string(),
      before: z.array(z.string()),
      after: z.array(z.string()),
    }),
  ),
  files: z.int(),
  stopped: z.string().nullable(),
});

export const grep = (operations: OperationsFor): Tool =>
  defineTool(
    {
      ...WORKSPACE_MANIFEST,
      name: "grep",
      description:
        "Search the lines of files for a regular expression (RE2: no back-references, no look-around) or a plain text.",
      toolset: "files",
      permission: "READ",
      output_trust: "untrusted",
      prompt_hint: "Narrow the search with include or under before you raise the limit.",
      input: z.object({
        pattern: z.string().min(1).max(1_000).describe("regular expression or text"),
        literal: z.boolean().optional().describe("treat the pattern as plain text"),
        ignore_case: z.boolean().optional(),
        under: z.string().max(1_024).optional().describe("folder or file to search; default: the whole workspace"),
        include: z.string().max(512).optional().describe("only files that match, such as *.ts"),
        context: z.int().min(0).max(10).optional().describe("lines to show before and after each match"),
        limit: z.int().min(1).max(1_000).optional().describe("maximum number of matches, default 100"),
      }),
      output: Output,
      render,
      examples: [
        { arguments: { pattern: "TODO", include: "*.ts" }, result: "1 match in 14 files\nsrc/app.ts:12: // TODO" },
      ],
    },
    async ({ pattern, literal, ignore_case, under, include, context: around, limit }, context) => {
      const report = await operations(context).search.grep({
        pattern,
        literal: literal ?? false,
        ignore_case: ignore_case ?? false,
        ...(under ? { under } : {}),
        ...(include ? { include } : {}),
        context: around ?? 0,
        limit: limit ?? 100,
        signal: context.signal,
      });
      if (!report.ok) return report;
      const { matches, files, stopped } = report.value;
      const shown = matches.map((hit) => ({ ...hit, before: [...hit.before], after: [...hit.after] }));
      return { matches: shown, files, stopped };
    },
  );

function render({ matches, files, stopped }: z.infer<typeof Output>): string {
  const found = `${matches.length} ${matches.length === 1 ? "match" : "matches"}`;
  const head = `${found} in ${files} ${files === 1 ? "file" : "files"}${stopped ? ` (stopped early: ${stopped})` : ""}`;
  const blocks = matches.map(({ path, line, text, before, after }) =>
    [
      ...before.map((shown, i) => `${path}-${line - before.length + i}- ${shown}`),
      `${path}:${line}: ${text}`,
      ...after.map((shown, i) => `${path}-${line + 1 + i}- ${shown}`),
    ].join("\n"),
  );
  return [head, ...blocks].join("\n");
}
