// The command line interface: commands, options and exit codes. Each command is implemented in its own file.
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { VERSION } from "../version.ts";
import { setBackgroundRun } from "./background-run.ts";
import { connectCalendar, importCalendar, showCalendar } from "./calendar.ts";
import { chat } from "./chat.ts";
import { doctor } from "./doctor.ts";
import { diffEvals, listEvals, reportEval, runEvals } from "./eval/eval.ts";
import { exportThread, importThread, verifyFile } from "./export-import.ts";
import { link } from "./link.ts";
import { serveInProcess } from "./local-server.ts";
import { EXIT_OK, EXIT_PROBLEM, EXIT_USAGE, type ExitCode, printError } from "./output.ts";
import { show } from "./show.ts";
import { listThreads } from "./threads.ts";
import { checkWorkflow, listSteps, runWorkflow, showWorkflow } from "./workflow.ts";

const STATES = ["plan", "execute", "confirm", "deliver", "rest", "failed"];
const EXAMPLES = `
Examples:
  pawl chat                                      start a local server in this folder and enter a goal
  pawl chat --goal "Move the essay outline to Thursday of week 2"
  pawl chat --url http://127.0.0.1:8787 --thread thr_…   continue a waiting thread
  pawl serve                                     start the server; configure it with PORT, HOST and PAWL_DATA
  pawl threads --state confirm --json            print JSON for scripts
  pawl export thr_… -o thread.jsonl && pawl verify thread.jsonl
  PAWL_URL=https://pawl.example.com pawl import thread.jsonl

Without --url or PAWL_URL a command starts a local server on the data in this folder and stops it afterwards.
Exit codes: 0 success, 1 problem, 2 invalid usage.`;

const program = new Command("pawl")
  .description("Pawl in the terminal. Every turn is durable, so you can leave and come back at any time.")
  .version(VERSION)
  .exitOverride()
  .showHelpAfterError("Run with --help for usage.")
  .addHelpText("after", EXAMPLES);

let exitCode: ExitCode = EXIT_OK;
const withExitCode =
  <A extends unknown[]>(run: (...args: A) => Promise<ExitCode>) =>
  async (...args: A): Promise<void> => {
    exitCode = await run(...args);
  };

const command = (name: string, description: string): Command => program.command(name).description(description);
const withServerOptions = (base: Command): Command =>
  base
    .option("--url <address>", "URL of the server to use (or PAWL_URL)")
    .option("--key <key>", "API key for the server (prefer PAWL_KEY, which process lists do not show)");
const withJsonOption = (base: Command): Command => base.option("--json", "print JSON");

function wholeNumber(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 200)
    throw new InvalidArgumentError("Expected a whole number from 1 to 200.");
  return Number(text);
}

command("serve", "start the server")
  .addOption(new Option("--while-input", "exit when standard input ends").hideHelp())
  .action(async ({ whileInput = false }: { whileInput?: boolean }) => serveInProcess(whileInput));
withServerOptions(command("chat", "start a run, watch it and approve its calls"))
  .option("--goal <text>", "goal of the run")
  .option("--thread <id>", "continue an existing thread")
  .option("--agent <name>", "agent to use")
  .option("--direct", "run without a plan")
  .action(withExitCode(chat));
withJsonOption(withServerOptions(command("threads", "list the threads, newest first")))
  .addOption(new Option("--state <state>", "only threads in this state").choices(STATES))
  .option("--limit <n>", "maximum number of threads (default: 50)", wholeNumber)
  .action(withExitCode(listThreads));
withJsonOption(withServerOptions(command("show", "show a thread with its plan, turns and receipts")))
  .argument("<thread>")
  .action(withExitCode(show));
for (const [verb, description] of [
  ["run", "run a thread in the background; also retries a run that was abandoned"],
  ["pause", "pause a background run after its current turn"],
  ["resume", "resume a paused background run"],
] as const)
  withJsonOption(withServerOptions(command(verb, description)))
    .argument("<thread>")
    .action(withExitCode((thread: string, options) => setBackgroundRun(verb, thread, options)));
withServerOptions(command("link", "print a one-time link that opens a server's console")).action(withExitCode(link));
withJsonOption(withServerOptions(command("doctor", "check the installation and say how to fix problems"))).action(
  withExitCode(doctor),
);
withJsonOption(withServerOptions(command("export", "export a thread to a tamper-evident file")))
  .argument("<thread>")
  .option("-o, --output <file>", "output file (default: standard output)")
  .action(withExitCode(exportThread));
withJsonOption(withServerOptions(command("import", "import an exported thread under its original id")))
  .argument("<file>")
  .action(withExitCode(importThread));
withJsonOption(command("verify", "verify an exported file offline"))
  .argument("<file>")
  .action(withExitCode(verifyFile));

const calendar = command("calendar", "show and fill calendars");
const calendarCommand = (name: string, description: string): Command =>
  withJsonOption(withServerOptions(calendar.command(name).description(description))).option(
    "--calendar <id>",
    "id or name of the calendar (default: the default calendar)",
  );
calendarCommand("show", "list the events of a week, or of a range")
  .option("--from <time>", "a date or local time (default: now)")
  .option("--to <time>", "a date, which is included, or a local time")
  .action(withExitCode(showCalendar));
calendarCommand("import", "replace the content of a calendar by an iCalendar file, and print the report")
  .argument("<file>")
  .action(withExitCode(importCalendar));
calendarCommand("connect", "connect an empty calendar to an account of the configuration, or subscribe it")
  .argument("[account]")
  .option("--collection <name>", "which calendar of the account (default: the first)")
  .option("--subscribe <address>", "address of an iCalendar file, read only")
  .action(withExitCode(connectCalendar));

const workflow = command("workflow", "check and run workflow files");
const workflowCommand = (name: string, description: string): Command =>
  withJsonOption(workflow.command(name).description(description));
workflowCommand("check", "check a workflow file and print all mistakes")
  .argument("<file>")
  .action(withExitCode(checkWorkflow));
withServerOptions(workflowCommand("run", "run a workflow file until it ends or waits for a person"))
  .argument("<file>")
  .requiredOption("--prompt <text>", "task of the workflow")
  .option("--steps <n>", "maximum number of steps", wholeNumber)
  .action(withExitCode(runWorkflow));
withServerOptions(workflowCommand("steps", "list the steps of a thread"))
  .argument("<thread>")
  .action(withExitCode(listSteps));
withServerOptions(workflowCommand("show", "print a stored workflow"))
  .argument("<name>")
  .action(withExitCode(showWorkflow));

const evals = command("eval", "run evaluation tasks and compare their results");
const evalCommand = (name: string, description: string): Command =>
  withJsonOption(evals.command(name).description(description)).option(
    "--results <file>",
    "file with the results, one JSON line per run",
    "evals.jsonl",
  );
withServerOptions(evalCommand("run", "run task files; fails below their threshold"))
  .argument("<task...>")
  .action(withExitCode(runEvals));
evalCommand("list", "list all runs").action(withExitCode(listEvals));
evalCommand("report", "show one run, or the newest of a task").argument("<run>").action(withExitCode(reportEval));
evalCommand("diff", "compare two runs; fails if the second is worse")
  .argument("<before>")
  .argument("<after>")
  .action(withExitCode(diffEvals));

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) exitCode = error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
  else {
    printError(error instanceof Error ? (error.stack ?? error.message) : String(error));
    exitCode = EXIT_PROBLEM;
  }
}
process.exitCode = exitCode;
