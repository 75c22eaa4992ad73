// Replaces text in a file. The old text must match exactly, except for line endings.
import * as z from "zod";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { sensitivePaths } from "./sensitive-path.ts";
import {
  checkTextChange,
  FilePath,
  type OperationsFor,
  readText,
  rewriteText,
  WORKSPACE_MANIFEST,
} from "./workspace.ts";

const Input = z.object({
  path: FilePath,
  old_string: z.string().min(1).describe("the exact text in the file, including whitespace"),
  new_string: z.string().describe("the text that replaces it"),
  replace_all: z.boolean().optional().describe("replace every match; otherwise the text must occur exactly once"),
});
const Output = z.object({ path: z.string(), places: z.int() });

export const edit = (operations: OperationsFor): Tool =>
  defineTool(
    {
      ...WORKSPACE_MANIFEST,
      name: "edit",
      description: "Replace an exact text in a file that you have read; use patch if it may differ.",
      toolset: "files",
      permission: "WRITE",
      scope: "LOCAL_STATE",
      effect: "unkeyed",
      requires_confirmation: true,
      prompt_hint: "Copy old_string from what you have read.",
      input: Input,
      output: Output,
      render: ({ path, places }) => `${path}: ${places} ${places === 1 ? "place" : "places"} changed.`,
      examples: [
        {
          arguments: { path: "src/app.ts", old_string: "port = 80", new_string: "port = 8080" },
          result: "src/app.ts: 1 place changed.",
        },
      ],
      hooks: [sensitivePaths(["edit"])],
      check: (input, context) => checkTextChange(operations(context), input.path, (text) => replaceText(input, text)),
      reconcile: async (input, _key, context) => {
        const current = await readText(operations(context), input.path);
        if (!current.ok || input.new_string.includes(input.old_string)) return null;
        const { old, fresh } = withFileLineEndings(current.value, input);
        if (countOf(current.value, old) > 0) return { happened: false };
        const isWritten = fresh !== "" && current.value.includes(fresh);
        return isWritten ? { happened: true, output: { path: input.path, places: 1 } } : null;
      },
    },
    async (input, context) => {
      let places = 0;
      const written = await rewriteText(operations(context), input.path, (text) => {
        const changed = replaceText(input, text);
        if (!changed.ok) return changed;
        places = changed.value.places;
        return ok(changed.value.text);
      });
      return written.ok ? { path: written.value.path, places } : written;
    },
  );

type EditInput = z.infer<typeof Input>;

function replaceText(input: EditInput, text: string): Result<{ text: string; places: number }> {
  if (input.old_string === input.new_string)
    return fail("tool_refused", "old_string and new_string are the same text.");
  const { old, fresh } = withFileLineEndings(text, input);
  const places = countOf(text, old);
  if (places === 0)
    return fail("tool_refused", `old_string is not in ${input.path}. Read the file and copy the text from it.`);
  if (places > 1 && !input.replace_all)
    return fail(
      "tool_refused",
      `old_string is in ${input.path} ${places} times. Give more of the text around it, or set replace_all.`,
    );
  return ok({ text: text.split(old).join(fresh), places });
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** Both strings get CRLF if all lines of the file end with CRLF and `old_string` has no CR. */
function withFileLineEndings(text: string, { old_string, new_string }: EditInput): { old: string; fresh: string } {
  const uniform = text.includes("\r\n") && !/(?<!\r)\n/.test(text) && !old_string.includes("\r");
  if (!uniform) return { old: old_string, fresh: new_string };
  const toCrLf = (part: string): string => part.replace(/\r?\n/g, "\r\n");
  return { old: toCrLf(old_string), fresh: toCrLf(new_string) };
}
