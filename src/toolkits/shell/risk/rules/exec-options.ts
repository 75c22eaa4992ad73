// Judges options that make a harmless program run a command, load code or publish. Most are recognized by name,
// whatever the program.
import { type Arg, NONE, type RiskContext, type Rule, type RuleTable, type SimpleCommand, wordSet } from "../model.ts";
import { afterOptions, anyWord, readOptions, wordAt, wordsOf } from "../parse/options.ts";
import { isTemporary } from "../parse/paths.ts";
import type { RiskCode } from "../reasons.ts";
import { always } from "./conditions.ts";
import { scriptRisks } from "./scripts.ts";

// Options whose value is run as a command, whatever the program, such as --exec, --onSuccess, --build.cmd and
// --post-run-command.
const PROGRAM_OPTION =
  /^--?(?:[\w.-]*[.-])?(?:exec|cmd|preview|bind|(?:post-?run|raw|test)-?command|wrapper)(?:=|$)|^--on-?(?:success|failure|change)(?:=|$)/i;
const CODE_OPTION =
  /^(?:-[crpP]|--?(?:[\w-]*-)?(?:config|plugins?|plugin-dir|require|import|loader|rulesdir|(?:global-?)?setup|app-dir|rootdir|processorpath|fplugin))(?:=(.*))?$/i;
const INSTALLS_EXTENSION = /^--(?:un)?install-extension(?:=|$)/;
const PUBLISHES = /^(?:publish|unpublish|deploy|undeploy|upload|release)$/;
// Verbs that expose the machine, or one of its folders, to others.
const EXPOSES = /^(?:tunnel|serve-web|expose|share|funnel)$/;
const FOREIGN = /^(?:https?:|git\+|git@|ssh:|(?:gh|gl|bb|github|gitlab):)/;

// Programs that run the files they are given, as an interpreter does.
const RUNNERS = wordSet(
  "pytest py.test bats mocha jest vitest ava tap tape jasmine uvu busted prove rspec shellspec electron kernprof scalene memray dlv",
);
// Programs that download and run code from the given URL.
const RUNS_FROM_URL = wordSet("cookiecutter copier mlflow zig yo");
// Programs whose arguments are text or file names, never verbs.
const WORDS_ARE_TEXT = wordSet(
  "cat head tail wc grep egrep fgrep zgrep ls echo printf say notify-send figlet cowsay test [ [[ type which",
);

/** Returns the risks of the options of an otherwise harmless program. */
export function execOptionRisks(command: SimpleCommand, context: RiskContext): readonly RiskCode[] {
  if (WORDS_ARE_TEXT.has(command.name)) return NONE;
  const { args } = command;
  if (anyWord(args, PROGRAM_OPTION)) return ["code"];
  if (anyWord(args, INSTALLS_EXTENSION)) return ["package"];
  // `playwright install --with-deps` runs the package manager of the system.
  if (args.some(({ value }) => value === "--with-deps" || value === "install-deps")) return ["package"];
  if (args.some((arg, at) => loadsForeign(arg, args[at + 1]))) return ["script"];
  const { operands } = readOptions(args);
  if (EXPOSES.test(wordAt(operands, 0))) return ["outward"];
  if (PUBLISHES.test(wordAt(operands, 0)) || args.some((arg) => arg.value === "--push")) return ["publish"];
  if (RUNS_FROM_URL.has(command.name) && anyWord(operands, FOREIGN)) return ["remote_code"];
  if (!RUNNERS.has(command.name)) return NONE;
  const foreign = operands.find((arg) => isTemporary(arg.value));
  return foreign ? scriptRisks(foreign.value, command, context) : NONE;
}

/** True if an option loads code from a world-writable folder or the web, as in `--config /tmp/x.js`. */
function loadsForeign(option: Arg, next: Arg | undefined): boolean {
  const match = CODE_OPTION.exec(option.value);
  if (!match) return false;
  const value = match[1] ?? next?.value ?? "";
  return isTemporary(value) || /^https?:.*\.[cm]?[jt]s$/.test(value);
}

/** The rule for programs that run their words, such as `c8 vitest run`, unless the first is a verb of the program. */
const launcher =
  (valued: string, own: RegExp): Rule =>
  (command, context) => {
    const inner = afterOptions(command.args, valued);
    if (inner.length > 0 && !own.test(wordAt(inner, 0))) context.runWords(inner, command);
    return NONE;
  };

/** The rule for programs that run the words after a verb, such as `foreman run x` and `gum spin -- x`. */
const launchVerb =
  (verbs: RegExp, valued: string): Rule =>
  (command, context) => {
    const [verb, ...rest] = afterOptions(command.args, valued);
    if (!verb) return NONE;
    if (!verbs.test(verb.value)) return execOptionRisks(command, context);
    const dashes = rest.findIndex((arg) => arg.value === "--");
    const inner = dashes < 0 ? afterOptions(rest, valued) : rest.slice(dashes + 1);
    if (inner.length > 0) context.runWords(inner, command);
    return NONE;
  };

const COVERAGE =
  "r n x o c e reporter include exclude temp-dir temp-directory reports-dir report-dir src cwd config extension require lines functions branches statements exclude-after-remap";

/** The rule for programs that install hooks, which git runs. */
const managesHooks: Rule = (command, context) => {
  const [verb] = readOptions(command.args).operands;
  const installs = verb ? /^(?:install|init|set|add)$/.test(verb.value) : command.name === "husky";
  return installs ? ["startup"] : execOptionRisks(command, context);
};

/** The rule for start-server-and-test, whose operands are project scripts or command lines. */
const servesAndTests: Rule = (command, context) => {
  for (const { value } of readOptions(command.args).operands)
    if (/\s/.test(value)) context.runScript(value, "bash", command);
  return NONE;
};

const opens: Rule = (command) => {
  if (command.args.some((arg) => arg.wild !== "no" && /\$\(|`/.test(arg.value))) return ["outward"];
  return anyWord(command.args, /\.(?:desktop|command|app|sh|jar|exe|bat|scpt)\/?$/i) ? ["script"] : NONE;
};

const firmwareTools: Rule = (command, context) =>
  anyWord(command.args, /^(?:upload|uploadfs|erase|flash|bootloader)$/)
    ? ["raw_device"]
    : execOptionRisks(command, context);

export const launchRules: RuleTable = {
  "c8 nyc": launcher(COVERAGE, /^(?:report|check-coverage|merge|instrument)$/),
  turbostat: launcher("i interval n num_iterations o out s show H hide c cpu", /^-/),
  "foreman overmind": launchVerb(/^(?:run|exec)$/, "f e d p procfile env root port"),
  gum: launchVerb(/^spin$/, "s title spinner align"),
  "py-spy": launchVerb(/^(?:record|top)$/, "o f r d p output format rate duration pid"),
  "start-server-and-test": servesAndTests,
  "open xdg-open": opens,
  "husky lefthook": managesHooks,
  "platformio pio west": firmwareTools,
  bumpp: always("publish"),
  logger: (command) => (/^(?:-n|--server)/m.test(wordsOf(command.args).join("\n")) ? ["outward"] : NONE),
};
