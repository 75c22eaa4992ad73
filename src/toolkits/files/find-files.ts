// Finds files of the workspace by a name pattern.
import * as z from "zod";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { type OperationsFor, WORKSPACE_MANIFEST } from "./workspace.ts";

const Output = z.object({ paths: z.array(z.string()), files: z.int(), stopped: z.string().nullable() });

export const findFiles = (operations: OperationsFor): Tool =>
  defineTool(
    {
      ...WORKSPACE_MANIFEST,
      name: "find_files",
      description: "Find files by a name pattern with *, ?, ** and {a,b}.",
      toolset: "files",
      permission: "READ",
      output_trust: "untrusted",
      prompt_hint: "A pattern without a slash matches in every folder.",
      input: z.object({
        pattern: z.string().min(1).max(512).describe("pattern, such as *.ts or src/**/test-*.json"),
        under: z.string().max(1_024).optional().describe("folder to search; default: the whole workspace"),
        limit: z.int().min(1).max(1_000).optional().describe("maximum number of files, default 200"),
      }),
      output: Output,
      render: ({ paths, files, stopped }) =>
        [
          `${paths.length} of ${files} ${files === 1 ? "file" : "files"}${stopped ? ` (stopped early: ${stopped})` : ""}`,
          ...paths,
        ].join("\n"),
      examples: [{ arguments: { pattern: "**/*.ts" }, result: "2 of 14 files\nsrc/app.ts\nsrc/lib/dates.ts" }],
    },
    async ({ pattern, under, limit }, context) => {
      const found = await operations(context).search.find({
        glob: pattern,
        ...(under ? { under } : {}),
        limit: limit ?? 200,
        signal: context.signal,
      });
      return found.ok ? { ...found.value, paths: [...found.value.paths].sort() } : found;
    },
  );
