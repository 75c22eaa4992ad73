// Reads a command line that can be recognized again because it is one simple command with only literal words.
import { type Command, parse, type SyntaxNode } from "unbash";
import type { CommandPlaces } from "../../ports/operations.ts";
import type { CallAccess } from "../../schema/receipt.ts";
import type { CommandWords } from "../../tools/define-tool.ts";
import { classifyCommand } from "./risk/classify.ts";
import { wordSet } from "./risk/model.ts";
import { isLiteralWord } from "./risk/parse/words.ts";
import { hasHidden } from "./risk/reasons.ts";
import { classifyOptions } from "./risk-hooks.ts";

const MAX_LENGTH = 4_096;

/** Null for a line with an operator, redirection, substitution, assignment, pattern or hidden character. */
export function simpleCommand(command: string, folder: string | undefined): CommandWords | null {
  if (command.length > MAX_LENGTH || hasHidden(command)) return null;
  const only = statementOf(command);
  const words = only?.type === "Command" ? literalWords(only) : null;
  return words && { words, folder: folderName(folder) };
}

/** Returns the command that the only statement of a line runs in the foreground, or null for any other line. */
function statementOf(line: string): SyntaxNode | null {
  const script = parse(line);
  const [statement, ...more] = script.commands;
  return script.errors?.length || !statement || more.length > 0 || statement.background ? null : statement.command;
}

/** Returns the commands of a line that is one command or one pipe, or null for any other line. */
function commandsOf(line: string): readonly Command[] | null {
  const node = statementOf(line);
  if (node?.type === "Command") return [node];
  if (node?.type !== "Pipeline") return null;
  const commands = node.commands.filter((stage): stage is Command => stage.type === "Command");
  return commands.length === node.commands.length ? commands : null;
}

/** Programs that print only their arguments, or nothing. */
const PRINTING_PROGRAMS = wordSet("echo printf true false : sleep seq yes");

/** Returns "nothing" for a line that only prints its own words: `echo "all tests pass"` checks nothing. */
export function accessOfLine(line: string): CallAccess {
  const { access } = classifyCommand(line);
  return access === "read" && parse(line).commands.every(({ command }) => onlyPrints(command)) ? "nothing" : access;
}

function onlyPrints(node: SyntaxNode): boolean {
  if (node.type === "Pipeline" || node.type === "AndOr") return node.commands.every(onlyPrints);
  const words = node.type === "Command" ? literalWords(node) : null;
  return words !== null && (PRINTING_PROGRAMS.has(words[0] ?? "") || (words[0] === "cat" && words.length === 1));
}

export const isPipe = (line: string): boolean => statementOf(line)?.type === "Pipeline";

function literalWords({ name, prefix, suffix }: Command): readonly string[] | null {
  if (!name || prefix.length > 0 || !isLiteralWord(name)) return null;
  const words = [name.value];
  for (const word of suffix) {
    if (word.type !== "Word" || !isLiteralWord(word)) return null;
    words.push(word.value);
  }
  return words;
}

const folderName = (folder: string | undefined): string => folder?.replace(/^(?:\.\/)+|\/+$/g, "") || ".";

// Programs that only read their input, use no network and start no other program.
const LOCAL_READERS = wordSet(
  "cat head tail wc ls pwd echo printf stat file sort uniq cut tr nl tac rev diff cmp comm basename dirname realpath readlink date whoami id uname du df tree grep egrep fgrep rg true false test [ seq md5sum sha1sum sha256sum sha512sum od xxd hexdump strings jq column fold fmt paste join expand",
);
const GIT_LOCAL_READS = wordSet(
  "status log show blame shortlog describe rev-parse rev-list ls-files ls-tree cat-file name-rev merge-base diff diff-tree diff-index diff-files grep",
);

// Programs that change only the files and folders given as arguments.
const CHANGING_PROGRAMS = wordSet("mkdir rmdir touch rm unlink mv cp ln chmod truncate tee");
const PATHS_MAX = 20;

/** Returns the paths that a pipe of well-known commands can change, or null for any other line. */
export function changedPaths(line: string, folder: string | undefined): readonly string[] | null {
  if (line.length > MAX_LENGTH) return null;
  const found = commandsOf(line)?.map(pathsChangedBy);
  if (!found || found.length === 0 || found.includes(null)) return null;
  const base = folderName(folder);
  const paths = new Set(found.flatMap((paths) => paths ?? []).map((path) => withinFolder(base, path)));
  return paths.size <= PATHS_MAX ? [...paths] : null;
}

function pathsChangedBy({ name, prefix, suffix }: Command): readonly string[] | null {
  if (!name || prefix.length > 0 || !isLiteralWord(name)) return null;
  const changes = CHANGING_PROGRAMS.has(name.value);
  if (!changes && !LOCAL_READERS.has(name.value)) return null;
  const paths: string[] = [];
  for (const part of suffix) {
    const target = part.type === "Redirect" ? (part.target ?? null) : part;
    if (target?.type !== "Word" || !isLiteralWord(target)) return null;
    const isPath = part.type === "Redirect" ? part.operator.startsWith(">") : changes && !target.value.startsWith("-");
    if (isPath && target.value !== "/dev/null") paths.push(target.value);
  }
  return paths;
}

const withinFolder = (base: string, path: string): string =>
  (base === "." || path.startsWith("/") ? path : `${base}/${path}`).replace(/^(?:\.\/)+|\/+$/g, "") || ".";

type CommandCall = {
  readonly command: string;
  readonly folder?: string | undefined;
  readonly network?: boolean | undefined;
};

/**
 * True if a command needs no approval, uses no network and writes nothing outside the workspace. It must also either
 * start no program of the workspace or run in the sandbox.
 */
export function isHarmlessCommand(call: CommandCall, places: CommandPlaces | undefined): boolean {
  const { command, folder, network = false } = call;
  if (network || hasHidden(command)) return false;
  const { verdict, access } = classifyCommand(command, classifyOptions(places, folder));
  if (verdict !== "allow") return false;
  if (places?.sandboxed) return true;
  return access === "read" && (commandsOf(command)?.every(readsOnlyLocalFiles) ?? false);
}

function readsOnlyLocalFiles(command: Command): boolean {
  const [name, verb] = literalWords(command) ?? [];
  if (name === undefined) return false;
  return name === "git" ? GIT_LOCAL_READS.has(verb ?? "") : LOCAL_READERS.has(name);
}
