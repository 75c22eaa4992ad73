// Detects writes outside the workspace. Every path outside needs approval, unless the program is known to be read-only
// or has its own rule.

import { type RiskContext, type SimpleCommand, wordSet } from "../model.ts";
import { wordAt } from "../parse/options.ts";
import { isStreamDevice, isTemporary } from "../parse/paths.ts";
import type { RiskCode } from "../reasons.ts";
import { isReader } from "./access.ts";
import { isWithin, pathWords, resolveWord, rootOf } from "./places.ts";

// Programs with their own rules about paths, or programs that pass their words to a command that is judged separately.
const HAS_OWN_RULE = wordSet(
  "rm rmdir unlink mv cp ln chmod chown chgrp install truncate tee dd sed awk gawk perl ruby php node nodejs python python3 lua bash sh zsh dash ksh fish source . eval cd pushd popd docker podman kubectl ssh scp rsync sudo env nohup setsid time timeout xargs parallel find fd nice ionice stdbuf watch strace ltrace psql mysql mongosh redis-cli aws gcloud az curl systemctl journalctl test [ [[ export alias trap exec command builtin set read mapfile dpkg rpm open xdg-open less more man bat jq yq xmllint sort shuf iconv tree uniq xxd java tsx ts-node adb",
);
// Options that name what a program reads, such as headers, libraries and system settings.
const INPUT_OPTION =
  /^(?:-(?:I|L|isystem|idirafter|iquote|isysroot)|--?(?:sysroot|include|include-dir|library-path|cacert|cert|key|ca|interpreter|python|kubeconfig|classpath|cp|source|from|input|in|template|reference-doc|env-file|root-cert))(?:=.*)?$/;

export function outsideRisks(command: SimpleCommand, context: RiskContext): readonly RiskCode[] {
  const { name, args } = command;
  if (writesOutside(command, context)) return ["outside_workspace"];
  if (isReader(command) || REPORTERS.has(name)) return [];
  // Modules such as venv, zipfile and compileall write to the paths that they receive.
  const runsModule = /^(?:python\d?|pypy\d?)$/.test(name) && args[0]?.value === "-m";
  if (HAS_OWN_RULE.has(name) && !runsModule) return [];
  if (worksOutside(context)) return ["outside_workspace"];
  const outside = args.some((arg, at) => {
    if (INPUT_OPTION.test(arg.value) || INPUT_OPTION.test(wordAt(args, at - 1)) || /^-[IL]\//.test(arg.value))
      return false;
    // For these programs `//pkg:all` is a target, not a path.
    if (arg.value.startsWith("//") && /^(?:bazel|bazelisk|buck2?|pants|please)$/.test(name)) return false;
    return pathWords(arg).some((word) => isOutside(word, context));
  });
  return outside ? ["outside_workspace"] : [];
}

// Programs that run another command and write a report about it.
const REPORTERS = wordSet("strace ltrace time script perf valgrind");
const OUTPUT = /^(?:-o|--?(?:out|output|outfile|out-?file|output-?file|log-?file|log-out|report-?file))(?:=(.*))?$/i;
// For these programs, -o does not name an output file.
const WITHOUT_OUTPUT_FILE = wordSet(
  "grep egrep fgrep zgrep rg ag ack find ps ls lsof test [ [[ set shopt ssh scp mount",
);

/** True if an output option names a file outside the workspace, which even a program that only reads would write. */
const writesOutside = ({ name, args }: SimpleCommand, context: RiskContext): boolean =>
  !WITHOUT_OUTPUT_FILE.has(name) &&
  args.some((arg, at) => {
    const option = OUTPUT.exec(arg.value);
    const target = option && (option[1] ?? args[at + 1]?.value);
    return Boolean(target) && isOutside(target ?? "", context);
  });

/** True if the working folder is known to be outside the workspace and not temporary. */
function worksOutside({ folder, places }: RiskContext): boolean {
  if (!folder || !places.workspace || isWithin(folder, places.workspace)) return false;
  return !isTemporary(`/${folder.join("/")}`);
}

/** True for an absolute path inside the workspace, if the location of the workspace is known. */
export function isInWorkspace(word: string, context: RiskContext): boolean {
  const path = resolveWord(word, undefined, rootOf(context.places));
  return path !== undefined && context.places.workspace !== undefined && isWithin(path, context.places.workspace);
}

/**
 * True if the word names a path outside the workspace, other than a temporary one or /dev/null. A plain relative path
 * is outside only if the working folder is.
 */
export function isOutside(word: string, context: RiskContext): boolean {
  if (!/^(?:~|\/|\.\.(?:\/|$)|\$\{?HOME\b|[a-z]:[\\/])|\/\.\.(?:\/|$)/i.test(word))
    return !word.startsWith("-") && worksOutside(context);
  // Text between slashes that contains special characters is a regular expression, not a path.
  if (/^\/[^/]*\/[gimsuy]*$/.test(word) && /[\\^$|()[\]+*?]/.test(word)) return false;
  if (isStreamDevice(word) || isTemporary(word)) return false;
  const path = resolveWord(word, context.folder, rootOf(context.places));
  return path === undefined ? /^[a-z]:[\\/]/i.test(word) : !isWithin(path, rootOf(context.places));
}
