// Finds commands that copy, print, search, list or serve whole folders that contain a protected path.
import { type Arg, type ClosedPlace, entriesByName, type RiskContext, type SimpleCommand, wordSet } from "../model.ts";
import { matchesName, relate } from "../parse/globs.ts";
import { hasWord, readOptions, valuesOf, wordAt, wordsOf } from "../parse/options.ts";
import { HOME, resolveWord, rootOf } from "./places.ts";

// Programs whose first operand is a pattern. sed and awk are not listed, because their program text can name files to
// read.
export const TAKES_PATTERN = /^(?:[efrz]?grep|(?:z[ef]|bz|xz|lz|zstd)grep|rg|ripgrep|ag|ack|ugrep)$/;
/** Programs that print or copy the content of a file. */
export const COPYING_PROGRAMS = wordSet(
  "cat head tail less more bat batcat nl od xxd hexdump hd strings base64 base32 sed awk gawk cut sort tac rev paste pr fold fmt cp mv tar zip gzip dd diff cmp jq zcat",
);
export const EXCLUDES = /^(?:--?(?:exclude|ignore|skip|no-)[\w-]*|-not|!|-prune|-I|-x|-X)$/;

export const patternOf = ({ args }: SimpleCommand): string =>
  args.find((arg) => !arg.value.startsWith("-"))?.value ?? "";

/** Returns the closed places inside the folders that a command copies, prints, searches, lists or serves. */
export function closedPlacesWithin(
  command: SimpleCommand,
  args: readonly Arg[],
  context: RiskContext,
): readonly ClosedPlace[] {
  const tree = treeOf(command, args);
  if (!tree) return [];
  const root = rootOf(context.places);
  const starts = tree.starts.length > 0 ? tree.starts : ["."];
  return starts.flatMap((word) => {
    const path = resolveWord(word, context.folder, root);
    if (!path) return [];
    return [...context.places.closed, ...KEY_FOLDERS].filter((place) => {
      // If the host did not name its closed paths, the data folder is only a guess.
      if (place.code === "closed_path" && !context.places.explicit) return false;
      return relate(path, place.components) === "contains" && tree.reaches(place);
    });
  });
}

// A command that searches or copies one or all home folders also reads the keys in them.
const KEY_FOLDERS: readonly ClosedPlace[] = [["home", "*"], ["Users", "*"], ["root"], [HOME]].flatMap((home) =>
  [".ssh", ".aws", ".gnupg"].map(
    (folder): ClosedPlace => ({ components: [...home, folder], code: "credentials", mention: undefined }),
  ),
);

type Tree = { readonly starts: readonly string[]; reaches(place: ClosedPlace): boolean };

const lastComponent = (place: ClosedPlace): string => place.components.at(-1) ?? "";
export const isFolder = (place: ClosedPlace): boolean =>
  !/\.(?:[cm]?[jt]sx?|json|ya?ml|toml)$/.test(lastComponent(place));
const excludes = (command: SimpleCommand, place: ClosedPlace): boolean =>
  command.args.some(
    (arg, at) =>
      place.mention?.test(arg.value) &&
      (/^!|^--(?:exclude|ignore)/.test(arg.value) ||
        EXCLUDES.test(wordAt(command.args, at - 1)) ||
        EXCLUDES.test(wordAt(command.args, at - 2))),
  );

const VALUED = "f C T A B C m e I directory";

/** The paths that tar or jar archives. With `-C dir`, `dir` stands for all words after it, which lie inside it. */
function archived({ args: [first] }: SimpleCommand, args: readonly Arg[]): readonly string[] {
  const at = args.findIndex(({ value }) => /^(?:-C|--directory)/.test(value));
  const here = wordsOf(readOptions(at < 0 ? args : args.slice(0, at), VALUED).operands);
  const named = here.filter((word) => word !== first?.value && !/\.(?:tar|t?gz|tar\.\w+|[jwe]ar)$|^-$/.test(word));
  return [...named, ...valuesOf(readOptions(args, VALUED), "C directory")];
}

type ReadWords = {
  readonly command: SimpleCommand;
  readonly args: readonly Arg[];
  readonly operands: readonly string[];
  readonly flags: readonly string[];
  /** All short options as one string. */
  readonly letters: string;
};

