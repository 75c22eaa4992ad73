// Changes part of a file, even if the model quotes the old lines inexactly. The matcher finds the position or explains
// why it cannot.
import * as z from "zod";
import { fail, ok } from "../../schema/problem.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { encodeText } from "../../tools/text-format.ts";
import { applyPatch } from "./patch/apply-patch.ts";
import { sensitivePaths } from "./sensitive-paths-hook.ts";
import {
  checkTextChange,
  decodeFileText,
  FilePath,
  type OperationsFor,
  refuseSensitiveLink,
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
      check: ({ path, old_string, new_string, replace_all = false }, context) =>
        checkTextChange(operations(context), path, (before) => {
          const current = decodeFileText(path, before);
          return current.ok ? applyPatch(current.value, old_string, new_string, { replaceAll: replace_all }) : current;
        }),
      reconcile: async ({ path, old_string, new_string, replace_all = false }, _key, context) => {
        const read = await operations(context).files.read(path, { limit: 16_777_216 });
        const current = read.ok ? decodeFileText(path, read.value.bytes) : read;
        if (!current.ok) return null;
        const reapplied = applyPatch(current.value, old_string, new_string, { replaceAll: replace_all });
        if (reapplied.ok) return { happened: false };
        return reapplied.problem.code === "patch_already_applied" ? { happened: true } : null;
      },
    },
    async ({ path, old_string, new_string, replace_all = false }, context) => {
      let done = { strategy: "", places: 0, diff: "" };
      const written = await operations(context).files.rewrite(path, (before, real) => {
        const refusal = refuseSensitiveLink(path, real);
        if (refusal) return refusal;
        if (before === null) return fail("file_not_found", `There is no ${JSON.stringify(path)}.`);
        const current = decodeFileText(path, before);
        if (!current.ok) return current;
        const patched = applyPatch(current.value, old_string, new_string, { replaceAll: replace_all });
        if (!patched.ok) return patched;
        done = { strategy: patched.strategy, places: patched.matches.length, diff: patched.diff };
        return ok(encodeText(patched.content));
      });
      return written.ok ? { path: written.value.path, ...done } : written;
    },
  );
