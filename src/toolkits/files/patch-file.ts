// Changes part of a file, even if the model quotes the old lines inexactly. The matcher finds the position or explains
// why it cannot.
import * as z from "zod";
import { ok } from "../../schema/problem.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { applyPatch } from "./patch/apply-patch.ts";
import { sensitivePaths } from "./sensitive-path.ts";
import {
  checkTextChange,
  FilePath,
  type OperationsFor,
  readText,
  rewriteText,
  WORKSPACE_MANIFEST,
} from "./workspace.ts";

const Output = z.object({ path: z.string(), strategy: z.string(), places: z.int(), diff: z.string() });

export const patch = (operations: OperationsFor): Tool =>
  defineTool(
    {
      ...WORKSPACE_MANIFEST,
      name: "patch",
      description:
        "Replace part of an existing file. Differences in whitespace, indentation or punctuation are tolerated; an ambiguous place is refused.",
      toolset: "base",
      permission: "WRITE",
      scope: "LOCAL_STATE",
      effect: "unkeyed",
      requires_confirmation: true,
      // The result contains lines of the file, even if the call is refused.
      output_trust: "untrusted",
      prompt_hint: "Read the file first. Prefer this to rewriting a whole file.",
      input: z.object({
        path: FilePath,
        old_string: z.string().describe("the lines to replace, with enough context to be unique"),
        new_string: z.string().describe("the text that replaces them"),
        replace_all: z.boolean().optional().describe("replace every match"),
      }),
      output: Output,
      render: ({ path, diff }) => `${path}: ${diff}`,
      examples: [
        {
          arguments: { path: "src/app.ts", old_string: "const port = 80;", new_string: "const port = 8080;" },
          result: "src/app.ts: 1 place changed (exact)\n@@ line 3 @@\n-const port = 80;\n+const port = 8080;",
        },
      ],
      hooks: [sensitivePaths(["patch"])],
      check: ({ path, ...change }, context) =>
        checkTextChange(operations(context), path, (text) => patchText(text, change)),
      reconcile: async ({ path, ...change }, _key, context) => {
        const current = await readText(operations(context), path);
        if (!current.ok) return null;
        const reapplied = patchText(current.value, change);
        if (reapplied.ok) return { happened: false };
        return reapplied.problem.code === "patch_already_applied" ? { happened: true } : null;
      },
    },
    async ({ path, ...change }, context) => {
      let done = { strategy: "", places: 0, diff: "" };
      const written = await rewriteText(operations(context), path, (text) => {
        const patched = patchText(text, change);
        if (!patched.ok) return patched;
        done = { strategy: patched.strategy, places: patched.matches.length, diff: patched.diff };
        return ok(patched.content);
      });
      return written.ok ? { path: written.value.path, ...done } : written;
    },
  );

type PatchInput = {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
};

const patchText = (text: string, { old_string, new_string, replace_all = false }: PatchInput) =>
  applyPatch(text, old_string, new_string, { replaceAll: replace_all });