/** The folders that programs read whole, or undefined if the options of the command do not make it read any. */
const READS_WHOLE = entriesByName<(words: ReadWords) => readonly string[] | undefined>({
  "cp gcp": ({ letters, flags, operands }) =>
    /[rRa]/.test(letters) || flags.includes("--recursive") || flags.includes("--archive")
      ? operands.slice(0, -1)
      : undefined,
  rsync: ({ operands }) => operands.slice(0, -1),
  "tar gtar bsdtar": ({ command, args, flags }) =>
    /^[a-zA-Z]*[cru]/.test(wordAt(command.args, 0)) ||
    flags.some((flag) => /^-[a-zA-Z]*[cru]|^--(?:create|append|update)/.test(flag))
      ? archived(command, args)
      : undefined,
  zip: ({ letters, operands }) => (letters.includes("r") ? operands.slice(1) : undefined),
  jar: ({ command, args, flags }) =>
    /^-?[a-zA-Z]*c/.test(wordAt(command.args, 0)) || flags.includes("--create") ? archived(command, args) : undefined,
  "7z 7za 7zr 7zz": ({ operands }) => (operands[0] === "a" ? operands.slice(2) : undefined),
  // These programs compare or copy folders without needing an option.
  "difft delta ditto": ({ operands }) => (operands.length > 0 ? operands : undefined),
  "diff colordiff icdiff ydiff": ({ letters, operands }) => (letters.includes("r") ? operands : undefined),
  "serve http-server live-server": ({ operands }) => operands.slice(0, 1),
});

function treeOf(command: SimpleCommand, args: readonly Arg[]): Tree | undefined {
  const operands = wordsOf(readOptions(args, VALUED).operands);
  const flags = wordsOf(command.args).filter((value) => value.startsWith("-"));
  const letters = flags.filter((flag) => !flag.startsWith("--")).join("");
  const whole = READS_WHOLE.get(command.name);
  if (!whole) return searchTree(command, operands, letters) ?? pythonTree(command) ?? serverTree(command);
  const starts = whole({ command, args, operands, flags, letters });
  return starts && { starts, reaches: (place) => !excludes(command, place) };
}

/** Returns the tree that `python -m zipfile -c x.zip .` or `python -m tarfile -c x.tar .` archives. */
function pythonTree({ args }: SimpleCommand): Tree | undefined {
  const values = wordsOf(args);
  const at = values.findIndex((value, i) => values[i - 1] === "-m" && /^(?:zipfile|tarfile)$/.test(value));
  const creates = at >= 0 && values.some((value, i) => i > at && /^(?:-c|--create)$/.test(value));
  return creates ? { starts: values.slice(at + 3), reaches: () => true } : undefined;
}

/** Returns the tree that `python -m http.server` or `php -S` serves, which defaults to the working folder. */
function serverTree(command: SimpleCommand): Tree | undefined {
  const values = wordsOf(command.args);
  const serves = values.includes("http.server") || (command.name === "php" && values.includes("-S"));
  if (!serves || values.includes("--help")) return undefined;
  const at = values.findIndex((value) => /^(?:-d|--directory|-t)$/.test(value));
  return { starts: at < 0 ? ["."] : [values[at + 1] ?? "."], reaches: () => true };
}

export const MATCHES_ANYTHING = /^\^?(?:\.?[*+]?|\[\^?.*\][*+]?|\\[wsSW][*+]?)\$?$/;

function searchTree(command: SimpleCommand, operands: readonly string[], letters: string): Tree | undefined {
  const { name } = command;
  if (name === "find" || name === "gfind") return findTree(command);
  if (/^(?:ls|ll|la|l|dir|exa|eza|lsd|tree)$/.test(name)) {
    const hidden = /[aA]/.test(letters) || /^(?:la|ll)$/.test(name) || hasWord(command.args, "--all --almost-all");
    return { starts: operands, reaches: (place) => hidden || !lastComponent(place).startsWith(".") };
  }
  if (name === "git") return gitTree(command, operands);
  if (name === "fd" || name === "fdfind") return fdTree(command, letters);
  const anyGrep = /grep$/.test(name) && TAKES_PATTERN.test(name);
  const grep = name === "rgrep" || (anyGrep && (/[rR]/.test(letters) || hasWord(command.args, "--recursive")));
  const ripgrep = /^(?:rg|ripgrep|ag|ack)$/.test(name);
  if (!grep && !ripgrep) return undefined;
  // The pattern is read from the command, because `operands` does not contain it.
  const pattern = patternOf(command);
  const hidden = grep || /[u.]/.test(letters) || hasWord(command.args, "--hidden --no-ignore --unrestricted");
  const includes = command.args.find((arg) => /^--include=/.test(arg.value))?.value.slice(10);
  const namesOnly = hasWord(command.args, "--files") && ripgrep;
  return {
    starts: operands,
    reaches(place) {
      if (namesOnly || excludes(command, place)) return false;
      if (place.code === "other_process" || MATCHES_ANYTHING.test(pattern)) return true;
      // A search for a pattern shows only matching lines. In a data folder, any line may be secret; in a source file,
      // none is.
      return (
        isFolder(place) &&
        (hidden || !lastComponent(place).startsWith(".")) &&
        (includes === undefined || isDataName(includes))
      );
    },
  };
}

