// Turns a parsed shell word into arguments: quotes gone, escapes decoded, variables of this line put in. Runs nothing.
import type { CommandArgument, ParsedScript, Word, WordPart } from "unbash";
import type { Arg } from "./model.ts";
import { wordSet } from "./model.ts";

/** Values this command line gives its variables; null: given, but not known. */
export type Variables = Map<string, readonly (string | null)[]>;

// Their output names a place or a moment; nobody hides an option in it.
const PLAIN_SOURCES = wordSet(
  "git date whoami hostname basename dirname pwd mktemp uname nproc id wc which realpath readlink ls find arch command npm node go brew python python3 docker kubectl tput getconf cargo rustc fd rg seq pgrep jq grep",
);

type Piece = { text: string; known: boolean; wild: "no" | "one" | "many" };

/** The arguments one word becomes: more than one when an unquoted variable is split. */
export function readWord(word: Word, vars: Variables): readonly Arg[] {
  const parts = word.parts;
  if (!parts) return [{ value: word.value, known: true, wild: "no" }];
  const only = parts.length === 1 ? parts[0] : undefined;
  const split = only && variableName(only);
  if (split !== undefined) {
    const values = vars.get(split);
    if (values && !values.includes(null)) {
      const words = values.join(" ").split(/\s+/).filter(Boolean);
      // Several values: we do not know which one it is, so rules that relent on an option must not.
      const wild = values.length > 1 && mayBeOption(values) ? "many" : "no";
      return words.map((value) => ({ value, known: values.length === 1, wild }));
    }
  }
  const piece = join(parts.map((part) => readPart(part, vars, false)));
  return [{ value: piece.text, known: piece.known, wild: piece.wild }];
}

export function readArgument(arg: CommandArgument, vars: Variables): readonly Arg[] {
  if (arg.type === "Word") return readWord(arg, vars);
  if (arg.value.type === "ArrayValue") return [{ value: `${arg.name}=`, known: false, wild: "no" }];
  const [value] = readWord(arg.value, vars);
  const text = value?.value ?? "";
  return [{ value: `${arg.name}=${text}`, known: value?.known ?? true, wild: "no" }];
}

/** A command word must be spelled out: no variable, substitution, pattern or brace list in it. */
export function isLiteralWord(word: Word): boolean {
  const plain = (part: WordPart): boolean => {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        return true;
      case "DoubleQuoted":
      case "LocaleString":
        return part.parts.every(plain);
      default:
        return false;
    }
  };
  return word.parts?.every(plain) ?? true;
}

function readPart(part: WordPart, vars: Variables, quoted: boolean): Piece {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "Glob":
      return { text: part.value, known: true, wild: "no" };
    case "DoubleQuoted":
    case "LocaleString":
      return join(part.parts.map((child) => readPart(child, vars, true)));
    case "SimpleExpansion":
    case "ParameterExpansion":
      return readVariable(part, vars, quoted);
    case "CommandExpansion":
      return { text: part.text, known: false, wild: isPlainSource(part.script) ? "no" : quoted ? "one" : "many" };
    case "BraceExpansion":
      return { text: part.text, known: true, wild: /[{,]-/.test(part.text) ? "many" : "no" };
    case "ExtendedGlob":
      return { text: part.text, known: true, wild: "no" };
    default:
      return { text: part.text, known: false, wild: "no" };
  }
}

function readVariable(part: WordPart, vars: Variables, quoted: boolean): Piece {
  const wild = quoted ? "one" : "many";
  const name = variableName(part);
  const text = "text" in part ? part.text : "";
  if (name === undefined) return { text, known: false, wild };
  // Positional parameters and names that speak of options hold what somebody else put there.
  if (/^(?:[@*0-9]+|_|.*(?:flag|opt|arg|param|force).*)$/i.test(name) && !vars.has(name)) {
    return { text, known: false, wild };
  }
  const values = vars.get(name);
  if (!values) return { text: `$${name}`, known: false, wild: "no" };
  if (values.includes(null)) return { text: `$${name}`, known: false, wild };
  const [first] = values;
  if (values.length === 1 && typeof first === "string") return { text: first, known: true, wild: "no" };
  return { text: values.join(" "), known: false, wild: mayBeOption(values) ? wild : "no" };
}

const mayBeOption = (values: readonly (string | null)[]): boolean =>
  values.some((value) => value === null || /(?:^|\s)-/.test(value));

/** The variable of a bare `$x` or `${x}`; undefined for anything with an operation. */
function variableName(part: WordPart): string | undefined {
  if (part.type === "SimpleExpansion") return part.text.slice(1);
  if (part.type !== "ParameterExpansion") return undefined;
  if (part.operation || part.index || part.prefix) return undefined;
  return part.parameter === "IFS" ? undefined : part.parameter;
}

function isPlainSource(script: ParsedScript | undefined): boolean {
  if (script?.commands.length !== 1) return false;
  const node = script.commands[0]?.command;
  const first = node?.type === "Pipeline" ? node.commands[0] : node;
  return first?.type === "Command" && PLAIN_SOURCES.has(first.name?.value ?? "");
}

function join(pieces: readonly Piece[]): Piece {
  return {
    text: pieces.map((piece) => piece.text).join(""),
    known: pieces.every((piece) => piece.known),
    wild:
      pieces.find((piece) => piece.wild === "many")?.wild ?? pieces.find((piece) => piece.wild !== "no")?.wild ?? "no",
  };
}
