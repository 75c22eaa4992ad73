// Detects arguments that make a program run something else, such as options like --exec, pipes as file names, and
// native plug-ins.

import { type Arg, type SimpleCommand, wordSet } from "../model.ts";
import { anyWord, wordAt } from "../parse/options.ts";
import { isTemporary } from "../parse/paths.ts";
import type { RiskCode } from "../reasons.ts";
import { isReader } from "./access.ts";

const PRINTING_PROGRAMS = wordSet("echo printf grep egrep fgrep rg ag ack sed git gh test [ [[");
const TEXT_ONLY = wordSet(
  "echo printf : true false test [ [[ grep egrep fgrep rg ag ack sed awk gawk jq git gh docker podman kubectl export declare local readonly alias trap find fd xargs parallel env sudo ssh nix npx bunx uvx npm pnpm yarn bun watch hyperfine nodemon concurrently tmux screen script flock su runuser timeout pgrep pkill ps curl wget aws gcloud az psql mysql sqlite3 redis-cli mongosh perl ruby node python python3 bash sh zsh dash vim nvim emacs foreman overmind gum py-spy go-task just make tar helm code fzf",
);
const PROGRAM_OPTION =
  /^--?(?:[\w.]*[.-])?(?:[\w]*tool|exec|toolexec|wrapper|runner|program|launcher|pager|editor|pre-?process(?:or)?|post-?process(?:or)?|use-askpass|interpreter-path|compress-program|rsh|shell-command|hook|on-[\w-]+)(?:=(.*))?$/i;
// Options that select a built-in mode or a program of the project if their value is a plain name.
const MODE_OPTION = /^(?:--?(?:test-?runner|runner|editor|pager|color-program|no-[\w-]+|on-[\w-]+))$/i;
const PLAIN_VALUE = /^(?:[a-z][\w-]*|true|false|auto|never|always|\d+)$/;
const NATIVE_LIBRARY = /\.(?:so(?:\.\d+)*|dll|dylib)$/;
const CODE_OPTION =
  /^--?(?:[\w-]*-)?(?:config|plugins?|plugin-dir|resolve-[\w-]+|require|import|loader|load|preset|rules?|rulesdir|parser|root|rootdir|setup|init|init-script|settings|module|ext|extension|template|wrapper|tool|fplugin)(?:=(.*))?$/i;

