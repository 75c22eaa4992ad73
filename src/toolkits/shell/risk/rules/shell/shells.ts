// Judges shells and commands that pass text to them: sh -c, eval, source, trap, alias and ssh. The text is judged if it
// is known.
import {
  type Arg,
  NONE,
  type RiskContext,
  type Rule,
  type RuleTable,
  type Shell,
  type SimpleCommand,
} from "../../model.ts";
import { afterOptions, anyWord, has, readOptions, valuesOf, wordAt, wordsOf } from "../../parse/options.ts";
import { isLocal, isTemporary } from "../../parse/paths.ts";
import type { RiskCode } from "../../reasons.ts";
import { scriptRisks } from "../scripts.ts";

const sh: Rule = (command, context) => {
  const args = command.args;
  const start = args.length - afterOptions(args, "o O rcfile init-file").length;
  const options = readOptions(args.slice(0, start), "o O rcfile init-file");
  const rest = args.slice(start);
  const [first] = rest;
  if (has(options, "rcfile init-file")) return ["script"];
  if (options.shorts.includes("c")) return runText(first, "bash", command, context);
  if (has(options, "n noexec")) return NONE;
  if (first && !options.shorts.includes("s") && first.value !== "-") return runFile(first, command, context);
  return runStdin("bash", command, context);
};

