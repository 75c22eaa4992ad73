// The terminal: which commands there are, what they take, how they end. What they do is in their files.
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { VERSION } from "../version.ts";
import { setBackgroundRun } from "./background-run.ts";
import { chat } from "./chat.ts";
import { doctor } from "./doctor.ts";
import { exportThread, importThread, verifyFile } from "./export-import.ts";
import { link } from "./link.ts";
import { serveInProcess } from "./local-server.ts";
import { EXIT_OK, EXIT_PROBLEM, EXIT_USAGE, type ExitCode, printError } from "./output.ts";
import { show } from "./show.ts";
import { listThreads } from "./threads.ts";

const STATES = ["plan", "execute", "confirm", "deliver", "rest", "failed"];
const EXAMPLES = `
Examples:
  pawl chat                                      a server of its own in this folder, and a question
  pawl chat --goal "Move the essay outline to Thursday of week 2"
  pawl chat --url http://127.0.0.1:8787 --thread thr_…   go on where a thread waits
  pawl serve                                     the server; PORT, HOST and PAWL_DATA say where
  pawl threads --state confirm --json            for scripts
  pawl export thr_… -o thread.jsonl && pawl verify thread.jsonl
  PAWL_URL=https://pawl.example.com pawl import thread.jsonl

Without --url or PAWL_URL a command starts a server of its own on the data of this folder and ends it again.
Ends with 0 when all is well, 1 with a problem, 2 when the command was not understood.`;

const program = new Command("pawl")
  .description("Pawl in the terminal: every turn is durable, so leave and come back whenever you like.")
  .version(VERSION)
  .exitOverride()
  .showHelpAfterError("Try --help.")
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
    .option("--url <address>", "a server elsewhere (or PAWL_URL)")
    .option("--key <key>", "a key for it (better in PAWL_KEY, where no list of processes shows it)");
const withJsonOption = (base: Command): Command => base.option("--json", "for scripts");

function wholeNumber(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 200)
    throw new InvalidArgumentError("A whole number from 1 to 200.");
  return Number(text);
}

command("serve", "start the server")
  .addOption(new Option("--while-input", "end when standard input does").hideHelp())
  .action(async ({ whileInput = false }: { whileInput?: boolean }) => serveInProcess(whileInput));
withServerOptions(command("chat", "ask, watch, approve"))
  .option("--goal <text>", "what is to be done")
  .option("--thread <id>", "go on with a thread that is there")
  .option("--agent <name>", "who does it")
  .option("--direct", "without a plan")
  .action(withExitCode(chat));
withJsonOption(withServerOptions(command("threads", "list the threads, newest first")))
  .addOption(new Option("--state <state>", "only those").choices(STATES))
  .option("--limit <n>", "at most so many (50)", wholeNumber)
  .action(withExitCode(listThreads));
withJsonOption(withServerOptions(command("show", "show a thread: plan, turns, receipts")))
  .argument("<thread>")
  .action(withExitCode(show));
for (const [verb, description] of [
  ["run", "let workers advance a thread; also revives one that was given up"],
  ["pause", "let a background run wait after its turn in flight"],
  ["resume", "let it go on"],
] as const)
  withJsonOption(withServerOptions(command(verb, description)))
    .argument("<thread>")
    .action(withExitCode((thread: string, options) => setBackgroundRun(verb, thread, options)));
withServerOptions(command("link", "print a link that opens the console of a server, once")).action(withExitCode(link));
withJsonOption(withServerOptions(command("doctor", "say what is wrong and what to do"))).action(withExitCode(doctor));
withJsonOption(withServerOptions(command("export", "write a thread to a file that shows every change")))
  .argument("<thread>")
  .option("-o, --output <file>", "where to; standard output unless said")
  .action(withExitCode(exportThread));
withJsonOption(withServerOptions(command("import", "bring a thread in, under the id it had")))
  .argument("<file>")
  .action(withExitCode(importThread));
withJsonOption(command("verify", "check an exported file, offline"))
  .argument("<file>")
  .action(withExitCode(verifyFile));

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
