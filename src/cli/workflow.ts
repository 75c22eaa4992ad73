// Implements `pawl workflow check|run|steps|show`, for workflow files and the threads that run them.

import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { stringify } from "yaml";
import type { Client, RunResponse } from "../client/client.ts";
import type { Problem, Result } from "../schema/problem.ts";
import type { Workflow, WorkflowError } from "../workflow/definition.ts";
import { type ParsedWorkflow, parseWorkflow } from "../workflow/parse.ts";
import { type Connection, type ServerOptions, withConnection } from "./connect.ts";
import {
  colorize,
  EXIT_OK,
  EXIT_PROBLEM,
  type ExitCode,
  escapeControl,
  indent,
  type JsonOption,
  messageOf,
  printError,
  printJson,
  printLine,
  printProblem,
  printResult,
  terminalLine,
} from "./output.ts";
import { sendText } from "./send-text.ts";

type Step = {
  readonly step: string;
  readonly n: number;
  readonly role: string;
  readonly status: string;
  readonly text: string;
  readonly output: Readonly<Record<string, unknown>>;
};

/** Checks a file offline with the same checks as the server. The file may include only files within its own folder. */
export async function checkWorkflow(path: string, { json }: JsonOption): Promise<ExitCode> {
  const parsed = readWorkflowFile(path);
  if (json) printJson(parsed.ok ? { ok: true, ...parsed.value } : { ok: false, problem: parsed.problem });
  else if (parsed.ok) {
    for (const warning of parsed.value.warnings) printError(`warning: ${escapeControl(warning)}`);
    const { name, roles } = parsed.value.workflow;
    printLine(
      `${colorize("green", "valid")}  ${escapeControl(name)}: ${Object.keys(roles).map(escapeControl).join(", ")}`,
    );
  } else printErrors(parsed.problem);
  return parsed.ok ? EXIT_OK : EXIT_PROBLEM;
}

function printErrors(problem: Problem): void {
  const errors = (problem.details?.errors ?? []) as readonly WorkflowError[];
  if (errors.length === 0) printProblem(problem);
  for (const { path, what, legal } of errors)
    printError(escapeControl(`${path}: ${what}${legal?.length ? ` (accepted: ${legal.join(", ")})` : ""}`));
  if (errors.length > 0) printError(`${errors.length} ${errors.length === 1 ? "mistake" : "mistakes"}`);
}

export type RunOptions = ServerOptions & JsonOption & { readonly prompt: string; readonly steps?: number };

/** Stores the workflow, starts a thread, and advances it step by step until it ends or waits for the user. */
export async function runWorkflow(path: string, options: RunOptions): Promise<ExitCode> {
  const parsed = readWorkflowFile(path);
  if (!parsed.ok) return reportErrors(parsed.problem);
  return withConnection(options, async (connection) => {
    const thread = await startThread(connection, parsed.value.workflow, options.prompt);
    if (!thread.ok) return reportErrors(thread.problem);
    const ran = await runSteps(connection.client, thread.value, options);
    if (!ran.ok) return reportErrors(ran.problem);
    if (options.json) printJson(ran.value);
    else printOutcome(ran.value, options);
    return ran.value.problem || ran.value.thread.state === "failed" ? EXIT_PROBLEM : EXIT_OK;
  });
}

async function startThread(connection: Connection, workflow: Workflow, prompt: string): Promise<Result<string>> {
  const text = { type: "application/yaml", body: stringify(workflow) };
  const stored = await sendText(connection, ["POST", "/v1/workflows"], text);
  if (!stored.ok) return stored;
  const { hash } = (await stored.value.json()) as { hash: string };
  const { client } = connection;
  const created = await client.create({ workflow: hash, prompt });
  return created.ok ? { ok: true, value: created.value.thread.id } : created;
}

async function runSteps(client: Client, thread: string, { steps, json }: RunOptions): Promise<Result<RunResponse>> {
  let printed = 0;
  for (let done = 1; ; done++) {
    const ran = await client.call<RunResponse>("POST", `/v1/threads/${thread}/turns?until=step`, {});
    if (!ran.ok) return ran;
    const { workflow } = ran.value.thread;
    for (const step of workflow?.steps ?? []) {
      if (step.n > printed && !json) printLine(`${step.n}. ${escapeControl(step.role)}: ${escapeControl(step.status)}`);
      printed = Math.max(printed, step.n);
    }
    if (ran.value.next !== "advance" || ran.value.problem || done >= (steps ?? Number.POSITIVE_INFINITY)) return ran;
  }
}