// Matches a setting of any program that gives the path of a program to start or load, such as `-Dname=…` or `key=…`,
// also inside a list of flags.
const NAMES_PROGRAM =
  /(?:shell|wrapper|launcher|engine|linker|extld|runner|executable|run_?under|compiler|interpreter|toolexec)=(?:["']?)(?:\.{0,2}\/|~|\$)|^--run_under=./i;
const LOADS_AGENT = /-(?:javaagent|agentpath|agentlib):(?!jdwp)|-fplugin(?:=|\b)|-wrapper\b|-extld=|-Xclang -load/;
const COMPILERS = /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|[\w-]*-(?:gcc|g\+\+))$/;

// Programs that read options from `@file`. These options may set output paths or load code.
const READS_ARGUMENTS =
  /^(?:gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?|[\w-]*-(?:gcc|g\+\+|ld|ar)|ld|lld|gold|mold|ar|as|objcopy|strip|rustc|tsc|java|javac|javadoc|jar|jlink|jpackage|kotlinc|scalac|csc|swiftc|dotnet|7z|7za)$/;

export function runsArgumentRisks(command: SimpleCommand): readonly RiskCode[] {
  const { name, args } = command;
  if (PRINTING_PROGRAMS.has(name)) return [];
  if (args.some((arg) => NAMES_PROGRAM.test(arg.value) || LOADS_AGENT.test(arg.value))) return ["code"];
  if (COMPILERS.test(name) && anyWord(args, /^-(?:specs=|B|load$|fpass-plugin)/)) return ["code"];
  if (!isReader(command) && !HANDLES_FILES.has(name) && !COMPILERS.test(name) && loadsLibrary(args)) return ["code"];
  if (READS_ARGUMENTS.test(name) && anyWord(args, /^@./)) return ["not_literal"];
  if (name === "just" && anyWord(args, /^(?:--(?:set|shell|shell-arg|command)(?:=|$)|-c$)/)) return ["code"];
  const loads =
    !isReader(command) &&
    !(HANDLES_FILES.has(name) && args[0]?.value !== "compose") &&
    args.some((arg, at) => loadsTemporary(arg, args[at - 1]));
  if (loads) return ["script"];
  if (TEXT_ONLY.has(name)) return [];
  return args.flatMap((arg, at) => argumentRisks(arg, args[at + 1]));
}

/** True if an option loads a native library, as in `-D ./token.so`. An option that names an output file does not. */
const loadsLibrary = (args: readonly Arg[]): boolean =>
  args.some(({ value }, at) => {
    const option = wordAt(args, at - 1);
    return NATIVE_LIBRARY.test(value) && /^-[^=]*$/.test(option) && option !== "--" && !/^-o$|^--out/.test(option);
  });

// Programs that only handle files or have their own rules about temporary files.
const HANDLES_FILES = wordSet(
  "rm rmdir mv cp ln mkdir touch chmod chown tee dd tar unzip zip gzip gunzip 7z rsync install truncate split wget scp sftp docker podman kubectl ssh sqlite3 psql mysql ffmpeg convert magick pandoc dot diff patch openssl gpg export declare local alias trap source . exec sudo env timeout xargs find bash sh zsh node python python3 perl ruby php git code open xdg-open strace time script watch mktemp",
);
// Options that name where a program writes.
const OUTPUT_OPTION =
  /^--?[\w.-]*(?:out|dest|dir|log|report|cache|tmp|temp|result|save|write|coverage|junit|screenshot|trace|profile|prefix|target|build)[\w-]*$/i;
const CODE_FILE =
  /\.(?:[cm]?[jt]sx?|py|rb|sh|pl|php|lua|jar|dll|so|exe|gradle|cmake|ninja|mk|toml|ya?ml|ini|cfg)$|\/(?:[A-Z][a-z]+)*file$/i;

/**
 * True if an argument names settings or code in a temporary folder, where any user may put code. Output options may
 * name such a folder.
 */
function loadsTemporary(arg: Arg, before: Arg | undefined): boolean {
  const glued = /^(--?[\w.-]+)=(.+)$/s.exec(arg.value);
  const value = glued?.[2] ?? arg.value;
  if (!isTemporary(value)) return false;
  const option =
    glued?.[1] ?? (before?.value.startsWith("-") && !before.value.includes("=") ? before.value : undefined);
  if (option === undefined) return CODE_FILE.test(value);
  if (/^-[oOdCBPlD]$/.test(option)) return false;
  return !OUTPUT_OPTION.test(option) || (/config|rootdir|confcut|file$/i.test(option) && CODE_FILE.test(value));
}

function argumentRisks(arg: Arg, next: Arg | undefined): readonly RiskCode[] {
  const value = arg.value;
  // Many programs accept `|command` as a file name and run the command.
  if (/^(?:-{0,2}[\w-]*=?)\|\s*\S/.test(value) && !/^-{0,2}[\w-]*=?\|\|/.test(value)) return ["code"];
  const runs = PROGRAM_OPTION.exec(value);
  if (runs) {
    const given = runs[1] ?? next?.value ?? "";
    const namesMode = MODE_OPTION.test(value.replace(/=.*/s, "")) && PLAIN_VALUE.test(given);
    if (!namesMode && given !== "") return ["code"];
  }
  if (
    /plugin|load|engine/i.test(value.replace(/=.*/s, "")) &&
    NATIVE_LIBRARY.test(value.includes("=") ? value : (next?.value ?? ""))
  )
    return ["code"];
  const loads = CODE_OPTION.exec(value);
  return loads && isTemporary(loads[1] ?? next?.value ?? "") ? ["script"] : [];
}
