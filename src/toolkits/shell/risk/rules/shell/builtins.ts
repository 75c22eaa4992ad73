// Words the shell itself understands: variables, folders, options, history.

import { resolveWord, rootOf } from "../../capabilities/places.ts";
import type { Rule } from "../../model.ts";
import { always, NONE, sameRule } from "../../model.ts";
import { has, readOptions } from "../../parse/options.ts";
import { normalPath } from "../../parse/paths.ts";
import { environmentRisks } from "./environment.ts";

const declares: Rule = (command) =>
  command.args.flatMap((arg) => {
    const equals = arg.value.indexOf("=");
    if (equals < 0) return /^(?:LD_PRELOAD|BASH_ENV|PROMPT_COMMAND)$/.test(arg.value) ? ["environment" as const] : NONE;
    const value = arg.value.slice(equals + 1);
    // A reference sets the variable it names.
    const refers =
      command.args.some((option) => /^-\w*n/.test(option.value)) && environmentRisks(value, "./?", false).length > 0;
    return refers ? ["environment" as const] : environmentRisks(arg.value.slice(0, equals), value);
  });

const unset: Rule = (command, scope) => {
  scope.seen.cleared = true;
  return command.args.some((arg) => /^HIST/.test(arg.value)) ? ["traces"] : NONE;
};

const changeFolder: Rule = (command, scope) => {
  const [target] = readOptions(command.args).operands;
  const root = rootOf(scope.places);
  if (!target) {
    if (command.name === "cd") scope.cwd = "~";
    scope.folder = resolveWord("~", scope.folder, root);
    return NONE;
  }
  scope.folder = target.value === "-" ? undefined : resolveWord(target.value, scope.folder, root);
  // The output of a program may be any folder; a few print folders of the project.
  if (
    target.computed &&
    !/^\$\((?:git rev-parse|dirname|pwd|mktemp|realpath|brew|go env|npm (?:root|prefix))\b/.test(target.value)
  )
    return target.wild === "no" ? NONE : ["not_literal"];
  if (!target.known && !/^\$(?:HOME|\{HOME\})/.test(target.value)) scope.cwd = undefined;
  else if (/^(?:\/|~|\$|[a-z]:)/i.test(target.value)) scope.cwd = normalPath(target.value);
  else scope.cwd = scope.cwd === undefined ? undefined : normalPath(target.value, scope.cwd);
  return NONE;
};

const set: Rule = (command) => {
  const line = command.args.map((arg) => arg.value).join(" ");
  return /\+o history/.test(line) ? ["traces"] : NONE;
};

const shopt: Rule = (command, scope) => {
  if (command.args.some((arg) => arg.value === "dotglob")) scope.seen.dotglob = true;
  return command.args.some((arg) => arg.value === "expand_aliases") ? ["environment"] : NONE;
};

const mask: Rule = (command) => (/^0?0?00$/.test(command.args[0]?.value ?? "") ? ["permission"] : NONE);

export const builtinRules: readonly [string, Rule][] = [
  ...sameRule("export declare typeset local readonly setenv", declares),
  ["unset", unset],
  ...sameRule("cd chdir pushd", changeFolder),
  ["set", set],
  ["umask", mask],
  ["enable", (command) => (has(readOptions(command.args, "f"), "f") ? ["code"] : NONE)],
  ["bind", (command) => (has(readOptions(command.args, "x f"), "x f") ? ["code"] : NONE)],
  ["complete", (command) => (has(readOptions(command.args, "C F W G P S X A o"), "C") ? ["code"] : NONE)],
  ...sameRule("mapfile readarray", (command) =>
    has(readOptions(command.args, "C c d n O s u"), "C") ? ["code"] : NONE,
  ),
  ["hash", (command) => (has(readOptions(command.args, "p"), "p") ? ["environment"] : NONE)],
  ["compgen", (command) => (has(readOptions(command.args, "C F W G P S X A o"), "C") ? ["code"] : NONE)],
  ["fc", (command) => (has(readOptions(command.args, "e"), "l") ? NONE : ["code"])],
  ["shopt", shopt],
  ["disown", always("detach")],
];
