// Judges git. Reading and adding are allowed; discarding, rewriting, forcing and running helpers need approval.

import { isOutside } from "../../capabilities/outside.ts";
import { type Arg, literal, NONE, type Rule, type RuleTable, type SimpleCommand, wordSet } from "../../model.ts";
import { afterOptions, anyWord, readOptions, valuesOf, wordAt } from "../../parse/options.ts";
import { isTemporary } from "../../parse/paths.ts";
import type { RiskCode } from "../../reasons.ts";
import { allowed, always } from "../conditions.ts";
import { gitVerbs, settingRisks } from "./verbs.ts";

const GLOBAL = "C c git-dir work-tree namespace exec-path config-env super-prefix attr-source";

const git: Rule = (command, context) => {
  const rest = afterOptions(command.args, GLOBAL);
  const head = command.args.slice(0, command.args.length - rest.length);
  const options = readOptions(head, GLOBAL);
  const odd: RiskCode[] = valuesOf(options, "c").flatMap((setting) => {
    const equals = setting.indexOf("=");
    return equals < 0 ? NONE : settingRisks(setting.slice(0, equals), setting.slice(equals + 1));
  });
  if (valuesOf(options, "exec-path config-env").length > 0) return ["environment"];
  // Git runs programs that a repository's config names, so a foreign repository could run any program.
  const foreign =
    valuesOf(options, "git-dir").some((path) => !/^(?:\.\/)?\.git\/?$/.test(path)) ||
    valuesOf(options, "C work-tree").some((path) => isOutside(path, context) || isTemporary(path));
  if (foreign) odd.push("environment");
  const [verb, ...args] = rest;
  if (!verb) return odd;
  if (!verb.known) return ["not_literal"];
  return [...odd, ...verbRisks(verb.value.toLowerCase(), { ...command, args }, context)];
};

// Verbs that only read, add or create, whatever their options.
const HARMLESS = wordSet(
  "status log show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file name-rev merge-base for-each-ref show-ref show-branch diff-tree diff-index diff-files range-diff cherry whatchanged check-ignore check-attr check-mailmap check-ref-format count-objects fsck verify-commit verify-tag verify-pack var version help init add stage revert hash-object mktree write-tree commit-tree stripspace column patch-id get-tar-commit-id gui citool gitk request-pull format-patch apply mailinfo mailsplit mktag pack-refs update-server-info merge-tree merge-file bugreport diagnose archive bundle fmt-merge-msg",
);

function verbRisks(verb: string, command: SimpleCommand, context: Parameters<Rule>[1]): readonly RiskCode[] {
  if (command.args.at(-1)?.value === "--help") return NONE;
  const runsHelper = command.args.some((arg) =>
    /^--(?:upload-pack|receive-pack|exec|open-files-in-pager|ext-diff|textconv)(?:=|$)/.test(arg.value),
  );
  // A remote of the form ext::command runs that command.
  if (runsHelper || anyWord(command.args, /^ext::/)) return ["code"];
  if (anyWord(command.args, /^--output(?:=|$)/)) return ["overwrite"];
  if (HARMLESS.has(verb)) return NONE;
  const rule = gitVerbs.get(verb);
  if (!rule) return ["unknown_command"];
  const risks = rule(command, context);
  // An argument that is known only at run time may be an option, so a result without risks is not reliable.
  return risks.length === 0 && command.args.some(mayBeOption) ? ["not_literal"] : risks;
}

/** True if an argument may be an option. A computed commit message is still only a message. */
const mayBeOption = (arg: Arg, at: number, args: readonly Arg[]): boolean =>
  arg.wild === "many" ||
  (arg.wild === "one" && !/^(?:-[a-zA-Z]*[mF]|--(?:message|file|author|date|trailer))$/.test(wordAt(args, at - 1)));

const bisectOrForeach =
  (verb: string, text: boolean): Rule =>
  (command, context) => {
    const words = afterOptions(command.args, "");
    const at = words.findIndex((arg) => arg.value === verb);
    if (at < 0) return NONE;
    const inner = afterOptions(words.slice(at + 1), "");
    if (text && inner.length === 1 && inner[0]?.known) context.runScript(inner[0].value, "bash", command);
    else if (inner.length > 0) context.runWords(inner, command);
    return NONE;
  };

/** The rule for git, which also judges the inner commands of `git bisect run` and `git submodule foreach`. */
const withInner: Rule = (command, context) => {
  const rest = afterOptions(command.args, GLOBAL);
  const verb = rest[0]?.value;
  if (verb === "bisect") bisectOrForeach("run", false)({ ...command, args: rest.slice(1) }, context);
  if (verb === "submodule") bisectOrForeach("foreach", true)({ ...command, args: rest.slice(1) }, context);
  return git(command, context);
};

export const gitRules: RuleTable = {
  git: withInner,
  gitk: allowed,
  "git-lfs": (command, context) => git({ ...command, args: [literal("lfs"), ...command.args] }, context),
  "git-filter-repo bfg": always("history_rewrite"),
};
