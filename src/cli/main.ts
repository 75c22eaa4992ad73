// Defines the command line interface: commands, options and exit codes. Each command is implemented in its own file.
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { VERSION } from "../version.ts";
import { helpTexts } from "./messages/help-messages.ts";
import { EXIT_OK, EXIT_PROBLEM, EXIT_USAGE, type ExitCode, printError } from "./output.ts";

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
/** Loads a command only when it runs, because the help and the other commands do not need it. */
const running =
  <A extends unknown[]>(load: () => Promise<(...args: A) => Promise<ExitCode>>) =>
  async (...args: A): Promise<void> => {
    const run = await load();
    exitCode = await run(...args);
  };

/** Subcommands inherit neither the text of the help option nor the titles. */
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

function portNumber(text: string): string {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError(h.portNumber);
  return text;
}

type ServeOptions = { readonly whileInput?: boolean; readonly port?: string; readonly host?: string };
command("serve")
  .addOption(new Option("--while-input", "").hideHelp())
  .option("--port <port>", h.options.servePort, portNumber)
  .option("--host <address>", h.options.serveHost)
  .addHelpText("after", h.serveVariables)
  .action(async ({ whileInput = false, port, host }: ServeOptions) => {
    if (port !== undefined) process.env.PORT = port;
    if (host !== undefined) process.env.HOST = host;
    const { serveInProcess } = await import("./local-server.ts");
    await serveInProcess(whileInput);
  });
withServerOptions(command("chat"))
  .option("--goal <text>", h.options.goal)
  .option("--thread <id>", h.options.thread)
  .option("--agent <name>", h.options.agent)
  .option("--direct", h.options.direct)
  .action(running(async () => (await import("./chat.ts")).chat));
withJsonOption(withServerOptions(command("threads")))
  .addOption(new Option("--state <state>", h.options.state).choices(STATES))
  .option("--limit <n>", h.options.limit, wholeNumber)
  .action(running(async () => (await import("./threads.ts")).listThreads));
withJsonOption(withServerOptions(command("show")))
  .argument("<thread>")
  .action(running(async () => (await import("./show.ts")).show));
for (const verb of ["run", "pause", "resume"] as const)
  withJsonOption(withServerOptions(command(verb)))
    .argument("<thread>")
    .action(
      running(async () => {
        const { setBackgroundRun } = await import("./background-run.ts");
        return (thread: string, options) => setBackgroundRun(verb, thread, options);
      }),
    );
withServerOptions(command("link")).action(running(async () => (await import("./link.ts")).link));
withJsonOption(withServerOptions(command("doctor"))).action(running(async () => (await import("./doctor.ts")).doctor));
withJsonOption(withServerOptions(command("export")))
  .argument("<thread>")
  .option("-o, --output <file>", h.options.output)
  .action(running(async () => (await import("./export-import.ts")).exportThread));
withJsonOption(withServerOptions(command("import")))
  .argument("<file>")
  .action(running(async () => (await import("./export-import.ts")).importThread));
withJsonOption(command("verify"))
  .argument("<file>")
  .action(running(async () => (await import("./export-import.ts")).verifyFile));

const calendar = command("calendar");
const calendarCommand = (name: "show" | "import" | "connect"): Command =>
  withJsonOption(withServerOptions(describe(calendar.command(name), `calendar ${name}`))).option(
    "--calendar <id>",
    h.options.calendar,
  );
calendarCommand("show")
  .option("--from <time>", h.options.from)
  .option("--to <time>", h.options.to)
  .action(running(async () => (await import("./calendar.ts")).showCalendar));
calendarCommand("import")
  .argument("<file>")
  .action(running(async () => (await import("./calendar.ts")).importCalendar));
calendarCommand("connect")
  .argument("[account]")
  .option("--collection <name>", h.options.collection)
  .option("--subscribe <address>", h.options.subscribe)
  .action(running(async () => (await import("./calendar.ts")).connectCalendar));

const mcp = command("mcp");
const mcpCommand = (name: "login" | "logout"): Command =>
  describe(mcp.command(name), `mcp ${name}`).argument("<server>");
mcpCommand("login")
  .option("--port <port>", h.options.port, portNumber)
  .option("--scope <scopes>", h.options.scope)
  .action(running(async () => (await import("./local-server.ts")).login));
mcpCommand("logout").action(running(async () => (await import("./local-server.ts")).logout));

const workflow = command("workflow");
const workflowCommand = (name: "check" | "run" | "steps" | "show"): Command =>
  withJsonOption(describe(workflow.command(name), `workflow ${name}`));
workflowCommand("check")
  .argument("<file>")
  .action(running(async () => (await import("./workflow.ts")).checkWorkflow));
withServerOptions(workflowCommand("run"))
  .argument("<file>")
  .requiredOption("--prompt <text>", h.options.prompt)
  .option("--steps <n>", h.options.steps, wholeNumber)
  .action(running(async () => (await import("./workflow.ts")).runWorkflow));
withServerOptions(workflowCommand("steps"))
  .argument("<thread>")
  .action(running(async () => (await import("./workflow.ts")).listSteps));
withServerOptions(workflowCommand("show"))
  .argument("<name>")
  .action(running(async () => (await import("./workflow.ts")).showWorkflow));

const evals = command("eval");
const evalCommand = (name: "run" | "list" | "report" | "diff"): Command =>
  withJsonOption(describe(evals.command(name), `eval ${name}`)).option(
    "--results <file>",
    h.options.results,
    "evals.jsonl",
  );
withServerOptions(evalCommand("run"))
  .argument("<task...>")
  .action(running(async () => (await import("./eval/eval.ts")).runEvals));
evalCommand("list").action(running(async () => (await import("./eval/eval.ts")).listEvals));
evalCommand("report")
  .argument("<run>")
  .action(running(async () => (await import("./eval/eval.ts")).reportEval));
evalCommand("diff")
  .argument("<before>")
  .argument("<after>")
  .action(running(async () => (await import("./eval/eval.ts")).diffEvals));

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
