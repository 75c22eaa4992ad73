// Reads a git repository of the workspace. Commands that write must be run with bash, where they are judged.
import * as z from "zod";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { defineTool, type Tool, type ToolContext } from "../../tools/define-tool.ts";
import type { OperationsFor } from "../../tools/toolkit.ts";
import { findRepository, gitCommand, listSettings, PRINT_FOLDER, repositoryProblem } from "./git-command.ts";
import { type Finished, finished, processOf } from "./run-program.ts";

const TIMEOUT_MS = 30_000;

/** A string that cannot be read as an option, a second command or a pathspec. */
const Ref = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][\w./@{}^~+-]*$/, "must be a commit, branch, tag or range, such as main or HEAD~3..HEAD");
const Path = z
  .string()
  .min(1)
  .max(1_024)
  .regex(/^(?![/-])[^\0\n\r]+$/, "must be a path in the repository");

const Input = z.object({
  action: z.enum(["status", "diff", "log", "show", "blame", "branch"]),
  folder: z.string().max(1_024).optional().describe("folder of the repository; the workspace itself without"),
  ref: Ref.optional().describe("commit, branch or range"),
  path: Path.optional().describe("only this file or folder"),
  staged: z.boolean().optional().describe("diff: what is staged"),
  limit: z.int().min(1).max(200).optional().describe("log: commits, 20 without"),
});
type Input = z.infer<typeof Input>;

export const git = (operations: OperationsFor): Tool =>
  defineTool(
    {
      name: "git",
      description: "Read a git repository: status, diff, log, show, blame, branch. It changes nothing.",
      toolset: "code",
      category: "code",
      permission: "READ",
      output_trust: "untrusted",
      timeout_ms: 4 * TIMEOUT_MS + 5_000,
      needs_parts: ["process"],
      tags: ["workspace", "code"],
      prompt_hint: "to read history and changes; it does not commit or write.",
      input: Input,
      output: z.string(),
      examples: [{ arguments: { action: "log", limit: 5, path: "src/app.ts" }, result: null }],
    },
    async (input, context) => {
      if (input.action === "blame" && input.path === undefined) return fail("tool_refused", "blame needs a path.");
      const readable = await isReadable(operations, input, context);
      if (!readable.ok) return readable;
      const names = await run(operations, { command: listSettings(), folder: input.folder }, context);
      if (!names.ok) return names;
      // Code 1 without output means that there are no settings.
      const command = gitCommand(names.value.code === 0 ? names.value.text : "", argumentsOf(input));
      if (!command.ok) return command;
      const ran = await run(operations, { command: command.value, folder: input.folder }, context);
      if (!ran.ok) return ran;
      return ran.value.code === 0 ? ran.value.text || "(nothing)" : gitFailed(ran.value);
    },
  );

/** Checks the repository before any of its content or settings are read. */
async function isReadable(operations: OperationsFor, { folder }: Input, context: ToolContext): Promise<Result<null>> {
  const root = await run(operations, { command: PRINT_FOLDER, folder: undefined }, context);
  if (!root.ok) return root;
  const places = await run(operations, { command: findRepository(), folder }, context);
  if (!places.ok) return places;
  if (places.value.code !== 0) return gitFailed(places.value);
  const problem = repositoryProblem(root.value.text.replace(/\n$/, ""), places.value.text);
  return problem === null ? ok(null) : fail("tool_refused", problem);
}

const gitFailed = ({ text }: Finished) => fail("tool_refused", `git: ${text.trim().slice(0, 2_000)}`);

type Line = { readonly command: string; readonly folder: string | undefined };

async function run(
  operations: OperationsFor,
  { command, folder }: Line,
  context: ToolContext,
): Promise<Result<Finished>> {
  const process = processOf(operations, context);
  if (!process.ok) return process;
  const options = { command, timeout_ms: TIMEOUT_MS, signal: context.signal, ...(folder ? { folder } : {}) };
  return finished(await process.value.run(options), "git");
}

const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all"];
const FORMAT = "--format=%H %an %ad%n    %s";

function argumentsOf({ action, ref, path, staged, limit = 20 }: Input): readonly string[] {
  const refs = ref === undefined ? [] : [ref];
  const rest = ["--", ...(path === undefined ? [] : [path])];
  switch (action) {
    case "status":
      return ["status", "--porcelain=v1", "--branch", "--ignore-submodules=all", "--no-renames", ...rest];
    case "diff":
      return ["diff", ...PLAIN, ...(staged ? ["--cached"] : []), ...refs, ...rest];
    case "log":
      return ["log", "--no-color", "--no-show-signature", "--date=iso-strict", FORMAT, `-n${limit}`, ...refs, ...rest];
    case "show":
      return ["show", ...PLAIN, "--no-show-signature", "--date=iso-strict", ref ?? "HEAD", ...rest];
    case "blame":
      return ["blame", "--no-textconv", "--date=short", ...refs, ...rest];
    case "branch":
      return ["branch", "--list", "--all", "--no-color", "--no-column", "-vv"];
  }
}