function printOutcome({ thread, problem, turns }: RunResponse, { url }: ServerOptions): void {
  const { workflow } = thread;
  const last = turns.at(-1)?.speak;
  if (last) printLine(`\n${indent(escapeControl(last))}`);
  if (problem) printProblem(problem);
  printLine(
    `\n${thread.id}  ${workflow?.status ?? ""}${workflow?.current_role ? `, next: ${escapeControl(workflow.current_role)}` : ""}`,
  );
  if (workflow?.suspend_message)
    printLine(`${escapeControl(workflow.suspended_role ?? "")}: ${escapeControl(workflow.suspend_message)}`);
  else if (thread.gate) printLine(escapeControl(thread.gate.text));
  if (thread.gate) printLine(`pawl chat --thread ${thread.id}${url ? ` --url ${url}` : ""}`);
}

export const listSteps = (thread: string, options: ServerOptions & JsonOption): Promise<ExitCode> =>
  withConnection(options, async ({ client }) => {
    const steps: Step[] = [];
    for (let before: string | null = ""; before !== null; ) {
      const path: string = `/v1/threads/${encodeURIComponent(thread)}/steps?limit=200${before && `&before=${before}`}`;
      const page = await client.call<{ steps: Step[]; before: string | null }>("GET", path);
      if (!page.ok) return reportErrors(page.problem);
      steps.push(...page.value.steps);
      before = page.value.before;
    }
    if (options.json) printJson({ steps: steps.toReversed() });
    else
      for (const { n, role, status, text, step } of steps.toReversed())
        printLine(
          `${n}. ${escapeControl(role)}: ${escapeControl(status)}  ${colorize("dim", step.slice(0, 12))}  ${terminalLine(text, 60)}`,
        );
    return EXIT_OK;
  });

export const showWorkflow = (name: string, options: ServerOptions & JsonOption): Promise<ExitCode> =>
  withConnection(options, async ({ client }) => {
    const path = `/v1/workflows/${encodeURIComponent(name)}`;
    const shown = await client.call<{ hash: string; workflow: Workflow }>("GET", path);
    return printResult(shown, options, ({ workflow }) => printLine(stringify(workflow).trimEnd()));
  });

function reportErrors(problem: Problem): ExitCode {
  printErrors(problem);
  return EXIT_PROBLEM;
}

const FOLDER = ".workflows";
const EXTENSIONS = [".yaml", ".yml"];

/**
 * Finds and reads the workflow file that a command names, either by its path or by its name in a `.workflows` folder.
 */
export function readWorkflowFile(named: string, from: string = process.cwd()): Result<ParsedWorkflow> {
  const path = isFile(resolve(from, named)) ? resolve(from, named) : (findByName(named, resolve(from)) ?? named);
  const text = readText(path);
  const include = (name: string): Result<string> => readText(join(dirname(path), name));
  return text.ok ? parseWorkflow(text.value, { stem: stemOf(path), include }) : text;
}

/** Searches the `.workflows` folders from `from` up to the root of the repository. The nearest folder wins. */
function findByName(name: string, from: string): string | null {
  if (!/^[\w-][\w.-]*$/.test(name)) return null;
  for (let folder = from; ; folder = dirname(folder)) {
    const names = EXTENSIONS.flatMap((extension) => [`${name}${extension}`, join(name, `index${extension}`)]);
    const found = names.map((one) => join(folder, FOLDER, one)).find(isFile);
    if (found) return found;
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return null;
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** An index file has the name of its folder. */
function stemOf(path: string): string {
  const stem = basename(path, extname(path));
  return stem === "index" ? basename(dirname(path)) : stem;
}

function readText(path: string): Result<string> {
  try {
    return { ok: true, value: readFileSync(path, "utf8") };
  } catch (error) {
    const message = `${path} cannot be read: ${messageOf(error)}`;
    const hint = `Check the path; a name is looked up in ${FOLDER} here and above.`;
    return { ok: false, problem: { code: "file_not_found", message, hint, retry: "after-fix", status: 404 } };
  }
}
