// Replaces a text of a file by another one, exactly as written. Nothing is guessed; only line endings are adapted.
import { z } from "zod";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { defineTool, type Tool } from "../../tools/define-tool.ts";
import { encodeText } from "../../tools/text-form.ts";
import { sensitivePaths } from "../shell/danger-hooks.ts";
import { disguised, FilePath, type OperationsFor, textOf, WORKSPACE } from "./workspace.ts";

const Input = z.object({
  path: FilePath,
  old_string: z.string().min(1).describe("the text as it stands in the file, exactly"),
  new_string: z.string().describe("the text to put there"),
  replace_all: z.boolean().optional().describe("every place; without it the text must be there once"),
});
const Output = z.object({ path: z.string(), places: z.int() });

export const edit = (operations: OperationsFor): Tool =>
  defineTool(
    {
      ...WORKSPACE,
      name: "edit",
      description: "Replace a text in a file by another one. The old text must be given exactly.",
      toolset: "files",
      permission: "WRITE",
      scope: "LOCAL_STATE",
      effect: "unkeyed",
      requires_confirmation: true,
      output_trust: "trusted",
      outward: false,
      prompt_hint: "copy old_string from what you have read, blanks included.",
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
      reconcile: async (wish, _key, context) => {
        const read = await operations(context).files.read(wish.path, { limit: 16_777_216 });
        const held = read.ok ? textOf(wish.path, read.value.bytes) : read;
        if (!held.ok || wish.new_string.includes(wish.old_string)) return null;
        const { old, fresh } = inFormOf(held.value, wish);
        if (countOf(held.value, old) > 0) return { happened: false };
        return fresh !== "" && held.value.includes(fresh)
          ? { happened: true, output: { path: wish.path, places: 1 } }
          : null;
      },
    },
    async (wish, context) => {
      let places = 0;
      const written = await operations(context).files.rewrite(wish.path, (before, real) => {
        const no = disguised(wish.path, real);
        if (no) return no;
        const changed = replaced(wish, before);
        if (!changed.ok) return changed;
        places = changed.value.places;
        return ok(encodeText(changed.value.text));
      });
      return written.ok ? { path: written.value.path, places } : written;
    },
  );

type Wish = z.infer<typeof Input>;

function replaced(wish: Wish, before: Uint8Array | null): Result<{ text: string; places: number }> {
  if (before === null) return fail("file_not_found", `There is no ${JSON.stringify(wish.path)}.`);
  const held = textOf(wish.path, before);
  if (!held.ok) return held;
  if (wish.old_string === wish.new_string) return fail("tool_refused", "old_string and new_string are the same text.");
  const { old, fresh } = inFormOf(held.value, wish);
  const places = countOf(held.value, old);
  if (places === 0)
    return fail("tool_refused", `old_string is not in ${wish.path}. Read the file and copy the text from it.`);
  if (places > 1 && !wish.replace_all)
    return fail(
      "tool_refused",
      `old_string is in ${wish.path} ${places} times. Give more of the text around it, or set replace_all.`,
    );
  return ok({ text: held.value.split(old).join(fresh), places });
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** A model writes line feeds; a file that has carriage returns before all of them keeps its way. */
function inFormOf(text: string, { old_string, new_string }: Wish): { old: string; fresh: string } {
  const uniform = text.includes("\r\n") && !/(?<!\r)\n/.test(text) && !old_string.includes("\r");
  if (!uniform) return { old: old_string, fresh: new_string };
  const carry = (part: string): string => part.replace(/\r?\n/g, "\r\n");
  return { old: carry(old_string), fresh: carry(new_string) };
}
