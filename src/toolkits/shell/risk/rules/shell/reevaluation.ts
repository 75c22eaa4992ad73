// Finds text that bash evaluates a second time. Where bash expects a number or the name of a variable, it evaluates an
// array subscript inside the text, and with it any substitution.

import type { SyntaxNode, Word, WordPart } from "unbash";
import type { Arg, RiskContext, SimpleCommand } from "../../model.ts";
import { anyWord, wordAt } from "../../parse/options.ts";
import type { Variables } from "../../parse/words.ts";

const SUBSCRIPT = /\w\[[^\]]*(?:\$\(|`)/;
const SUBSTITUTION = /\$\(|`/;
const COMPARES_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;
const LOOKS_UP_NAMES = /^-[vR]$/;

/** Records text with a substitution, and constructs that would evaluate it. Together they run code. */
export function noteReevaluation(node: SyntaxNode, text: string, vars: Variables, seen: RiskContext["seen"]): void {
  if (node.type === "Word") {
    if (SUBSCRIPT.test(plainText(node, vars))) seen.subscript ??= node.text;
  } else if (node.type === "Assignment") {
    // The value of the variable before this append may already end with the opening bracket.
    if (node.append && node.value.type === "Word" && SUBSTITUTION.test(plainText(node.value, vars)))
      seen.subscript ??= node.text;
    if (node.index) {
      seen.reevaluates = true;
      if (evaluatesComputed(node.index.text, vars)) noteComputed(node.text, seen);
    }
  } else if (node.type === "ArithmeticWord") {
    // Quotes do not protect text in an arithmetic expression.
    if (SUBSTITUTION.test(node.value)) seen.subscript ??= node.value;
    if (namesComputedText(node.value, vars)) noteComputed(node.value, seen);
  } else if (reevaluatesWords(node)) {
    seen.reevaluates = true;
    if (evaluatesComputed(evaluatedText(node, text), vars)) noteComputed(text, seen);
  }
}

/** Returns the part of a node's source that bash evaluates. */
function evaluatedText(node: SyntaxNode, text: string): string {
  if (node.type === "ParameterExpansion" && node.prefix !== "!") return text.replace(/^\$\{#?\w+/, "");
  // The body of a loop is visited separately.
  if (node.type === "ArithmeticFor") return /^for\s*\(\((.*?)\)\)\s*(?:;|do|\{|\n)/s.exec(text)?.[1] ?? text;
  return text.replace(/^\$\(\(/, "((");
}

const evaluatesComputed = (text: string, vars: Variables): boolean =>
  substitutesText(text) || namesComputedText(text, vars);

function noteComputed(text: string, seen: RiskContext["seen"]): void {
  seen.subscript ??= text;
  seen.reevaluates = true;
}

/** True if the text names a variable with content of a file or output of a command, in which bash would run `a[$(id)]`. */
function namesComputedText(text: string, vars: Variables): boolean {
  if (vars.computed.size === 0) return false;
  return (text.match(/[A-Za-z_]\w*/g) ?? []).some((name) => /^(?:text|content)$/.test(vars.computed.get(name) ?? ""));
}

const NUMBER_STAGE =
  /^(?:wc\b|nproc$|date\s(?:-u\s+)?["']?\+%[sjHMSdmYNuwy]+["']?$|grep\s.*-\w*c|tput (?:cols|lines)$|id -u$|git rev-list\b.*--count|stat\s+(?:-c|-f)\s*["']?%[a-z]|seq\b|bc\b|expr\b|pgrep\b|du\b|df\b|free\b|date\b.*\+%s)/;
const SHORTENING_STAGE = /^(?:awk|cut|head|tail|tr|sed|sort|uniq|xargs|bc|grep)\b[^[]*$/;

/** True for commands that print a number, or a column of numbers from which one is selected. */
export function isNumberSource(script: string): boolean {
  const stages = script.split("|").map((stage) => stage.trim());
  const number = stages.findLastIndex((stage) => NUMBER_STAGE.test(stage));
  return number >= 0 && stages.slice(number + 1).every((stage) => SHORTENING_STAGE.test(stage));
}

/** True if the text has a substitution with output that may be more than a number. */
export function substitutesText(text: string): boolean {
  const bodies = [...text.matchAll(/\$\(((?:[^()]|\([^()]*\))*)\)|`([^`]*)`/g)];
  return bodies.some((match) => !isNumberSource(match[1] ?? match[2] ?? ""));
}

function reevaluatesWords(node: SyntaxNode): boolean {
  switch (node.type) {
    case "ArithmeticCommand":
    case "ArithmeticFor":
      return true;
    case "ArithmeticExpansion":
      return /[A-Za-z_$]/.test(node.text.slice(1));
    case "TestBinary":
      return COMPARES_NUMBERS.test(node.operator);
    case "TestUnary":
      return LOOKS_UP_NAMES.test(node.operator);
    case "ParameterExpansion":
      return node.prefix === "!" || node.index !== undefined || node.operation?.type === "Slice";
    default:
      return false;
  }
}

const plainText = (word: Word, vars: Variables): string =>
  word.parts ? word.parts.map((part) => plainPart(part, vars)).join("") : word.value;

function plainPart(part: WordPart, vars: Variables): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.map((child) => plainPart(child, vars)).join("");
    case "SimpleExpansion":
      return (vars.values.get(part.text.slice(1)) ?? []).join("");
    case "ParameterExpansion":
      return (vars.values.get(part.parameter) ?? []).join("");
    default:
      return "";
  }
}

const BY_NAME = /^(?:test|\[|let|read|unset|mapfile|readarray|getopts|wait)$/;
const NAMES_ONLY = /^(?:unset|read|mapfile|readarray|getopts)$/;
const DECLARES = /^(?:declare|typeset|local|export|readonly)$/;
const INNER = /\[[^\]]*(?:\$\(|`)/;
/**
 * Matches an array with a substitution in its elements. Used only for known words, because in others the substitution
 * runs before the command.
 */
const LIST = /=\([\s\S]*(?:\$\(|`)/;

/** True if the command reads one of its words as a name, a number or a list, and bash would run code in that word. */
export function evaluatesItsArguments({ args }: SimpleCommand, name: string): boolean {
  // `let` and `declare -i` evaluate values, so these must not contain text that is known only at run time.
  const numbers = name === "let" || (DECLARES.test(name) && anyWord(args, /^-\w*i/));
  if (numbers && args.some((arg) => arg.computed && !isNumberSource(substitutionIn(arg.value)))) return true;
  // A name that is known only at run time may have a subscript.
  if (NAMES_ONLY.test(name) && args.some((arg) => arg.computed)) return true;
  const readsName = /^(?:test|\[|printf)$/.test(name);
  if (readsName && args.some((arg, at) => arg.computed && LOOKS_UP_NAMES.test(wordAt(args, at - 1)))) return true;
  if (BY_NAME.test(name)) return anyWord(args, INNER);
  if (name === "printf") return args.some((arg, at) => INNER.test(arg.value) && /^-v/.test(wordAt(args, at - 1)));
  return DECLARES.test(name) && args.some(declaresCode);
}

function declaresCode({ value, known }: Arg): boolean {
  const equals = value.indexOf("=");
  if (INNER.test(equals < 0 ? value : value.slice(0, equals))) return true;
  return known && (LIST.test(value) || INNER.test(value));
}

/** True for commands such as `declare -i x` and `declare -n x`, after which every value of x is evaluated again. */
export const declaresReevaluated = ({ args }: SimpleCommand, name: string): boolean =>
  DECLARES.test(name) ? anyWord(args, /^-\w*[in]/) : name === "let";

const substitutionIn = (text: string): string => /\$\((.*)\)/s.exec(text)?.[1] ?? "";
