// Asks the configured language server about code in the workspace. A rename is shown as a patch; nothing is written.
import * as z from "zod";
import type { LspSettings } from "../../ports/data/code-settings.ts";
import type { CodeAnswer, CodePlace, CodeQuestion, LanguageServer } from "../../ports/data/language-server.ts";
import { FILE_BYTES_MAX, type Operations } from "../../ports/operations.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { defineTool, type Tool, type ToolContext } from "../../tools/define-tool.ts";
import type { OperationsFor } from "../../tools/toolkit.ts";
import { proposedPatch } from "./proposed-patch.ts";
import { runsWorkspaceCode } from "./run-program.ts";

const TIMEOUT_MS = 60_000;
const SHOWN_MAX = 100;

const Input = z.object({
  action: z.enum(["definition", "references", "hover", "diagnostics", "rename"]),
  path: z.string().min(1).max(1_024).describe("a file of the workspace"),
  line: z.int().min(1).optional().describe("line of the name, from 1; not for diagnostics"),
  symbol: z.string().min(1).max(200).optional().describe("the name as it stands in this line"),
  new_name: z.string().min(1).max(200).optional().describe("rename: the new name"),
});
type Input = z.infer<typeof Input>;

export const lsp = (operations: OperationsFor, server: LanguageServer, settings: LspSettings): Tool =>
  defineTool(
    {
      name: "lsp",
      description:
        "Ask the language server about code: definition, references, hover, diagnostics, rename. A rename is a proposed diff; it changes nothing.",
      toolset: "code",
      category: "code",
      permission: "EXTERNAL",
      scope: "LOCAL_STATE",
      // Asking again changes nothing. But the server may run code of the workspace, which needs approval.
      effect: "pure",
      requires_confirmation: runsWorkspaceCode(operations, settings),
      output_trust: "untrusted",
      outward: runsWorkspaceCode(operations, settings),
      timeout_ms: TIMEOUT_MS,
      needs_parts: ["process"],
      tags: ["workspace", "code"],
      prompt_hint:
        "exact where a text search is not: names in other files, types, errors; apply the diff of a rename yourself.",
      input: Input,
      output: z.string(),
      check: async (input, context) => {
        const question = await prepare(input, operations, settings, context);
        return question.ok ? null : question;
      },
      examples: [
        {
          arguments: { action: "references", path: "src/app.ts", line: 3, symbol: "start" },
          result: "src/app.ts:3:17 export function start() {\nsrc/main.ts:2:1 start();",
        },
      ],
    },
    async (input, context) => {
      const question = await prepare(input, operations, settings, context);
      if (!question.ok) return question;
      const answer = await server.ask({ ...question.value, signal: context.signal });
      return answer.ok ? show(operations(context).files, answer.value, context) : answer;
    },
  );

/** The request to the language server, if the file, its language and the position in it exist. */
async function prepare(input: Input, operations: OperationsFor, settings: LspSettings, context: ToolContext) {
  const { files, process } = operations(context);
  const root = operations.places?.workspace;
  if (!process || root === undefined) return fail("process_unavailable", "This host cannot run a language server.");
  const language = settings.languages[/\.([^./]+)$/.exec(input.path)?.[1] ?? ""];
  if (language === undefined)
    return fail("tool_refused", `The language server is for: ${Object.keys(settings.languages).join(", ")}.`);
  const read = await readText(files, input.path);
  if (!read.ok) return read;
  const question = questionOf(input, read.value.text);
  if (!question.ok) return question;
  return ok({ process, root, file: { ...read.value, language }, question: question.value });
}

type NamedText = { readonly path: string; readonly text: string };

async function readText(files: Operations["files"], path: string): Promise<Result<NamedText>> {
  const read = await files.read(path, { limit: FILE_BYTES_MAX });
  return read.ok ? ok({ path: read.value.path, text: new TextDecoder().decode(read.value.bytes) }) : read;
}

function questionOf({ action, line, symbol, new_name }: Input, text: string): Result<CodeQuestion> {
  if (action === "diagnostics") return ok({ kind: action });
  if (line === undefined || symbol === undefined) return fail("tool_refused", `${action} needs a line and a symbol.`);
  const character = text.split("\n")[line - 1]?.indexOf(symbol) ?? -1;
  if (character < 0) return fail("tool_refused", `Line ${line} does not contain ${JSON.stringify(symbol)}.`);
  const at = { line: line - 1, character };
  if (action !== "rename") return ok({ kind: action, at });
  if (new_name === undefined) return fail("tool_refused", "rename needs a new_name.");
  return ok({ kind: action, at, new_name });
}

async function show(files: Operations["files"], answer: CodeAnswer, { signal }: ToolContext): Promise<string | Failed> {
  switch (answer.kind) {
    case "text":
      return answer.text || "(nothing)";
    case "issues": {
      const lines = answer.issues.map(
        ({ range: { start }, severity, code, message }) =>
          `${start.line + 1}:${start.character + 1} ${severity} ${code ?? "-"}: ${message}`,
      );
      return firstLines(lines) || "no problems";
    }
    case "places":
      return firstLines(await showPlaces(files, answer.places)) || "(nothing)";
    case "edits": {
      const patches: string[] = [];
      for (const { path, edits } of answer.files) {
        if (signal.aborted) return fail("tool_refused", "The call was stopped.");
        // Files outside the workspace, and files that the agent may not read, are refused here.
        const read = await readText(files, path);
        if (!read.ok) return read;
        const patch = proposedPatch(path, read.value.text, edits);
        if (patch === null)
          return fail("tool_refused", `The language server proposed edits of ${path} that do not fit its text.`);
        patches.push(patch);
      }
      return patches.join("\n") || "(nothing to rename)";
    }
  }
}

/** Each place has the text of its line if tools may read the file. */
async function showPlaces(files: Operations["files"], places: readonly CodePlace[]): Promise<readonly string[]> {
  const texts = new Map<string, readonly string[]>();
  for (const path of new Set(places.slice(0, SHOWN_MAX).map((place) => place.path))) {
    const read = await readText(files, path);
    texts.set(path, read.ok ? read.value.text.split("\n") : []);
  }
  return places.map(({ path, range: { start } }) =>
    `${path}:${start.line + 1}:${start.character + 1} ${texts.get(path)?.[start.line]?.trim().slice(0, 200) ?? ""}`.trim(),
  );
}

function firstLines(lines: readonly string[]): string {
  const more = lines.length > SHOWN_MAX ? [`… and ${lines.length - SHOWN_MAX} more`] : [];
  return [...lines.slice(0, SHOWN_MAX), ...more].join("\n");
}
