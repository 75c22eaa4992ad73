// Runs the program that a skill of the operator declares, with JSON as its input. Lines of JSON report its progress.
import * as z from "zod";
import type { SkillFolder } from "../../ports/data/skill-folder.ts";
import type { OutputChunk, ProcessReport } from "../../ports/operations.ts";
import { exceedsBytes } from "../../schema/byte-length.ts";
import { TenantId } from "../../schema/ids.ts";
import { parseJson } from "../../schema/json/parse-json.ts";
import { type Failed, fail, type Result } from "../../schema/problem.ts";
import { createChannel } from "../../tools/channel.ts";
import { type Chunk, defineTool, type Tool, type ToolContext } from "../../tools/define-tool.ts";
import type { OperationsFor } from "../../tools/toolkit.ts";
import { SKILL_MANIFEST } from "./read.ts";
import type { SkillSource } from "./skill-source.ts";
import { SkillName } from "./stored-skills.ts";

const SECONDS_MAX = 300;
const LINE_CHARS_MAX = 65_536;
/** The input becomes part of the shell's command line, which is a single argument and therefore limited to 128 KB. */
const INPUT_BYTES_MAX = 100_000;
/** Interpreters by file extension of the program. A skill names the program that runs, but not the interpreter. */
const INTERPRETERS: Readonly<Record<string, string>> = { py: "python3", js: "node", mjs: "node", sh: "bash" };

const Input = z.object({
  name: SkillName,
  input: z.record(z.string(), z.unknown()).optional().describe("JSON for the program, on its standard input"),
  timeout_s: z.int().min(1).max(SECONDS_MAX).optional().describe("seconds, 60 without"),
});

export type ExecuteParts = { readonly folder: SkillFolder; readonly process: OperationsFor };

export const executeSkill = (skills: SkillSource, parts: ExecuteParts): Tool =>
  defineTool(
    {
      ...SKILL_MANIFEST,
      name: "execute_skill",
      description: "Run the program of a skill. It works in the workspace, without network where there is a sandbox.",
      permission: "EXTERNAL",
      scope: "NETWORK",
      effect: "unkeyed",
      requires_confirmation: true,
      streaming: true,
      output_trust: "untrusted",
      outward: true,
      subagent_allowed: false,
      timeout_ms: (SECONDS_MAX + 10) * 1_000,
      prompt_hint: "read the skill first; it says what input the program takes.",
      input: Input,
      output: z.string(),
      check: async ({ name, input = {} }, { tenant }) => {
        const command = await commandOf(skills, parts.folder, { name, tenant, input });
        return command.ok ? null : command;
      },
      examples: [
        { arguments: { name: "resize-images", input: { width: 800 } }, result: '{"resized":3}\n\nexit code 0' },
      ],
    },
    (input, context) => run(skills, parts, input, context),
  );

type Call = { readonly name: string; readonly tenant: string; readonly input: unknown };

async function commandOf(skills: SkillSource, folder: SkillFolder, { name, tenant, input }: Call) {
  const skill = await skills.read(TenantId.parse(tenant), name);
  if (!skill.ok) return skill;
  const { entry, from } = skill.value;
  if (from !== "folder" || entry === null) return fail("tool_refused", `The skill ${name} has no program of its own.`);
  const interpreter = INTERPRETERS[/\.([a-z]+)$/.exec(entry)?.[1] ?? ""];
  if (interpreter === undefined) return fail("tool_refused", `The program ${entry} must end in .py, .js, .mjs or .sh.`);
  const path = quote(`${folder.root}/${name}/${entry}`);
  const json = quote(JSON.stringify(input));
  if (exceedsBytes(json, INPUT_BYTES_MAX))
    return fail("tool_refused", `The input is larger than ${INPUT_BYTES_MAX} bytes: put it into a file.`);
  return { ok: true as const, value: `printf %s ${json} | ${interpreter} ${path}` };
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

async function* run(
  skills: SkillSource,
  { folder, process }: ExecuteParts,
  { name, input = {}, timeout_s = 60 }: z.infer<typeof Input>,
  context: ToolContext,
): AsyncGenerator<Chunk, string | Failed> {
  const operations = process(context).process;
  if (!operations) return fail("process_unavailable", "There is nothing here that could run a program.");
  const command = await commandOf(skills, folder, { name, tenant: context.tenant, input });
  if (!command.ok) return command;
  const output = createChannel<OutputChunk>();
  const { signal } = context;
  const ended = operations
    .run({ command: command.value, timeout_ms: timeout_s * 1_000, signal, onOutput: output.send })
    .finally(output.close);
  yield* readLines(output.received);
  return resultOf(await ended, timeout_s);
}

/** Yields progress for each line of the form `{"stage": …, "text": …}`, and every other line as output. */
async function* readLines(received: AsyncIterable<OutputChunk>): AsyncGenerator<Chunk> {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let rest = "";
  for await (const { stream, bytes } of received) {
    const text = decoders[stream].decode(bytes, { stream: true });
    if (stream === "stderr") {
      if (text !== "") yield text;
      continue;
    }
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield progressOf(line) ?? `${line}\n`;
    if (rest.length > LINE_CHARS_MAX) {
      yield rest;
      rest = "";
    }
  }
  if (rest !== "") yield progressOf(rest) ?? rest;
}

const Progress = z.strictObject({ stage: z.string().min(1).max(64), text: z.string().max(4_096).optional() });

function progressOf(line: string): Chunk | null {
  if (!line.startsWith("{")) return null;
  const { data } = Progress.safeParse(parseJson(line));
  return data ? { stage: data.stage, ...(data.text === undefined ? {} : { text: data.text }) } : null;
}

function resultOf(report: Result<ProcessReport>, seconds: number): string | Failed {
  if (!report.ok) return report;
  const { end } = report.value;
  if (end.kind === "exited") return end.code === 0 ? "exit code 0" : fail("tool_refused", `exit code ${end.code}`);
  const reason = end.kind === "timeout" ? `ended after ${seconds} s` : `was ended (${end.kind})`;
  // It is unknown how far the program got.
  return fail("outcome_unknown", `The program ${reason}.`);
}
