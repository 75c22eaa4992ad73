// Runs one command line of bash or PowerShell in the workspace and streams its output. The host decides whether the
// command runs in a sandbox.
import * as z from "zod";
import type { Operations, OutputChunk, ProcessExit, ProcessReport } from "../../ports/operations.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";
import { createChannel } from "../../tools/channel.ts";
import { type Chunk, defineTool, type Tool, type ToolContext } from "../../tools/define-tool.ts";
import { type Outcome, outcome } from "../../tools/outcome.ts";
import type { OperationsFor } from "../../tools/toolkit.ts";
import { bashClassifier, type Classifier, classifyOptions, commandRisk, networkApproval } from "./risk-hooks.ts";

type Shell = "bash" | "powershell";

export const COMMAND_SECONDS_MAX = 120;
const COMMAND_SECONDS = 60;

const Input = z.object({
  command: z.string().min(1).max(16_384).describe("one command line"),
  folder: z.string().max(1_024).optional().describe("folder to run it in; default: the workspace root"),
  timeout_s: z
    .int()
    .min(1)
    .max(COMMAND_SECONDS_MAX)
    .optional()
    .describe(`time limit in seconds, default ${COMMAND_SECONDS}`),
  network: z.boolean().optional().describe("true if it needs the network; a person is asked first"),
});

const powershellClassifier: Classifier = async () => (await import("./powershell-risk.ts")).classifyPowerShell;

const COMMAND_MANIFEST = {
  category: "system",
  permission: "EXTERNAL",
  scope: "NETWORK",
  effect: "unkeyed",
  // The hooks decide whether a person must confirm the command.
  requires_confirmation: false,
  streaming: true,
  output_trust: "untrusted",
  outward: true,
  timeout_ms: (COMMAND_SECONDS_MAX + 10) * 1_000,
  tags: ["workspace", "shell"],
  input: Input,
  output: z.string(),
} as const;

export const bash = (operations: OperationsFor): Tool =>
  defineTool(
    {
      ...COMMAND_MANIFEST,
      tags: [...COMMAND_MANIFEST.tags],
      name: "bash",
      description: "Run a command line in a shell. It has no standard input and is stopped at its time limit.",
      toolset: "base",
      needs_parts: ["process"],
      prompt_hint:
        "A pipe fails if any of its stages fails. Do not shorten the output with head or tail; the runtime does that.",
      examples: [{ arguments: { command: "ls -la src" }, result: "app.ts\n\nexit code 0" }],
      check: ({ folder }, context) => (folder === undefined ? null : checkFolder(operations(context), folder)),
      // simple-command.ts is imported on demand, so that a process that starts for a single turn need not load it.
      access: async ({ command }) => (await import("./simple-command.ts")).accessOfLine(command),
      changes: async ({ command, folder }) => (await import("./simple-command.ts")).changedPaths(command, folder),
      command: async ({ command, folder }) => (await import("./simple-command.ts")).simpleCommand(command, folder),
      labels: async (input) =>
        (await import("./simple-command.ts")).isHarmlessCommand(input, operations.places) ? ["harmless"] : [],
      hooks: [commandRisk(["bash"], operations.places), networkApproval(["bash"])],
    },
    (input, context) => run(operations, { ...input, shell: "bash" }, context),
  );

/** Unlike bash, it has no `command`, so an approval can be remembered only for the exact call. */
export const powershell = (operations: OperationsFor): Tool =>
  defineTool(
    {
      ...COMMAND_MANIFEST,
      tags: [...COMMAND_MANIFEST.tags],
      name: "powershell",
      description: "Run a PowerShell command. It has no standard input and is stopped at its time limit.",
      toolset: "powershell",
      needs_parts: ["powershell"],
      prompt_hint: "Profiles are not loaded. A cmdlet that fails ends the command.",
      examples: [{ arguments: { command: "Get-ChildItem src" }, result: "app.ts\n\nexit code 0" }],
      check: ({ folder }, context) => (folder === undefined ? null : checkFolder(operations(context), folder)),
      access: async ({ command }) => (await powershellClassifier())(command, {}).access,
      hooks: [commandRisk(["powershell"], operations.places, powershellClassifier), networkApproval(["powershell"])],
    },
    (input, context) => run(operations, { ...input, shell: "powershell" }, context),
  );

/** PowerShell starts without profiles, because their code would run without having been judged. */
function lineOf(shell: Shell, command: string): string {
  if (shell === "bash") return command;
  const script = `$ErrorActionPreference = 'Stop'; ${command}`;
  return `pwsh -NoLogo -NoProfile -NonInteractive -OutputFormat Text -Command '${script.replaceAll("'", "'\\''")}'`;
}

async function checkFolder(operations: Operations, folder: string): Promise<Failed | null> {
  const found = await operations.files.stat(folder);
  if (!found.ok) return found;
  return found.value.kind === "file" ? fail("not_a_folder", `${JSON.stringify(folder)} is a file.`) : null;
}

