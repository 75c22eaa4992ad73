// Finds access to protected paths: the host's data folder, its configuration, and the memory of other processes. Any
// command that could read or change them needs approval, however the path is written. A program that only prints names
// needs approval only if another command reads files by computed names.
import { type Arg, type RiskContext, type SimpleCommand, wordSet } from "../model.ts";
import { isPattern, relate } from "../parse/globs.ts";
import { anyWord, hasWord, wordAt } from "../parse/options.ts";
import type { RiskCode } from "../reasons.ts";
import {
  COPYING_PROGRAMS,
  closedPlacesWithin,
  EXCLUDES,
  isFolder,
  MATCHES_ANYTHING,
  patternOf,
  TAKES_PATTERN,
} from "./closed-trees.ts";
import { pathWords, resolveWord, rootOf } from "./places.ts";

// Programs whose arguments are text, never file names.
const PRINTING_PROGRAMS = wordSet(
  "echo printf : true false say notify-send figlet cowsay export local declare typeset readonly",
);
// Programs that show that a file exists, or its size or checksum, but not its content.
const SHOWS_NAMES = wordSet(
  "ls ll la l dir exa eza lsd stat du dust df tree test [ [[ file wc md5sum sha1sum sha256sum sha512sum shasum cksum b2sum basename dirname realpath readlink find fd fdfind which locate",
);
const SEARCHES = /^(?:g?find|fd|fdfind|[ef]?grep|rg|ripgrep|ag|ugrep)$/;
// Options that narrow a search by name. Their values are patterns, not paths.
const NAME_FILTER = /^(?:-i?(?:name|path|wholename|regex)|-g|--i?glob|--include|-e|--extension)$/;
const IS_TEXT = /^(?:-[a-zA-Z]*m|--(?:message|title|body|description|subject|trailer|author))$/;
const GIT_SHOWS_NAMES = /^(?:status|check-ignore|ls-files|rm)$/;

export function closedPathRisks(command: SimpleCommand, context: RiskContext): readonly RiskCode[] {
  // compgen is the shell's own way to list file names.
  if (command.name === "compgen" && context.places.explicit && hasWord(command.args, "-f -d -G -A"))
    context.seen.closed_names = "folder";
  if (PRINTING_PROGRAMS.has(command.name)) {
    // A pattern, as in `echo .paw*`, prints the names of the files that match it.
    const lists = command.args.some((arg) => isPattern(arg.value) && !argumentRisks(arg, context).next().done);
    if (lists) context.seen.closed_names = "folder";
    return [];
  }
  const args = pathArguments(command);
  const codes = new Set<RiskCode>();
  for (const arg of args) for (const code of argumentRisks(arg, context)) codes.add(code);
  const within = closedPlacesWithin(command, args, context);
  if (showsNames(command)) {
    if (codes.size > 0 || within.some(isFolder)) context.seen.closed_names = "folder";
    else if (within.length > 0) context.seen.closed_names ??= "file";
    return [];
  }
  for (const place of within) codes.add(place.code);
  if (context.places.explicit && takesNamesFromFile(command)) codes.add("not_literal");
  if (command.args.some(isFilledIn)) {
    const searches = TAKES_PATTERN.test(command.name) && !MATCHES_ANYTHING.test(patternOf(command));
    if (searches) context.seen.searches_listed ??= command.text;
    else context.seen.reads_listed ??= command.text;
    // A computed file name may be that of a protected file.
    const hides = context.places.explicit && COPYING_PROGRAMS.has(command.name) && command.args.some(isComputedName);
    if (hides) codes.add("not_literal");
  }
  return [...codes];
}

/** True for commands that archive or copy the files named in a list, which may contain protected ones. */
function takesNamesFromFile({ name, args, stdin }: SimpleCommand): boolean {
  if (name === "cpio" || name === "pax") return stdin.kind === "opaque" && !stdin.names;
  return /^(?:g?tar|bsdtar|rsync|zip)$/.test(name) && anyWord(args, /^(?:-T|-@|--files-from)(?:=|$)/);
}

const isComputedName = (arg: Arg): boolean =>
  arg.computed === "content" || (arg.wild !== "no" && /\$\(|`/.test(arg.value));

export const closedTargetRisks = (target: Arg, context: RiskContext): readonly RiskCode[] => [
  ...argumentRisks(target, context),
];

const isFilledIn = (arg: Arg): boolean =>
  !arg.known && (arg.wild !== "no" || arg.computed !== undefined || arg.value.includes("{}"));

function showsNames(command: SimpleCommand): boolean {
  const verb = wordAt(command.args, 0);
  if (command.name === "git")
    return (
      GIT_SHOWS_NAMES.test(verb) || (verb === "log" && !anyWord(command.args, /^(?:-[pucLSG]|--(?:patch|cc)|-p.*)/))
    );
  // With such an option, these programs print the lines of a file as file names.
  if (anyWord(command.args, /^(?:-f|--files-from|--files0-from)(?:=|$)/) && /^(?:file|wc|du|sort)$/.test(command.name))
    return false;
  return (
    SHOWS_NAMES.has(command.name) &&
    !hasWord(command.args, "-exec -execdir -ok -okdir -x -X --exec --exec-batch -delete")
  );
}

/** Returns the arguments that may be paths, without patterns, messages and excluded paths. */
function pathArguments({ name, args }: SimpleCommand): readonly Arg[] {
  const given = anyWord(args, /^(?:-[a-zA-Z]*[ef]|--(?:regexp|expression|file))(?:=|$)/);
  const pattern = TAKES_PATTERN.test(name) && !given ? args.find((arg) => !arg.value.startsWith("-")) : undefined;
  return args.filter((arg, at) => {
    const before = wordAt(args, at - 1);
    if (
      arg === pattern ||
      /^!(?!\()|^--(?:exclude|ignore|message|title|body|grep|author|format|pretty)[\w-]*=/.test(arg.value)
    )
      return false;
    if (/^--include=/.test(arg.value) || (NAME_FILTER.test(before) && SEARCHES.test(name))) return false;
    if (IS_TEXT.test(before) && /^(?:git|gh|glab|hg|svn)$/.test(name)) return false;
    return !(EXCLUDES.test(before) && /^(?:tree|zip|tar|rsync|rg|grep|du|diff|fd|ag)$/.test(name));
  });
}

function* argumentRisks(arg: Arg, context: RiskContext): Generator<RiskCode> {
  const root = rootOf(context.places);
  for (const word of pathWords(arg)) {
    const path = resolveWord(word, context.folder, root);
    const plain = path !== undefined && context.places.workspace !== undefined && /^[\w./*?[\]{},~+$-]+$/.test(word);
    for (const place of context.places.closed) {
      if (path && relate(path, place.components, context.seen.dotglob) === "inside" && !isOwnStream(path))
        yield place.code;
      else if (!plain && place.mention?.test(word)) yield place.code;
    }
    // Such a path may also occur inside program text.
    if (/\/proc\/[^/\s]+\/(?:environ|mem|maps|auxv|root|cwd)\b/.test(word)) yield "other_process";
  }
}

/** True for /dev/stdin and similar paths. */
const isOwnStream = (path: readonly string[]): boolean =>
  path[0] === "proc" && path[1] === "self" && path[2] === "fd" && /^[0-2]$/.test(path[3] ?? "");
