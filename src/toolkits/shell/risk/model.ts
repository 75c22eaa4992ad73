// The types that the rules share: an argument, a simple command, and what a rule may ask of the walk.
import type { Access, RiskCode } from "./reasons.ts";

/** What the host says about the place where a command runs. */
export type Places = {
  /** The workspace as components of an absolute path; undefined when the host did not say. */
  readonly workspace: readonly string[] | undefined;
  readonly closed: readonly ClosedPlace[];
  /** True when the host named its closed paths, so that they are known to exist. */
  readonly explicit: boolean;
};

export type ClosedPlace = {
  readonly components: readonly string[];
  readonly code: "closed_path" | "other_process" | "credentials";
  /** The path as it is written in program text; undefined if the name alone is not specific enough. */
  readonly mention: RegExp | undefined;
};

export type Shell = "bash" | "powershell" | "cmd";

/**
 * One argument after quotes and escapes are gone. `known`: every character is certain. `wild`: made inside this
 * command line out of something we cannot read, so it could be an option: "one" word or "many".
 */
export type Arg = {
  readonly value: string;
  readonly known: boolean;
  readonly wild: "no" | "one" | "many";
  /** Set if the word holds what a command of this line prints, or what a builtin read from a file. */
  readonly computed?: "output" | "content";
};

/** What a command reads from its standard input: nothing from this line, known text, or text that is known only at run time. */
export type Stdin =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "opaque";
      readonly network: boolean;
      /** True if the text consists of names of files, as find, ls or git print them. */
      readonly names?: boolean;
    };

export type SimpleCommand = {
  readonly name: string;
  readonly args: readonly Arg[];
  readonly stdin: Stdin;
  /** The source text, for excerpts. */
  readonly text: string;
};

export type Scope = {
  report(code: RiskCode, excerpt: string): void;
  /** Notes what a command does to the workspace or the system when it runs. */
  note(access: Access): void;
  /** Judges the words of another command that this one starts. */
  runWords(words: readonly Arg[], from: SimpleCommand): void;
  /** Judges shell program text that this command starts. */
  runScript(text: string, shell: Shell, from: SimpleCommand): void;
  /** The same walk inside a container: what would ruin the machine only ruins the container. */
  contained(): Scope;
  readonly inContainer: boolean;
  /** True if there is a rule for a program of this name. */
  knows(name: string): boolean;
  /**
   * Facts that matter only together: a file that is fetched and a script that is run; text with a substitution in a subscript
   * and something that evaluates text; names in a closed place and a command that reads files by computed names.
   */
  readonly seen: {
    closed_names: "folder" | "file" | undefined;
    reads_listed: string | undefined;
    searches_listed: string | undefined;
    dotglob: boolean;
    /** True if variables were removed, such as those that mark the processes of a command. */
    cleared: boolean;
    /** True if a variable was declared whose values are evaluated. */
    integers: boolean;
    /** True if a file of secrets was read into variables. */
    secrets: boolean;
    fetched: boolean;
    script: string | undefined;
    subscript: string | undefined;
    reevaluates: boolean;
  };
  readonly functions: Set<string>;
  /** The folder of the last literal `cd`, if any. */
  cwd: string | undefined;
  /**
   * The same folder as components of a path that starts in the workspace; undefined after a `cd` to an unknown folder.
   */
  folder: readonly string[] | undefined;
  readonly places: Places;
};

export type Rule = (command: SimpleCommand, scope: Scope) => readonly RiskCode[];
/** Rules by program; a key lists all programs that share a rule: "rm rmdir". */
export type RuleTable = Readonly<Record<string, Rule>>;

export const NONE: readonly RiskCode[] = [];
export const literal = (value: string): Arg => ({ value, known: true, wild: "no" });
/** A word that some other program fills in, such as `{}` of find. */
export const placeholder = (value: string): Arg => ({ value, known: false, wild: "no", computed: "output" });
/** `wordSet("a b")` is the set of a and b, which keeps tables readable. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));
/** One rule for each name; of a name in several tables the last one counts. */
export const rulesByName = (...tables: readonly RuleTable[]): ReadonlyMap<string, Rule> =>
  new Map(
    tables
      .flatMap(Object.entries<Rule>)
      .flatMap(([names, rule]) => names.split(" ").map((name) => [name, rule] as const)),
  );
