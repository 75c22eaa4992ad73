// Finds text that is only text until the shell reads it a second time: bash evaluates an array subscript, and with it any
// substitution inside, wherever a number or the name of a variable is wanted. Judges nothing else.
import type { SyntaxNode, Word, WordPart } from "unbash";
import type { Arg, Scope, SimpleCommand } from "./model.ts";
import type { Variables } from "./words.ts";

const SUBSCRIPT = /[A-Za-z_]\w*\[[^\]]*(?:\$\(|`)/;
const SUBSTITUTION = /\$\(|`/;
const COMPARES_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;
const LOOKS_UP_NAMES = /^-[vR]$/;

/** Notes what hides a substitution and what would read it again; together they run code. */
export function noteReadAgain(node: SyntaxNode, vars: Variables, seen: Scope["seen"]): void {
  if (node.type === "Word") {
    if (SUBSCRIPT.test(plainText(node, vars))) seen.subscript ??= node.text;
  } else if (node.type === "Assignment") {
    // What it is appended to may end with the opening bracket.
    if (node.append && node.value.type === "Word" && SUBSTITUTION.test(plainText(node.value, vars)))
      seen.subscript ??= node.text;
    if (node.index) seen.reads_again = true;
  } else if (node.type === "ArithmeticWord") {
    // Quotes protect nothing in an arithmetic expression.
    if (SUBSTITUTION.test(node.value)) seen.subscript ??= node.value;
  } else if (readsAgain(node)) seen.reads_again = true;
}

function readsAgain(node: SyntaxNode): boolean {
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

/** The letters that stand there: what a substitution prints is not among them, and it is judged by itself. */
function plainText(word: Word, vars: Variables): string {
  return word.parts ? word.parts.map((part) => plainPart(part, vars)).join("") : word.value;
}

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
      return (vars.get(part.text.slice(1)) ?? []).join("");
    case "ParameterExpansion":
      return (vars.get(part.parameter) ?? []).join("");
    default:
      return "";
  }
}

const BY_NAME = /^(?:test|\[|let|read|unset|mapfile|readarray|getopts|wait)$/;
const DECLARES = /^(?:declare|typeset|local|export|readonly)$/;
const INNER = /\[[^\]]*(?:\$\(|`)/;
/** Of a known word: where it is not, the bracket may well belong to a text that only shows a substitution's output. */
const LIST = /=\([\s\S]*(?:\$\(|`)/;

/** Does one of its own words run code because this command takes it for a name, a number or a list? */
export function evaluatesItsWords({ args }: SimpleCommand, name: string): boolean {
  if (BY_NAME.test(name)) return args.some((arg) => INNER.test(arg.value));
  if (name === "printf") return args.some((arg, at) => INNER.test(arg.value) && /^-v/.test(args[at - 1]?.value ?? ""));
  return DECLARES.test(name) && args.some(declaresCode);
}

function declaresCode({ value, known }: Arg): boolean {
  const equals = value.indexOf("=");
  if (INNER.test(equals < 0 ? value : value.slice(0, equals))) return true;
  return known && (LIST.test(value) || INNER.test(value));
}

/** `declare -i x` and `declare -n x`: from then on every value of x is read again. */
export const makesReadAgain = ({ args }: SimpleCommand, name: string): boolean =>
  DECLARES.test(name) ? args.some((arg) => /^-\w*[in]/.test(arg.value)) : name === "let";
