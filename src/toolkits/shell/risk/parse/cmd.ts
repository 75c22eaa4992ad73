// Reads cmd.exe text with & && || |, parentheses, ^ escapes, if and for. Unusual text needs approval.
import { reportEquivalentRisks } from "../commands.ts";
import { type Arg, literal, NONE, type RiskContext, type Rule, type SimpleCommand } from "../model.ts";
import type { Walk } from "./bash.ts";
import { isStreamDevice } from "./paths.ts";

const HARMLESS =
  /^(?:dir|type|echo|echo\.|cd|chdir|md|mkdir|set|where|ver|vol|more|sort|tree|cls|title|rem|pause|exit|pushd|popd|path|prompt|color|find|fc|comp|help|:.*|date|time|goto|setlocal|endlocal|shift|verify|break|timeout|choice|clip)$/i;

export function walkCmd(source: string, walk: Walk): void {
  for (const words of statements(source)) {
    if (!walk.spend()) return;
    judgeWords(words, walk);
  }
}

function judgeWords(all: readonly string[], walk: Walk): void {
  const text = all.join(" ");
  let words = withoutRedirects(all, text, walk.context);
  for (let inner = unwrap(words, walk); inner !== undefined; inner = unwrap(words, walk)) words = inner;
  const [first, ...rest] = words;
  if (first === undefined) return;
  const name = first.replace(/^@/, "");
  const command: SimpleCommand = { name, args: rest.map(argument), stdin: { kind: "none" }, text };
  const rule = OWN.get(name.toLowerCase());
  reportEquivalentRisks(withoutFlags(command), LIKE.get(name.toLowerCase()) ?? name.toLowerCase(), walk.context);
  if (/[%!]/.test(name)) walk.context.report("not_literal", text);
  else if (rule) for (const code of rule(command, walk.context)) walk.context.report(code, text);
  else if (!HARMLESS.test(name)) walk.judge(command);
}

const LIKE: ReadonlyMap<string, string> = new Map([
  ["dir", "ls"],
  ["type", "cat"],
  ["findstr", "grep"],
  ["copy", "cp"],
  ["xcopy", "cp"],
  ["robocopy", "cp"],
  ["move", "mv"],
]);
/** Removes options such as `/y`, which are not paths in cmd.exe. */
const withoutFlags = (command: SimpleCommand): SimpleCommand => ({
  ...command,
  args: command.args.filter(({ value }) => !/^\/\w+(?::|$)/.test(value)),
});

/** Returns the words of the command after if, for, call or start, or undefined if there is no such prefix. */
function unwrap(words: readonly string[], walk: Walk): readonly string[] | undefined {
  const [first, ...rest] = words;
  switch (first?.toLowerCase().replace(/^@/, "")) {
    case "":
    case "else":
    case "do":
    case "call":
      return rest;
    case "if":
      return wordsAfterCondition(rest);
    case "start":
      return rest.filter((word, i) => !/^\//.test(word) && !(i === 0 && /\s|^$/.test(word)));
    case "for": {
      const at = rest.findIndex((word) => /^do$/i.test(word));
      // for /f "…" ('command') runs the quoted command.
      const set = rest.slice(0, Math.max(at, 0));
      const inner = set.filter((word) => /^\(?'.*'\)?$/.test(word));
      if (set.some((word) => word.includes("`"))) walk.context.report("not_literal", words.join(" "));
      for (const code of inner) walkCmd(code.replace(/^\(?'|'\)?$/g, ""), walk);
      return rest.slice(at + 1);
    }
    default:
      return undefined;
  }
}

const argument = (value: string): Arg =>
  /%\w+%|!\w+!/.test(value) ? { value, known: false, wild: "no" } : literal(value);

const asksBeforeReplacing: Rule = (command) =>
  command.args.some((arg) => /^\/y$/i.test(arg.value) || isStreamDevice(arg.value)) ? ["overwrite"] : NONE;
const replaces: Rule = () => ["overwrite"];
/** The rule for assoc and ftype, which change the program for a file type if an argument contains `=`. */
const setsOnEquals: Rule = (command) => (command.args.some((arg) => arg.value.includes("=")) ? ["environment"] : NONE);
const OWN: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["copy", asksBeforeReplacing],
  ["assoc", setsOnEquals],
  ["ftype", setsOnEquals],
  ["move", replaces],
  ["ren", replaces],
  ["rename", replaces],
  ["replace", replaces],
  ["mklink", replaces],
]);

/** Returns the words after a condition: if [/i] [not] exist x … | if [not] a==b … | if errorlevel n … */
function wordsAfterCondition(words: readonly string[]): readonly string[] {
  let at = 0;
  while (/^(?:\/i|not)$/i.test(words[at] ?? "")) at++;
  if (/^(?:exist|defined|errorlevel)$/i.test(words[at] ?? "")) return words.slice(at + 2);
  if ((words[at] ?? "").includes("==")) return words.slice(at + 1);
  return words.slice(at + 3);
}

function withoutRedirects(words: readonly string[], text: string, context: RiskContext): readonly string[] {
  const rest: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    const match = /^\d?>{1,2}(&\d)?$/.exec(word);
    if (!match) {
      if (word === "<") {
        const input = argument(words[++i] ?? "");
        reportEquivalentRisks({ name: "type", args: [input], stdin: { kind: "none" }, text }, "cat", context);
      } else rest.push(word);
      continue;
    }
    if (match[1]) continue;
    if (!isStreamDevice(words[++i] ?? "")) context.report("overwrite", text);
  }
  return rest;
}

/** Splits text into statements of words, with `^` as escape character and quotes for grouping. */
function* statements(source: string): Generator<readonly string[]> {
  const pattern =
    /([ \t,]+)|(\r?\n|&&|\|\||[&|()])|(\d?>{1,2}(?:&\d)?|<)|((?:\^[\s\S]|"[^"]*"?|'[^']*'|[^\s&|()<>,^"']|['^])+)/gy;
  let words: string[] = [];
  let cursor = 0;
  for (const match of source.matchAll(pattern)) {
    cursor = match.index + match[0].length;
    // These are the parentheses of a set, as in for %i in (a b) do …
    if (/^[()]$/.test(match[2] ?? "") && /^@?for$/i.test(words[0] ?? "") && !words.some((word) => /^do$/i.test(word)))
      continue;
    if (match[2] !== undefined) {
      if (words.length > 0) yield words;
      words = [];
    } else if (match[3] !== undefined) words.push(match[3]);
    else if (match[4] !== undefined)
      words.push(
        match[4]
          .replace(/\^([\s\S])/g, "$1")
          .replace(/\^$/, "")
          .replaceAll('"', ""),
      );
  }
  if (words.length > 0) yield words;
  if (cursor < source.length) yield ["%unread%"];
}