async function* run(
  operations: OperationsFor,
  { command, folder, timeout_s = COMMAND_SECONDS, network = false, shell }: z.infer<typeof Input> & { shell: Shell },
  context: ToolContext,
): AsyncGenerator<Chunk, string | Failed | Outcome<Failed>> {
  const { process } = operations(context);
  if (!process) return fail("process_unavailable", "This host cannot run commands.");
  // The hook has already denied a blocked command. This check stops it even if the hook is missing.
  const classify = await (shell === "bash" ? bashClassifier : powershellClassifier)();
  const risk = classify(command, classifyOptions(operations.places, folder));
  if (risk.verdict === "block") return fail("tool_denied", "This command never runs.");
  const isOffline = process.sandboxed === true && !network;
  const output = createChannel<OutputChunk>();
  const ended = process
    .run({
      command: lineOf(shell, command),
      ...(folder ? { folder } : {}),
      network,
      timeout_ms: timeout_s * 1_000,
      signal: context.signal,
      onOutput: output.send,
    })
    .finally(output.close);
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let newest = "";
  let first = "";
  let lacksNetwork = false;
  for await (const { stream, bytes } of output.received) {
    const text = decoders[stream].decode(bytes, { stream: true });
    if (text === "") continue;
    if (first === "") first = text;
    newest = newest.slice(-NETWORK_ERROR_CHARS) + text;
    lacksNetwork ||= isOffline && NETWORK_ERROR.test(newest);
    yield text;
  }
  const rest = decoders.stdout.decode() + decoders.stderr.decode();
  if (rest !== "") yield rest;
  const didStart = !(process.sandboxed === true && SANDBOX_FAILED.test(first));
  const harmless = risk.verdict === "allow";
  const report = shell === "bash" ? await withoutSigpipe(await ended, command) : await ended;
  const result = resultOf(report, timeout_s, harmless, lacksNetwork);
  return typeof result !== "string" && risk.access !== "write" && didStart && ranToItsEnd(report)
    ? outcome(result, { observed: true })
    : result;
}

/** What bubblewrap prints if it cannot set up the sandbox. The command has then not run. */
const SANDBOX_FAILED = /^bwrap: /;

/** The exit codes of a shell that cannot find or run the command. */
const NOT_RUN_CODES: readonly number[] = [126, 127];

/** True if the program ran to completion. Its output is then an observation, even if it failed. */
const ranToItsEnd = (report: Result<ProcessReport>): boolean =>
  report.ok && report.value.end.kind === "exited" && !NOT_RUN_CODES.includes(report.value.end.code);

/** The exit code of a process that wrote to a pipe whose reader has exited. */
const SIGPIPE_CODE = 141;

/** Treats SIGPIPE in a pipe such as `git log | head` as success, because the last stage has read enough. */
async function withoutSigpipe(report: Result<ProcessReport>, command: string): Promise<Result<ProcessReport>> {
  const stopped = report.ok && report.value.end.kind === "exited" && report.value.end.code === SIGPIPE_CODE;
  if (!stopped || !(await import("./simple-command.ts")).isPipe(command)) return report;
  return ok({ ...report.value, end: { kind: "exited", code: 0 } });
}

const OFFLINE_NOTICE = "It ran without network; set network if it needs one.";
/** Messages of common programs for a name that cannot be resolved or a host that cannot be reached. */
const NETWORK_ERROR =
  /resolve host|name resolution|name or service not known|unknown host|no such host|getaddrinfo|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ECONNREFUSED|network is unreachable|no route to host|connection refused|(?:could not|couldn't|failed to|unable to) connect/i;
/** Characters kept of earlier chunks, to find a message that is split over two. Longer than any of the messages. */
const NETWORK_ERROR_CHARS = 40;

/** A nonzero exit code is a refusal. An interruption has an unknown outcome unless the command can simply run again. */
function resultOf(
  report: Result<ProcessReport>,
  seconds: number,
  harmless: boolean,
  lacksNetwork: boolean,
): string | Failed {
  if (!report.ok) return report;
  const { end } = report.value;
  const survivors = describeSurvivors(report.value);
  if (end.kind === "exited" && end.code === 0) return withNotes("exit code 0", survivors);
  const isConclusive = end.kind === "exited" || harmless;
  return fail(
    isConclusive ? "tool_refused" : "outcome_unknown",
    withNotes(describeEnd(end, seconds), [...survivors, ...(lacksNetwork ? [OFFLINE_NOTICE] : [])]),
  );
}

const withNotes = (end: string, notes: readonly string[]): string =>
  notes.length === 0 ? end : `${end}. ${notes.join(" ")}`;

function describeSurvivors({ survivors, unaccounted = 0 }: ProcessReport): string[] {
  const processes = unaccounted === 1 ? "1 process" : `${unaccounted} processes`;
  return [
    ...(survivors > 0 ? [`${survivors} of its processes could not be ended.`] : []),
    ...(unaccounted > 0
      ? [`${processes} without a parent started meanwhile; whether the command started it cannot be known.`]
      : []),
  ];
}

function describeEnd(end: ProcessExit, seconds: number): string {
  switch (end.kind) {
    case "exited":
      return `exit code ${end.code}`;
    case "killed":
      return `killed by ${end.signal}`;
    case "timeout":
      return `stopped after ${seconds} s, its time limit`;
    case "aborted":
      return "stopped because the call was aborted";
  }
}
