// Judges builtins of the shell for variables, folders, options and history.

import { resolveWord, rootOf } from "../../capabilities/places.ts";
import { NONE, type Rule, type RuleTable } from "../../model.ts";
import { anyWord, readOptions, wordAt, wordsOf } from "../../parse/options.ts";
import { normalPath } from "../../parse/paths.ts";
import { always, askOnOption, askUnlessOption } from "../conditions.ts";
import { environmentRisks } from "./environment.ts";

const declares: Rule = (command) =>
  command.args.flatMap((arg) => {
    const equals = arg.value.indexOf("=");
    if (equals < 0) return /^(?:LD_PRELOAD|BASH_ENV|PROMPT_COMMAND)$/.test(arg.value) ? ["environment" as const] : NONE;
    const value = arg.value.slice(equals + 1);
    // After `declare -n`, an assignment to the name sets the variable that the value names.
    const refers =
      command.args.some((option) => /^-\w*n/.test(option.value)) && environmentRisks(value, "./?", false).length > 0;
    return refers ? ["environment" as const] : environmentRisks(arg.value.slice(0, equals), value);
  });

const unset: Rule = (command, context) => {
  context.seen.cleared = true;
  return anyWord(command.args, /^HIST/) ? ["traces"] : NONE;
};

const changeFolder: Rule = (command, context) => {
  const [target] = readOptions(command.args).operands;
  const root = rootOf(context.places);
  if (!target) {
    if (command.name === "cd") context.cwd = "~";
    context.folder = resolveWord("~", context.folder, root);
    return NONE;
  }
  context.folder = target.value === "-" ? undefined : resolveWord(target.value, context.folder, root);
  // The output of a program may be any folder, but a few programs print folders of the project.
  if (
    target.computed &&
    !/^\$\((?:git rev-parse|dirname|pwd|mktemp|realpath|brew|go env|npm (?:root|prefix))\b/.test(target.value)
  )
    return target.wild === "no" ? NONE : ["not_literal"];
  if (!target.known && !/^\$(?:HOME|\{HOME\})/.test(target.value)) context.cwd = undefined;
  else if (/^(?:\/|~|\$|[a-z]:)/i.test(target.value)) context.cwd = normalPath(target.value);
  else context.cwd = context.cwd === undefined ? undefined : normalPath(target.value, context.cwd);
  return NONE;
};

const set: Rule = (command) => {
  const line = wordsOf(command.args).join(" ");
  return /\+o history/.test(line) ? ["traces"] : NONE;
};

const shopt: Rule = (command, context) => {
  if (command.args.some((arg) => arg.value === "dotglob")) context.seen.dotglob = true;
  return command.args.some((arg) => arg.value === "expand_aliases") ? ["environment"] : NONE;
};

const mask: Rule = (command) => (/^0?0?00$/.test(wordAt(command.args, 0)) ? ["permission"] : NONE);

export const builtinRules: RuleTable = {
  "export declare typeset local readonly setenv": declares,
  unset,
  "cd chdir pushd": changeFolder,
  set,
  umask: mask,
  enable: askOnOption("f", "code", "f"),
  bind: askOnOption("x f", "code", "x f"),
  complete: askOnOption("C", "code", "C F W G P S X A o"),
  "mapfile readarray": askOnOption("C", "code", "C c d n O s u"),
  hash: askOnOption("p", "environment", "p"),
  compgen: askOnOption("C", "code", "C F W G P S X A o"),
  fc: askUnlessOption("l", "code", "e"),
  shopt,
  disown: always("detach"),
};
