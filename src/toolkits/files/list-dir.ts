// Lists a folder of the workspace.
import * as z from "zod";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { type OperationsFor, WORKSPACE_MANIFEST } from "./workspace.ts";

const Output = z.object({
  path: z.string(),
  entries: z.array(z.object({ name: z.string(), kind: z.enum(["file", "folder", "link", "other"]), size: z.int() })),
  truncated: z.boolean(),
});

export const listDir = (operations: OperationsFor): Tool =>
  defineTool(
    {
      ...WORKSPACE_MANIFEST,
      name: "list_dir",
      description: "List a folder: its files with their sizes, and its folders.",
      toolset: "base",
      permission: "READ",
      output_trust: "untrusted",
      prompt_hint: "Use it to find out which paths exist.",
      input: z.object({ path: z.string().max(1_024).optional().describe("folder; default: the workspace root") }),
      output: Output,
      render,
      examples: [{ arguments: { path: "src" }, result: "src: 2 entries\nlib/\napp.ts 812" }],
    },
    async ({ path }, context) => {
      const page = await operations(context).files.list(path || ".");
      if (!page.ok) return page;
      return { ...page.value, entries: page.value.entries.map((entry) => ({ ...entry })) };
    },
  );

function render({ path, entries, truncated }: z.infer<typeof Output>): string {
  const lines = entries.map(({ name, kind, size }) => {
    if (kind === "folder") return `${name}/`;
    return kind === "file" ? `${name} ${size}` : `${name} (${kind})`;
  });
  const more = truncated ? ["… and more; list a folder below, or look with a pattern"] : [];
  return [`${path}: ${entries.length} ${entries.length === 1 ? "entry" : "entries"}`, ...lines, ...more].join("\n");
}
