// Judges find and fd, which search for files and may act on each of them.

import { type Arg, NONE, placeholder, type Rule, type RuleTable } from "../../model.ts";
import { anyWord, wordAt } from "../../parse/options.ts";
import type { RiskCode } from "../../reasons.ts";
import { touchesSystem } from "./files.ts";
import { writeRisks } from "./redirects.ts";

const NARROWING_TEST =
  /^-(?:i?name|i?path|i?regex|i?wholename|size|[acm]time|[acm]min|newer\w*|user|group|perm|empty|links|inum|samefile)$/;

const find: Rule = (command, context) => {
  const args = command.args;
  const firstTest = args.findIndex((arg) => /^[-(!]/.test(arg.value) && !/^-[HLPOD]/.test(arg.value));
  const starts = args.slice(0, firstTest < 0 ? undefined : firstTest).filter((arg) => !arg.value.startsWith("-"));
  const everything = touchesSystem(starts, context) && !anyWord(args, NARROWING_TEST);
  const codes: RiskCode[] = [];
  for (let i = 0; i < args.length; i++) {
    const value = wordAt(args, i);
    if (args[i]?.wild === "many") codes.push("not_literal");
    if (value === "-delete") codes.push(everything ? "system_delete" : "delete");
    if (/^-f(?:print0?|printf|ls)$/.test(value)) codes.push(...writeRisks(args[i + 1] ?? placeholder(""), false));
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(value)) continue;
    const end = args.findIndex(
      (arg, at) => at > i && (arg.value === ";" || (arg.value === "+" && args[at - 1]?.value === "{}")),
    );
    const inner = args.slice(i + 1, end < 0 ? undefined : end).map(fillIn);
    if (everything && /(?:^|\/)(?:rm|shred|unlink|rmdir)$/.test(wordAt(inner, 0))) codes.push("system_delete");
    context.runWords(inner, command);
    i = end < 0 ? args.length : end;
  }
  return codes;
};

const fillIn = (arg: Arg): Arg => (arg.value.includes("{}") ? placeholder(arg.value) : arg);

const fd: Rule = (command, context) => {
  const at = command.args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(arg.value));
  if (at < 0) return NONE;
  const end = command.args.findIndex((arg, i) => i > at && arg.value === ";");
  context.runWords([...command.args.slice(at + 1, end < 0 ? undefined : end).map(fillIn), placeholder("{}")], command);
  return NONE;
};

export const startRules: RuleTable = { "find gfind": find, "fd fdfind": fd };
