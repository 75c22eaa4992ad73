// Judges one simple command by the rule for its program, or reports that the program is unknown.

import { accessOf } from "./capabilities/access.ts";
import { capabilityRisks, MAX_ARGUMENTS } from "./capabilities/capabilities.ts";
import { isProjectSecret } from "./capabilities/named-secrets.ts";
import { isInWorkspace } from "./capabilities/outside.ts";
import { pathIn } from "./capabilities/places.ts";
import { entriesByName, type RiskContext, type Rule, type SimpleCommand } from "./model.ts";
import { anyWord, wordsOf } from "./parse/options.ts";
import { isLocal, isPrivateSetting, isSecret, isTemporary } from "./parse/paths.ts";
import type { RiskCode } from "./reasons.ts";
import { buildRules } from "./rules/build/builds.ts";
import { frameworkRules } from "./rules/build/frameworks.ts";
import { interpreterRules } from "./rules/build/interpreters.ts";
import { packageRules } from "./rules/build/packages.ts";
import { jsPackageRules } from "./rules/build/packages-js.ts";
import { toolchainRules } from "./rules/build/toolchains.ts";
import { execOptionRisks, launchRules } from "./rules/exec-options.ts";
import { archiveRules } from "./rules/files/archives.ts";
import { fileRules } from "./rules/files/files.ts";
import { startRules } from "./rules/files/find.ts";
import { readerRules } from "./rules/files/readers.ts";
import { gitRules } from "./rules/git/git.ts";
import { isHarmlessProgram } from "./rules/harmless-programs.ts";
import { cloudRules } from "./rules/network/cloud.ts";
import { containerRules } from "./rules/network/containers.ts";
import { databaseRules } from "./rules/network/databases.ts";
import { networkRules } from "./rules/network/network.ts";
import { platformRules } from "./rules/network/platforms.ts";
import { scriptRisks } from "./rules/scripts.ts";
import { builtinRules } from "./rules/shell/builtins.ts";
import { declaresReevaluated, evaluatesItsArguments } from "./rules/shell/reevaluation.ts";
import { shellRules } from "./rules/shell/shells.ts";
import { wrapperRules } from "./rules/shell/wrappers.ts";
import { deviceRules } from "./rules/system/devices.ts";
import { cmdletRule, isCmdlet } from "./rules/system/powershell-rules.ts";
import { privilegeRules } from "./rules/system/privilege.ts";
import { systemRules } from "./rules/system/system.ts";
import { windowsRules } from "./rules/system/windows.ts";

const RULES = entriesByName(
  windowsRules,
  readerRules,
  buildRules,
  frameworkRules,
  packageRules,
  jsPackageRules,
  toolchainRules,
  launchRules,
  platformRules,
  cloudRules,
  containerRules,
  databaseRules,
  deviceRules,
  systemRules,
  networkRules,
  privilegeRules,
  archiveRules,
  fileRules,
  gitRules,
  interpreterRules,
  builtinRules,
  startRules,
  shellRules,
  wrapperRules,
);

// Folders that contain the well-known programs.
const BIN = /^(?:.*\/)?(?:s?bin|\.bin|scripts(?<=env\/scripts)|system32)$/i;

export function judgeCommand(command: SimpleCommand, context: RiskContext): void {
  const named = { ...command, name: programName(command.name) };
  // Capabilities are judged first, because the rule for `cd` changes the folder against which words are resolved.
  const codes = [...capabilityRisks(named, context), ...commandRisks(command, context)];
  for (const code of new Set(codes)) context.report(code, command.text);
  context.note(accessOf(named));
}

/** Reports what a Windows command could reach, judged like `like`, its equivalent on other systems. */
export function reportEquivalentRisks(command: SimpleCommand, like: string, context: RiskContext): void {
  const args = command.args.map((arg) => ({ ...arg, value: arg.value.replaceAll("\\", "/") }));
  const same = { ...command, name: like, args };
  const codes: readonly RiskCode[] = readsSecret(same, context) ? ["credentials"] : [];
  for (const code of new Set([...codes, ...capabilityRisks(same, context)])) context.report(code, command.text);
}

