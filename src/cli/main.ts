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
import { helpTexts } from "./messages/help-messages.ts";
import { EXIT_OK, EXIT_PROBLEM, EXIT_USAGE, type ExitCode, printError } from "./output.ts";
import { show } from "./show.ts";
import { listThreads } from "./threads.ts";
import { checkWorkflow, listSteps, runWorkflow, showWorkflow } from "./workflow.ts";

const STATES = ["plan", "execute", "confirm", "deliver", "rest", "failed"];
const h = helpTexts();
type CommandName = Exclude<keyof typeof h.commands, `${string} ${string}`>;

const program = new Command("pawl")
  .description(h.about)
  .version(VERSION, "-V, --version", h.version)
  .exitOverride()
  .showHelpAfterError(h.seeHelp)
  .configureHelp({ styleTitle: (title) => h.titles[title] ?? title })
  .helpOption("-h, --help", h.help)
  .helpCommand("help [command]", h.help)
  .addHelpText("after", h.examples);

let exitCode: ExitCode = EXIT_OK;
const withExitCode =
  <A extends unknown[]>(run: (...args: A) => Promise<ExitCode>) =>
  async (...args: A): Promise<void> => {
    exitCode = await run(...args);
  };

/** Subcommands inherit neither the texts of the help option nor the titles. */
const describe = (created: Command, name: keyof typeof h.commands): Command =>
  created.description(h.commands[name]).helpOption("-h, --help", h.help).configureHelp(program.configureHelp());
const command = (name: CommandName): Command => describe(program.command(name), name);
const withServerOptions = (base: Command): Command =>
  base.option("--url <address>", h.options.url).option("--key <key>", h.options.key);
const withJsonOption = (base: Command): Command => base.option("--json", h.options.json);

function wholeNumber(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 200) throw new InvalidArgumentError(h.wholeNumber);
  return Number(text);
}

command("serve")
  .addOption(new Option("--while-input", "").hideHelp())
  .action(async ({ whileInput = false }: { whileInput?: boolean }) => serveInProcess(whileInput));
withServerOptions(command("chat"))
  .option("--goal <text>", h.options.goal)
  .option("--thread <id>", h.options.thread)
  .option("--agent <name>", h.options.agent)
  .option("--direct", h.options.direct)
  .action(withExitCode(chat));
withJsonOption(withServerOptions(command("threads")))
  .addOption(new Option("--state <state>", h.options.state).choices(STATES))
  .option("--limit <n>", h.options.limit, wholeNumber)
  .action(withExitCode(listThreads));
withJsonOption(withServerOptions(command("show")))
  .argument("<thread>")
  .action(withExitCode(show));
for (const verb of ["run", "pause", "resume"] as const)
  withJsonOption(withServerOptions(command(verb)))
    .argument("<thread>")
    .action(withExitCode((thread: string, options) => setBackgroundRun(verb, thread, options)));
withServerOptions(command("link")).action(withExitCode(link));
withJsonOption(withServerOptions(command("doctor"))).action(withExitCode(doctor));
withJsonOption(withServerOptions(command("export")))
  .argument("<thread>")
  .option("-o, --output <file>", h.options.output)
  .action(withExitCode(exportThread));
withJsonOption(withServerOptions(command("import")))
  .argument("<file>")
  .action(withExitCode(importThread));
withJsonOption(command("verify")).argument("<file>").action(withExitCode(verifyFile));

const calendar = command("calendar");
const calendarCommand = (name: "show" | "import" | "connect"): Command =>
  withJsonOption(withServerOptions(describe(calendar.command(name), `calendar ${name}`))).option(
    "--calendar <id>",
    h.options.calendar,
  );
calendarCommand("show")
  .option("--from <time>", h.options.from)
  .option("--to <time>", h.options.to)
  .action(withExitCode(showCalendar));
calendarCommand("import").argument("<file>").action(withExitCode(importCalendar));
calendarCommand("connect")
  .argument("[account]")
  .option("--collection <name>", h.options.collection)
  .option("--subscribe <address>", h.options.subscribe)
  .action(withExitCode(connectCalendar));

const workflow = command("workflow");
const workflowCommand = (name: "check" | "run" | "steps" | "show"): Command =>
  withJsonOption(describe(workflow.command(name), `workflow ${name}`));
workflowCommand("check").argument("<file>").action(withExitCode(checkWorkflow));
withServerOptions(workflowCommand("run"))
  .argument("<file>")
  .requiredOption("--prompt <text>", h.options.prompt)
  .option("--steps <n>", h.options.steps, wholeNumber)
  .action(withExitCode(runWorkflow));
withServerOptions(workflowCommand("steps")).argument("<thread>").action(withExitCode(listSteps));
withServerOptions(workflowCommand("show")).argument("<name>").action(withExitCode(showWorkflow));

const evals = command("eval");
const evalCommand = (name: "run" | "list" | "report" | "diff"): Command =>
  withJsonOption(describe(evals.command(name), `eval ${name}`)).option(
    "--results <file>",
    h.options.results,
    "evals.jsonl",
  );
withServerOptions(evalCommand("run")).argument("<task...>").action(withExitCode(runEvals));
evalCommand("list").action(withExitCode(listEvals));
evalCommand("report").argument("<run>").action(withExitCode(reportEval));
evalCommand("diff").argument("<before>").argument("<after>").action(withExitCode(diffEvals));

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