function fdTree(command: SimpleCommand, letters: string): Tree {
  const values = wordsOf(command.args);
  const exec = values.findIndex((value) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(value));
  const own = exec < 0 ? command.args : command.args.slice(0, exec);
  const options = readOptions(own, "e extension E exclude d max-depth t type g glob S size");
  const extensions = valuesOf(options, "e extension");
  const hidden = /[Hu]/.test(letters) || hasWord(command.args, "--hidden --unrestricted");
  // True if the content of the files is shown, not only their names.
  const dumps = exec >= 0 && COPYING_PROGRAMS.has(values[exec + 1] ?? "");
  return {
    starts: wordsOf(options.operands.slice(1)),
    reaches: (place) =>
      (hidden || !lastComponent(place).startsWith(".")) &&
      (isFolder(place) ||
        (dumps && (extensions.length === 0 || extensions.some((end) => lastComponent(place).endsWith(end))))),
  };
}

/** Covers the git commands that handle files outside the index, such as `ls-files -o` and `add -f`. */
function gitTree(command: SimpleCommand, operands: readonly string[]): Tree | undefined {
  const [verb] = operands;
  if (/^diff(?:tool)?$/.test(verb ?? "") && hasWord(command.args, "--no-index"))
    return { starts: operands.slice(1), reaches: () => true };
  const outsideIndex =
    (verb === "ls-files" && hasWord(command.args, "-o --others")) ||
    (verb === "grep" && hasWord(command.args, "--no-index --untracked")) ||
    // These commands add ignored files to the repository, which can then show them.
    (verb === "add" && hasWord(command.args, "-f --force")) ||
    (verb === "stash" && hasWord(command.args, "-a --all"));
  return outsideIndex
    ? { starts: verb === "grep" ? operands.slice(2) : verb === "stash" ? [] : operands.slice(1), reaches: isFolder }
    : undefined;
}

/** True if a pattern may match files of a data folder. A pattern for names of source files does not. */
const isDataName = (pattern: string): boolean =>
  !/^(?:Dockerfile|Makefile|README.*|LICENSE.*|package(?:-lock)?\.json|tsconfig.*\.json)$|^[\w.*-]+\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cpp|hpp|cs|php|swift|css|scss|html?|md|mdx|vue|svelte|sh|ya?ml|toml|sql)$/.test(
    pattern,
  );

function findTree(command: SimpleCommand): Tree {
  const values = wordsOf(command.args);
  const searches = values.some((value, at) => /^-exec/.test(values[at - 1] ?? "") && !COPYING_PROGRAMS.has(value));
  const first = values.findIndex((value) => /^[-(!]/.test(value) && !/^-[HLPOD]/.test(value));
  const names = values.filter(
    (_value, at) => /^-i?name$/.test(values[at - 1] ?? "") && !EXCLUDES.test(values[at - 2] ?? ""),
  );
  return {
    starts: values.slice(0, first < 0 ? undefined : first).filter((value) => !value.startsWith("-")),
    reaches(place) {
      // A program after -exec that does not print whole files shows at most matching lines of a source file. It is also
      // judged separately.
      if (excludes(command, place) || (!isFolder(place) && searches)) return false;
      if (names.length === 0) return true;
      return names.some(
        (name) => matchesName(name, lastComponent(place), true) || (isFolder(place) && isDataName(name)),
      );
    },
  };
}