function runText(
  code: Arg | undefined,
  shell: Shell,
  command: SimpleCommand,
  context: RiskContext,
): readonly RiskCode[] {
  if (!code) return ["code"];
  if (!code.known) {
    // Variables inside double quotes are substituted before the inner shell reads the text, but the literal parts are
    // still judged.
    context.runScript(code.value, shell, { ...command, stdin: { kind: "none" } });
    return /\$\(|`|^\s*["']?\$/.test(code.value) || code.wild !== "no" ? ["not_literal"] : NONE;
  }
  context.runScript(code.value, shell, command);
  return NONE;
}

function runFile(file: Arg, command: SimpleCommand, context: RiskContext): readonly RiskCode[] {
  if (!file.known) return ["not_literal"];
  return scriptRisks(file.value, command, context);
}

export function runStdin(shell: Shell, command: SimpleCommand, context: RiskContext): readonly RiskCode[] {
  if (command.stdin.kind === "text") {
    context.runScript(command.stdin.text, shell, { ...command, stdin: { kind: "none" } });
    return NONE;
  }
  // A shell in a container without input waits for a user.
  if (command.stdin.kind === "none" && context.inContainer) return NONE;
  return command.stdin.kind === "opaque" && command.stdin.network ? ["remote_code"] : ["code"];
}

// Programs that print text for a shell to evaluate.
const PRINTS_SETUP =
  /^\s*(?:\$\(|`)\s*(?:ssh-agent(?: -\w)?|direnv (?:hook|export) \w+|(?:pyenv|rbenv|nodenv|goenv|jenv) init(?: -{1,2}[\w-]*)*|pyenv virtualenv-init -|(?:\/opt\/homebrew\/bin\/|\/home\/linuxbrew\/\.linuxbrew\/bin\/)?brew shellenv|fnm env(?: --[\w-]+)*|starship init \w+|zoxide init \w+|mise activate \w+|opam env|minikube(?: -p \w+)? docker-env|dircolors(?: -b)?|thefuck --alias|conda shell\.\w+ hook)\s*(?:\)|`)\s*$/;

const evaluate: Rule = (command, context) => {
  const text = wordsOf(command.args).join(" ");
  if (text === "" || PRINTS_SETUP.test(text)) return NONE;
  if (command.args.every((arg) => arg.known)) {
    context.runScript(text, "bash", command);
    return NONE;
  }
  return /\b(?:curl|wget)\b/.test(text) ? ["remote_code"] : ["not_literal"];
};

const HOME_SETUP =
  /^(?:~|\$HOME|\$\{HOME\})\/\.[\w./-]+$|^\$(?:NVM_DIR|\{NVM_DIR\})\/nvm\.sh$|^\/etc\/(?:profile|os-release|environment|bashrc|bash\.bashrc)$/;

const source: Rule = (command, context) => {
  const [file] = command.args;
  if (!file) return NONE;
  if (HOME_SETUP.test(file.value)) return NONE;
  if (!file.known) return ["not_literal"];
  if (!isLocal(file.value) || isTemporary(file.value)) return ["script"];
  context.seen.script = command.text;
  return NONE;
};

const trap: Rule = (command, context) => {
  const [code] = afterOptions(command.args, "");
  // A process that ignores termination signals would keep running.
  const ignores = code?.value === "" && anyWord(command.args, /^(?:SIG)?(?:HUP|TERM|INT)$|^(?:1|2|15)$/i);
  if (ignores) return ["detach"];
  if (!code || command.args.length < 2 || code.value === "-" || code.value === "") return NONE;
  return runText(code, "bash", command, context);
};

/** The rule for alias. The text of an alias is judged as if it ran now, without the arguments of a later use. */
const alias: Rule = (command, context) =>
  command.args.flatMap((arg): readonly RiskCode[] => {
    const equals = arg.value.indexOf("=");
    if (equals < 0) return NONE;
    if (!arg.known) return ["not_literal"];
    context.runScript(arg.value.slice(equals + 1), "bash", command);
    return NONE;
  });

const SSH = "b c D E e F I i J L l m O o p Q R S W w B P";
const ssh: Rule = (command, context) => {
  const options = readOptions(command.args, SSH);
  const odd = valuesOf(options, "o").some((value) =>
    /^(?:proxycommand|localcommand|permitlocalcommand|knownhostscommand|match)/i.test(value),
  );
  if (odd || valuesOf(options, "F").some(isTemporary)) return ["code"];
  if (has(options, "V Q G")) return NONE;
  const [host, ...rest] = afterOptions(command.args, SSH);
  if (!host) return NONE;
  const words = afterOptions(rest, SSH);
  if (words.length > 0) {
    if (!words.every((word) => word.known)) return ["not_literal"];
    context.runScript(wordsOf(words).join(" "), "bash", command);
    // Piped input is sent to another machine.
    const empty = command.stdin.kind === "text" && command.stdin.text === "";
    return command.stdin.kind === "none" || empty ? NONE : ["outward"];
  }
  if (options.shorts.includes("T") && /^git@/.test(host.value) && command.stdin.kind === "none") return NONE;
  if (command.stdin.kind === "text") runStdin("bash", command, context);
  return ["outward"];
};

const powershell: Rule = (command, context) => {
  const values = command.args.map((arg) => arg.value.toLowerCase());
  const at = values.findIndex((value) => /^[-/](?:c|co|com|comm|comma|comman|command)$/.test(value));
  if (values.some((value) => /^[-/](?:e|ec|en|enc|enco\w*|encoded\w*)$/.test(value))) return ["code"];
  const file = values.findIndex((value) => /^[-/]f(?:i|il|ile)?$/.test(value));
  if (file >= 0) return runFile(command.args[file + 1] ?? { value: "-", known: false, wild: "no" }, command, context);
  if (at >= 0) return textOf(command.args.slice(at + 1), "powershell", command, context);
  const rest = command.args.filter(
    (arg, i) =>
      !/^[-/]/.test(arg.value) &&
      !/^[-/](?:ex|ep|exec|executionpolicy|v|version|w|windowstyle)/.test(values[i - 1] ?? ""),
  );
  if (rest.length === 0)
    return command.args.length > 0 && command.stdin.kind === "none" ? NONE : runStdin("powershell", command, context);
  if (/\.ps1$/i.test(wordAt(rest, 0))) return scriptRisks(wordAt(rest, 0), command, context);
  return textOf(rest, "powershell", command, context);
};

const cmd: Rule = (command, context) => {
  const at = command.args.findIndex((arg) => /^\/{1,2}[ckr]$/i.test(arg.value));
  if (at < 0) return runStdin("cmd", command, context);
  return textOf(command.args.slice(at + 1), "cmd", command, context);
};

function textOf(
  words: readonly Arg[],
  shell: Shell,
  command: SimpleCommand,
  context: RiskContext,
): readonly RiskCode[] {
  // In text for PowerShell, an unknown word such as `$_` is usually a variable of PowerShell.
  const unknown = words.some((word) => word.wild !== "no" || (shell !== "powershell" && !word.known));
  context.runScript(wordsOf(words).join(" "), shell, { ...command, stdin: { kind: "none" } });
  return unknown ? ["not_literal"] : NONE;
}

export const shellRules: RuleTable = {
  "sh bash dash zsh ksh mksh ash fish rbash tcsh csh yash": sh,
  "source .": source,
  "powershell pwsh": powershell,
  eval: evaluate,
  trap,
  alias,
  ssh,
  cmd,
};
