// Judges npm, yarn, pnpm and bun. Scripts and installs of a project are allowed; removing, publishing, and packages
// named by URL need approval.
import {
  type Arg,
  literal,
  NONE,
  type RiskContext,
  type Rule,
  type RuleTable,
  type SimpleCommand,
} from "../../model.ts";
import { afterOptions, anyWord, has, readOptions, valuesOf } from "../../parse/options.ts";
import { isTemporary } from "../../parse/paths.ts";
import type { RiskCode } from "../../reasons.ts";
import { scriptRisks, taskRisks } from "../scripts.ts";
import { isForeignIndex } from "../shell/environment.ts";
import { isStarter, runsPackage } from "../shell/run-package.ts";
import { verbRule } from "../verbs.ts";

// Matches a package named by URL or repository, from which its code would be downloaded and run.
const URL_OR_REPOSITORY =
  /^(?:https?:|git\+|git:|git@|ssh:|github:|gitlab:|bitbucket:|gist:)|^[\w-]+\/[\w.-]+(?:#|$)(?<!\.(?:txt|whl|gz|tgz|toml))/;
const NODE = "C prefix filter F w workspace registry loglevel cwd dir scope userconfig cache tag otp";

const JS_ALLOW =
  "test, t, start, ls, list, la, ll, outdated, audit, view, info, show, v, search, find, version, pack, link, init, create, ping, whoami, root, prefix, bin, doctor, fund, explain, why, dedupe, rebuild, rb, help, completion, query, sbom, diff, docs, repo, home, bugs, browse, config get, pkg get, config list, config ls, get, cache verify, cache ls, cache dir, cache list, shrinkwrap, import, set version, stage, workspaces list, workspaces info, versions, licenses, licenses list, check, policies, pm ls, pm bin, pm cache, env list, store path, store status, fetch, install-test, it, build";
const JS_RISKY: Readonly<Partial<Record<RiskCode, string>>> = {
  publish:
    "publish, unpublish, deprecate, dist-tag add, dist-tag rm, dist-tags add, dist-tags rm, owner add, owner rm, npm publish, npm tag add, npm tag remove, access, team, org, hook, star, unstar",
  package:
    "uninstall, un, unlink, remove, rm, r, prune, cache clean, cache clear, cache rm, store prune, cache delete, autoclean, pm cache rm, patch-remove, global remove, env remove, env rm",
  credentials: "login, logout, adduser, add-user, token, profile, npm login, npm logout, set-script",
  environment:
    "pkg set, pkg delete, pkg fix, config set, config delete, config rm, config edit, config fix, set, edit, config unset, c set",
};

const VERBS = verbRule({ valued: NODE, allow: JS_ALLOW, ...JS_RISKY, dry: "dry-run" });

// Verbs that run scripts of the project. In a world-writable folder, other users may have written the scripts.
const SCRIPT_VERB =
  /^(?:run|run-script|rum|urn|task|test|t|tst|start|stop|restart|exec|x|install|i|ci|add|rebuild|build)$/;

/** With `scriptsWithoutRun`, as in yarn, a bare name runs a script or program of the project. */
function manager(scriptsWithoutRun: boolean): Rule {
  return (command, context) => {
    const words = afterOptions(command.args, NODE).filter((arg) => !/^-/.test(arg.value));
    const [verb, next] = words;
    if (!verb) return NONE;
    if (!verb.known) return ["not_literal"];
    const name = verb.value.toLowerCase();
    if (SCRIPT_VERB.test(name) && valuesOf(readOptions(command.args, NODE), "C prefix cwd dir").some(isTemporary))
      return ["script"];
    if (/^(?:run|run-script|rum|urn|task)$/.test(name)) return runTask(next, command, context, scriptsWithoutRun);
    if (name === "workspace") return runTask(words[2]?.value === "run" ? words[3] : words[2], command, context, true);
    // In these package managers, `exec` runs only programs of the project or of the system, and downloads nothing.
    if (name === "exec" && scriptsWithoutRun) {
      context.runWords(afterOptions(wordsAfter(command, verb.value), NODE), command);
      return NONE;
    }
    if (/^(?:exec|x|dlx)$/.test(name))
      return runsPackage({ ...command, args: wordsAfter(command, verb.value) }, context);
    if (/^(?:install|i|in|ins|add|ci|clean-install|update|up|upgrade|isntall|global)$/.test(name))
      return addRisks(command);
    // `npm create x` and `npm init x` run the package create-x.
    if (/^(?:create|init|innit)$/.test(name) && next && !isStarter(next.value)) return ["remote_code"];
    const risks = VERBS(command, context);
    return scriptsWithoutRun && risks[0] === "unknown_command" ? runTask(verb, command, context, true) : risks;
  };
}

/** Returns the words after a verb, without a separating `--`. */
export const wordsAfter = (command: SimpleCommand, verb: string): SimpleCommand["args"] => {
  const rest = command.args.slice(command.args.findIndex((arg) => arg.value === verb) + 1);
  return rest[0]?.value === "--" ? rest.slice(1) : rest;
};

// Names of common project scripts that are also names of programs.
const COMMON_SCRIPTS =
  /^(?:format|test|start|watch|serve|dev|lint|type|set|service|script|file|host|env|task|check|report|install)$/;

/** `yarn build` runs a script of the project, but `yarn rimraf x` runs a program, which is judged instead. */
function runTask(
  task: Arg | undefined,
  command: SimpleCommand,
  context: RiskContext,
  programsToo: boolean,
): readonly RiskCode[] {
  if (!task) return NONE;
  if (!task.known) return ["not_literal"];
  if (programsToo && !COMMON_SCRIPTS.test(task.value) && context.hasRule(task.value)) {
    context.runWords([task, ...wordsAfter(command, task.value)], command);
    return NONE;
  }
  return taskRisks(task.value, command);
}

function addRisks(command: SimpleCommand): readonly RiskCode[] {
  const options = readOptions(command.args, NODE);
  const { operands } = options;
  // The package is installed for the whole account or machine, not for the project.
  if (has(options, "g global") || operands[0]?.value === "global") return ["package"];
  if (valuesOf(options, "registry").some((registry) => isForeignIndex(registry))) return ["remote_code"];
  return anyWord(operands, URL_OR_REPOSITORY) ? ["remote_code"] : NONE;
}

/** The rule for bun, which also runs files and program text. */
const bun: Rule = (command, context) => {
  const at = command.args.findIndex((arg) => /^(?:-e|--eval|-p|--print)$/.test(arg.value));
  if (at >= 0 || command.stdin.kind !== "none") {
    context.runWords([literal("node"), ...command.args], command);
    return NONE;
  }
  const [first, second] = afterOptions(command.args, NODE);
  const file = first?.value === "run" ? second : first;
  if (/^https?:/.test(file?.value ?? "")) return ["remote_code"];
  if (file && /[./]/.test(file.value)) return file.known ? scriptRisks(file.value, command, context) : ["not_literal"];
  return manager(true)(command, context);
};

export const jsPackageRules: RuleTable = {
  npm: manager(false),
  "yarn pnpm yarnpkg cnpm ni nr": manager(true),
  bun,
};
