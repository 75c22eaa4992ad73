// Converts a parsed shell word to arguments. Removes quotes, decodes escapes, and substitutes variables of this line.
// It runs nothing.
import type { CommandArgument, ParsedScript, Word, WordPart } from "unbash";
import { type Arg, wordSet } from "../model.ts";

export type Variables = {
  /** The values that this command line gives its variables. Null is a value that is set but unknown. */
  readonly values: Map<string, readonly (string | null)[]>;
  /**
   * Variables that contain the output of a command ("text", or "number" if it can only be a number) or text that a
   * builtin read ("content").
   */
  readonly computed: Map<string, "text" | "number" | "content">;
};
export const createVariables = (): Variables => ({ values: new Map(), computed: new Map() });

// Programs that usually print names, paths, numbers or times, which cannot be mistaken for an option.
const PLAIN_SOURCES = wordSet(
  "git date whoami hostname basename dirname pwd mktemp uname nproc id wc which realpath readlink ls find arch command npm node go brew python python3 docker kubectl tput getconf cargo rustc fd rg seq pgrep jq grep",
);

type Piece = { text: string; known: boolean; wild: "no" | "one" | "many"; computed?: Arg["computed"] | undefined };

/** Returns the arguments of one word. An unquoted variable may be split into several. */
export function readWord(word: Word, vars: Variables): readonly Arg[] {
  const parts = word.parts;
  if (!parts) return [{ value: word.value, known: true, wild: "no" }];
  const only = parts.length === 1 ? parts[0] : undefined;
  const split = only && variableName(only);
  if (split !== undefined) {
    const values = vars.values.get(split);
    if (values && !values.includes(null)) {
      const words = values.join(" ").split(/\s+/).filter(Boolean);
      // Only one of several values is in effect, so an option among them must not make a rule less strict.
      const wild = values.length > 1 && mayBeOption(values) ? "many" : "no";
      return words.map((value) => ({ value, known: values.length === 1, wild }));
    }
  }
  const piece = join(parts.map((part) => readPart(part, vars, false)));
  return [toArg(piece.text, piece)];
}

const toArg = (value: string, piece: Omit<Piece, "text">): Arg => ({
  value,
  known: piece.known,
  wild: piece.wild,
  ...(piece.computed && { computed: piece.computed }),
});

export function readArgument(arg: CommandArgument, vars: Variables): readonly Arg[] {
  if (arg.type === "Word") return readWord(arg, vars);
  if (arg.value.type === "ArrayValue") return [{ value: `${arg.name}=`, known: false, wild: "no" }];
  const [value] = readWord(arg.value, vars);
  const text = value?.value ?? "";
  return [toArg(`${arg.name}=${text}`, { known: true, ...value, wild: "no" })];
}

/** True for a literal command word, without a variable, substitution, pattern or brace list. */
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
      return {
        text: part.text,
        known: false,
        wild: isPlainSource(part.script) ? "no" : quoted ? "one" : "many",
        computed: "output",
      };
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
  if (name === undefined) {
    // The expansion may be any element of the array.
    const elements = part.type === "ParameterExpansion" && part.index ? vars.values.get(part.parameter) : undefined;
    const [element] = elements?.length === 1 ? elements : [];
    const computed = part.type === "ParameterExpansion" ? computedBy(part.parameter, vars) : undefined;
    return { text: element ?? text, known: false, wild, computed };
  }
  // Unless this line sets them, positional parameters and variables with names such as FLAGS may hold options.
  if (/^(?:[@*0-9]+|_|.*(?:flag|opt|arg|param|force).*)$/i.test(name) && !vars.values.has(name)) {
    return { text, known: false, wild };
  }
  const values = vars.values.get(name);
  const computed = computedBy(name, vars);
  if (!values) return { text: `$${name}`, known: false, wild: "no", computed };
  if (values.includes(null)) return { text: `$${name}`, known: false, wild, computed };
  const [first] = values;
  if (values.length === 1 && typeof first === "string") return { text: first, known: true, wild: "no", computed };
  return { text: values.join(" "), known: false, wild: mayBeOption(values) ? wild : "no", computed };
}

function computedBy(name: string, vars: Variables): Arg["computed"] {
  const kind = vars.computed.get(name);
  return kind === undefined ? undefined : kind === "content" ? "content" : "output";
}

const mayBeOption = (values: readonly (string | null)[]): boolean =>
  values.some((value) => value === null || /(?:^|\s)-/.test(value));

/** Returns the variable of a bare `$x` or `${x}`, or undefined for anything with an operation. */
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
    computed:
      pieces.find((piece) => piece.computed === "content")?.computed ??
      pieces.find((piece) => piece.computed)?.computed,
    wild:
      pieces.find((piece) => piece.wild === "many")?.wild ?? pieces.find((piece) => piece.wild !== "no")?.wild ?? "no",
  };
}
