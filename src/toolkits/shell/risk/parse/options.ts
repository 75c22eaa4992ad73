// Reads options and operands of an argument list as getopt does, without knowing the program.
import type { Arg } from "../model.ts";

export type Options = {
  readonly shorts: string;
  readonly longs: readonly string[];
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly Arg[];
  /** The number of operands before `--`, or of all operands if there is none. */
  readonly beforeDashes: number;
};

export const wordsOf = (args: readonly Arg[]): readonly string[] => args.map(({ value }) => value);
export const anyWord = (args: readonly Arg[], pattern: RegExp): boolean =>
  args.some(({ value }) => pattern.test(value));
/** The word at a position, or an empty string outside the list. */
export const wordAt = (args: readonly Arg[], at: number): string => args[at]?.value ?? "";

/**
 * Reads options and operands. `valued` names the options that take a value, as in "C c git-dir". Long names are
 * converted to lower case.
 */
export function readOptions(args: readonly Arg[], valued = ""): Options {
  const takes = new Set(valued.split(" "));
  const values = new Map<string, string[]>();
  const keep = (name: string, value: string) => values.set(name, [...(values.get(name) ?? []), value]);
  const longs: string[] = [];
  const operands: Arg[] = [];
  let shorts = "";
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i] as Arg;
    const text = arg.value;
    if (text === "--") break;
    if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = text.slice(2, equals < 0 ? undefined : equals).toLowerCase();
      longs.push(name);
      if (equals >= 0) keep(name, text.slice(equals + 1));
      else if (takes.has(name)) keep(name, wordAt(args, ++i));
      continue;
    }
    if (!text.startsWith("-") || text === "-") {
      operands.push(arg);
      continue;
    }
    for (let at = 1; at < text.length; at++) {
      const letter = text[at] as string;
      shorts += letter;
      if (!takes.has(letter)) continue;
      keep(letter, at + 1 < text.length ? text.slice(at + 1) : wordAt(args, ++i));
      break;
    }
  }
  const beforeDashes = operands.length;
  for (i++; i < args.length; i++) operands.push(args[i] as Arg);
  return { shorts, longs, values, operands, beforeDashes };
}

/**
 * True if one of the options is present. `names` has the form "f force". A long name may be shortened, as getopt
 * allows.
 */
export function has(options: Options, names: string): boolean {
  return names.split(" ").some((name) => {
    if (name.length === 1) return options.shorts.includes(name);
    return options.longs.some((long) => long === name || (long.length >= 3 && name.startsWith(long)));
  });
}

export function valuesOf(options: Options, names: string): readonly string[] {
  return names.split(" ").flatMap((name) => options.values.get(name) ?? []);
}

/**
 * True if one of these words is present, also as `word=value`. Used for long options after a single dash, such as
 * -delete and -out.
 */
export function hasWord(args: readonly Arg[], names: string): boolean {
  const wanted = names.split(" ");
  return args.some((arg) => wanted.some((name) => arg.value === name || arg.value.startsWith(`${name}=`)));
}

/** Returns the words after the leading options and `skip` operands, where a wrapped command starts. */
export function afterOptions(args: readonly Arg[], valued: string, skip = 0): readonly Arg[] {
  const takes = new Set(valued.split(" "));
  let i = 0;
  for (; i < args.length; i++) {
    const text = wordAt(args, i);
    if (text === "--") {
      i++;
      break;
    }
    if (!text.startsWith("-") || text === "-") break;
    if (text.startsWith("--")) {
      if (!text.includes("=") && takes.has(text.slice(2))) i++;
      continue;
    }
    const letters = [...text.slice(1)];
    const first = letters.findIndex((letter) => takes.has(letter));
    if (first === letters.length - 1) i++;
  }
  return args.slice(i + skip);
}