/** Returns the name of a program. For example, `/usr/bin/gcc-13.2` is gcc, and `GCC.EXE` is gcc. */
const programName = (name: string): string =>
  name
    .replaceAll("\\", "/")
    .replace(/^.*\//, "")
    .replace(/\.(?:exe|cmd|bat|com)$/i, "")
    .replace(/(?<=[a-z])-?\d+(?:\.\d+)+$/, "")
    .toLowerCase();

function commandRisks(command: SimpleCommand, context: RiskContext): ReturnType<Rule> {
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
  // The function may be defined only conditionally, so a rule for a program of the same name still applies.
  if (bare && context.functions.has(command.name) && !rule) return [];
  if (isTemporary(path)) return ["script"];
  const secret = readsSecret(command, context);
  if (secret) context.report("credentials", command.text);
  if ((bare || isLocal(path) || BIN.test(folder)) && asksForHelp(command)) return [];
  if (declaresReevaluated(command, name)) {
    context.seen.reevaluates = true;
    context.seen.integers = true;
  }
  if (evaluatesItsArguments(command, name)) return ["code"];
  // A script of the project may share the name of a program: ./scripts/format formats text, not a disk.
  const ownScript = !bare && !BIN.test(folder) && !PROJECT_TOOLS.test(name);
  if (rule && !ownScript) return rule({ ...command, name }, context);
  if (bare && isCmdlet(path)) {
    // Blocks in braces are plain words to bash, but PowerShell runs them.
    if (/[{(]/.test(command.text)) context.runScript(command.text, "powershell", command);
    return cmdletRule({ ...command, name }, context);
  }
  if ((bare || BIN.test(folder)) && isHarmlessProgram(name)) return execOptionRisks({ ...command, name }, context);
  if (!bare) return scriptRisks(path, command, context);
  return ["unknown_command"];
}

export const hasRule = (name: string): boolean => RULES.has(name.toLowerCase());

const PROJECT_TOOLS = /^(?:gradlew|mvnw|manage\.py|rails|rake|artisan|bundle|yarn|pnpm|rm|sudo)$/;

/** Finds the rule for a program without its version, so that python3.12 and gcc-13 are python and gcc. */
function ruleOf(name: string): Rule | undefined {
  return RULES.get(name) ?? RULES.get(name.replace(/-?\d+(?:\.\d+)*$/, ""));
}

/** True for `tool --help` and `tool sub --help`, but not for other forms such as `rm -rf x --help`. */
function asksForHelp(command: SimpleCommand): boolean {
  const values = wordsOf(command.args);
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

// Options that make a program read the content of files even if it usually needs only their names.
const READS_CONTENT = /^(?:-exec|-ok|--(?:files-from|files0-from|magic-file)(?:=|$))/;

const isPrivate = (path: string): boolean => isSecret(path) || isProjectSecret(path);

/** Returns the files that a program of awk or sed reads, as in `getline line < "/etc/shadow"` or `r /etc/shadow`. */
function filesOfProgram(name: string, program: string): readonly string[] {
  if (name === "awk") return program.match(/(?<=<\s*")[^"]+(?=")/g) ?? [];
  return name === "sed" ? (program.match(/(?<=(?:^|[;{}$\d/\s])[rR]\s*)[~./][^\s;}]*/g) ?? []) : [];
}

/** Returns the file names inside an expression such as `load("/etc/shadow")`. */
const quotedPaths = (word: string): readonly string[] => word.match(/(?<=["'])[~/][^"']*(?=["'])/g) ?? [];

function readsSecret(command: SimpleCommand, context: RiskContext): boolean {
  const reads =
    anyWord(command.args, READS_CONTENT) || (command.name === "file" && anyWord(command.args, /^-[a-zA-Z]*[fm]$/));
  if (ASKS_NAMES_ONLY.test(command.name) && !reads) return false;
  // The first operand of these programs is a pattern or program text, not a file.
  const pattern = /^(?:[ef]?grep|rg|ag|ack|sed|awk|jq)$/.test(command.name)
    ? command.args.find((arg) => !arg.value.startsWith("-"))
    : undefined;
  return command.args.slice(0, MAX_ARGUMENTS).some((arg) => {
    const word = arg.value.replace(/^[\w-]*[=@]/, "").replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, "");
    // A relative name is resolved against the folder of an earlier `cd`.
    const path = isLocal(word) && !word.startsWith("-") ? pathIn(context, word) : word;
    if (arg === pattern) return command.name !== "jq" && filesOfProgram(command.name, word).some(isPrivate);
    return (
      isSecret(path) || quotedPaths(word).some(isSecret) || (isPrivateSetting(path) && !isInWorkspace(path, context))
    );
  });
}
