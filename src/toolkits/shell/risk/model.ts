// Defines the types that the rules share: arguments, simple commands, and the context in which a rule judges one.
import type { Access, RiskCode } from "./reasons.ts";

/** The workspace and the paths that commands must not touch. */
export type Places = {
  /** The workspace as components of an absolute path, or undefined if the host did not provide it. */
  readonly workspace: readonly string[] | undefined;
  readonly closed: readonly ClosedPlace[];
  /** True if the host named its closed paths, so that they are known to exist. */
  readonly explicit: boolean;
};

export type ClosedPlace = {
  readonly components: readonly string[];
  readonly code: "closed_path" | "other_process" | "credentials";
  /** Matches the path in program text. Undefined if the name alone is not specific enough. */
  readonly mention: RegExp | undefined;
};

export type Shell = "bash" | "powershell" | "cmd";

/**
 * An argument without quotes and escapes. `known` is true if every character is certain. `wild` is "one" word or "many"
 * if this line computes the value, which is unknown and could even be an option.
 */
export type Arg = {
  readonly value: string;
  readonly known: boolean;
  readonly wild: "no" | "one" | "many";
  /** Set if the word contains the output of a command of this line, or text that a builtin read from a file. */
  readonly computed?: "output" | "content";
};

/** The standard input: none from this line, known text, or text that is known only at run time ("opaque"). */
export type Stdin =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "opaque";
      readonly network: boolean;
      /** True if the text consists of file names, as printed by find, ls or git. */
      readonly names?: boolean;
    };

export type SimpleCommand = {
  readonly name: string;
  readonly args: readonly Arg[];
  readonly stdin: Stdin;
  /** The source text, for excerpts. */
  readonly text: string;
};

export type RiskContext = {
  report(code: RiskCode, excerpt: string): void;
  /** Notes how a command accesses the workspace or the system. */
  note(access: Access): void;
  /** Judges the words of another command that `from` starts. */
  runWords(words: readonly Arg[], from: SimpleCommand): void;
  /** Judges shell program text that `from` runs. */
  runScript(text: string, shell: Shell, from: SimpleCommand): void;
  /** Returns the context for commands inside a container, which can only damage the container. */
  contained(): RiskContext;
  readonly inContainer: boolean;
  hasRule(name: string): boolean;
  readonly seen: Findings;
  readonly functions: Set<string>;
  /** The folder of the last literal `cd`, if any. */
  cwd: string | undefined;
  /**
   * The working folder as components of an absolute path, in which a placeholder stands for an unknown workspace or
   * home folder. Undefined after a `cd` to an unknown folder.
   */
  folder: readonly string[] | undefined;
  readonly places: Places;
};

/** Facts about the line so far. Some matter only in combination, such as a fetched file and a script that runs. */
export type Findings = {
  fetched?: boolean;
  script?: string;
  /** A subscript with a substitution, which runs if the line also evaluates text a second time. */
  subscript?: string;
  reevaluates?: boolean;
  /** Set if the line prints names in a closed place. They matter if a command reads files by computed names. */
  closed_names?: "folder" | "file";
  reads_listed?: string;
  searches_listed?: string;
  dotglob?: boolean;
  /** True if environment variables were removed, which may include those that mark the processes of a command. */
  cleared?: boolean;
  /** True if a variable was declared so that values assigned to it are evaluated, as with `declare -i`. */
  integers?: boolean;
  /** True if a file of secrets was read into variables. */
  secrets?: boolean;
};

export type Rule = (command: SimpleCommand, context: RiskContext) => readonly RiskCode[];
/** Rules by program. A key lists all programs that share a rule, as in "rm rmdir". */
export type RuleTable = Readonly<Record<string, Rule>>;

export const NONE: readonly RiskCode[] = [];
export const literal = (value: string): Arg => ({ value, known: true, wild: "no" });
/** Creates a word that another program fills in, such as `{}` of find. */
export const placeholder = (value: string): Arg => ({ value, known: false, wild: "no", computed: "output" });
/** Converts a string such as "a b" to the set of its words, which keeps tables readable. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));
/** Returns one entry for each name. If several tables contain a name, the last one counts. */
export const entriesByName = <T = Rule>(...tables: readonly Readonly<Record<string, T>>[]): ReadonlyMap<string, T> =>
  new Map(
    tables
      .flatMap(Object.entries<T>)
      .flatMap(([names, entry]) => names.split(" ").map((name) => [name, entry] as const)),
  );
