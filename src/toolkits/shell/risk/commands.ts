// Judges one simple command: finds the rule of its program, or says that nobody knows the program.
import { archiveRules } from "./archives.ts";
import { buildRules } from "./builds.ts";
import { builtinRules } from "./builtins.ts";
import { cloudRules } from "./cloud.ts";
import { containerRules } from "./containers.ts";
import { databaseRules } from "./databases.ts";
import { deviceRules } from "./devices.ts";
import { fileRules } from "./files.ts";
import { frameworkRules } from "./frameworks.ts";
import { gitRules } from "./git.ts";
import { interpreterRules } from "./interpreters.ts";
import type { Rule, Scope, SimpleCommand } from "./model.ts";
import { networkRules } from "./network.ts";
import { packageRules } from "./packages.ts";
import { jsPackageRules } from "./packages-js.ts";
import { systemPackageRules } from "./packages-system.ts";
import { isLocal, isSecret, isTemporary } from "./paths.ts";
import { platformRules } from "./platforms.ts";
import { cmdletRule, isCmdlet } from "./powershell-rules.ts";
import { privilegeRules } from "./privilege.ts";
import { isQuiet } from "./quiet.ts";
import { evaluatesItsWords, makesReadAgain } from "./read-again.ts";
import { readerRules } from "./readers.ts";
import { scriptRisks } from "./scripts.ts";
import { shellRules } from "./shells.ts";
import { startRules } from "./starters.ts";
import { systemRules } from "./system.ts";
import { launchRules, toldToRun } from "./told-to-run.ts";
import { toolchainRules } from "./toolchains.ts";
import { windowsRules } from "./windows.ts";
import { wrapperRules } from "./wrappers.ts";

const RULES: ReadonlyMap<string, Rule> = new Map([
  ...windowsRules,
  ...readerRules,
  ...buildRules,
  ...frameworkRules,
  ...packageRules,
  ...jsPackageRules,
  ...toolchainRules,
  ...launchRules,
  ...systemPackageRules,
  ...platformRules,
  ...cloudRules,
  ...containerRules,
  ...databaseRules,
  ...deviceRules,
  ...systemRules,
  ...networkRules,
  ...privilegeRules,
  ...archiveRules,
  ...fileRules,
  ...gitRules,
  ...interpreterRules,
  ...builtinRules,
  ...startRules,
  ...shellRules,
  ...wrapperRules,
]);

// Folders whose programs are the ones everybody knows by name.
const BIN = /^(?:.*\/)?(?:s?bin|\.bin|scripts(?<=env\/scripts)|system32)$/i;

export function judgeCommand(command: SimpleCommand, scope: Scope): void {
  for (const code of commandRisks(command, scope)) scope.report(code, command.text);
}

function commandRisks(command: SimpleCommand, scope: Scope): ReturnType<Rule> {
  const path = command.name.replaceAll("\\", "/");
  const slash = path.lastIndexOf("/");
  const folder = path.slice(0, Math.max(slash, 0));
  const bare = slash < 0;
  const name = path
    .slice(slash + 1)
    .replace(/\.(?:exe|cmd|bat|com)$/i, "")
    .toLowerCase();
  if (name === "") return ["unknown_command"];
  const rule = ruleOf(name);
  // A function may be defined only sometimes, so a program of the same name still counts.
  if (bare && scope.functions.has(command.name) && !rule) return [];
  if (isTemporary(path)) return ["script"];
  const secret = readsSecret(command);
  if (secret) scope.report("credentials", command.text);
  if ((bare || isLocal(path) || BIN.test(folder)) && asksForHelp(command)) return [];
  if (makesReadAgain(command, name)) scope.seen.reads_again = true;
  if (evaluatesItsWords(command, name)) return ["code"];
  // A script of the project may be called like a program: ./scripts/format formats text.
  const ownScript = !bare && !BIN.test(folder) && !PROJECT_TOOLS.test(name);
  if (rule && !ownScript) return rule({ ...command, name }, scope);
  if (bare && isCmdlet(path)) {
    // Blocks in braces are plain words to bash; PowerShell runs them.
    if (/[{(]/.test(command.text)) scope.runScript(command.text, "powershell", command);
    return cmdletRule({ ...command, name }, scope);
  }
  if ((bare || BIN.test(folder)) && isQuiet(name)) return toldToRun({ ...command, name }, scope);
  if (!bare) return scriptRisks(path, command, scope);
  return ["unknown_command"];
}

export const hasRule = (name: string): boolean => RULES.has(name.toLowerCase());

const PROJECT_TOOLS = /^(?:gradlew|mvnw|manage\.py|rails|rake|artisan|bundle|yarn|pnpm|rm|sudo)$/;

/** python3.12 and gcc-13 are python and gcc. */
function ruleOf(name: string): Rule | undefined {
  return RULES.get(name) ?? RULES.get(name.replace(/-?\d+(?:\.\d+)*$/, ""));
}

/** `tool --help` and `tool sub --help` print and stop. Nothing more is believed: `rm -rf x --help` is not. */
function asksForHelp(command: SimpleCommand): boolean {
  const values = command.args.map((arg) => arg.value);
  const last = values.at(-1);
  if (last !== "--help" && last !== "--version") return false;
  if (values.length === 1) return true;
  return (
    last === "--help" &&
    values.length <= 3 &&
    values.slice(0, -1).every((value) => /^[a-z][a-z:-]*$/i.test(value)) &&
    TOOLS.test(command.name)
  );
}
const TOOLS =
  /^(?:git|docker|kubectl|npm|yarn|pnpm|cargo|go|terraform|helm|aws|gcloud|az|gh|systemctl|apt|apt-get|brew|pip|pip3)$/;

const ASKS_NAMES_ONLY =
  /^(?:ls|stat|test|\[|file|chmod|dir|exa|eza|echo|printf|git|find|du|ssh|ssh-add|ssh-keygen|scp|which|export|cd|pushd|mkdir|tree|realpath)$/;

function readsSecret(command: SimpleCommand): boolean {
  const reads = command.name === "find" && command.args.some((arg) => /^-(?:exec|ok)/.test(arg.value));
  if (ASKS_NAMES_ONLY.test(command.name) && !reads) return false;
  // The first operand of these is a pattern, not a file.
  const pattern = /^(?:[ef]?grep|rg|ag|ack|sed|awk|jq)$/.test(command.name)
    ? command.args.find((arg) => !arg.value.startsWith("-"))
    : undefined;
  return command.args.some((arg) => arg !== pattern && isSecret(arg.value.replace(/^[\w-]*[=@]/, "")));
}
