// Judges programs that delete, move, copy, link and change files.
import { isOutside } from "../../capabilities/outside.ts";
import { type Arg, NONE, type RiskContext, type Rule, type RuleTable } from "../../model.ts";
import { anyWord, has, type Options, readOptions, valuesOf, wordAt, wordsOf } from "../../parse/options.ts";
import {
  isDisk,
  isLocal,
  isStartup,
  isStreamDevice,
  isSystemTree,
  isTemporary,
  normalPath,
} from "../../parse/paths.ts";
import type { RiskCode } from "../../reasons.ts";
import { always, askUnlessOption } from "../conditions.ts";
import { writeRisks } from "./redirects.ts";

const remove: Rule = (command, context) => {
  const options = readOptions(command.args);
  const recursive = has(options, "r R recursive") || command.name !== "rm";
  if (options.longs.some((long) => long.startsWith("no-pres"))) return ["system_delete"];
  if (recursive && touchesSystem(options.operands, context)) return ["system_delete"];
  // Without -r only files are removed, but `rm -f /*` still targets the root.
  const root = anyWord(options.operands, /^\/+\*/);
  return root ? ["system_delete"] : ["delete"];
};

export const touchesSystem = (paths: readonly Arg[], context: RiskContext): boolean =>
  paths.some((arg) => braceWords(arg.value).some((path) => isSystemTree(path, context.cwd)));

/** Expands one level of braces, so /{bin,etc} becomes /bin and /etc. This is enough to recognize a system folder. */
function braceWords(text: string): readonly string[] {
  const match = /^([^{]*)\{([^{}]*)\}([^{]*)$/.exec(text);
  if (!match) return [text];
  return [text, ...(match[2] ?? "").split(",").map((word) => `${match[1]}${word}${match[3]}`)];
}

/** Creates a rule for programs that are blocked on a disk. */
const unlessDisk =
  (code: RiskCode): Rule =>
  (command) => [command.args.some((arg) => isDisk(arg.value)) ? "disk_write" : code];

const MOVE = "t target-directory S suffix";
const move: Rule = (command, context) => {
  const options = readOptions(command.args, MOVE);
  const { sources, target } = endpoints(options.operands, valuesOf(options, "t target-directory")[0]);
  if (target === undefined) return NONE;
  if (target === "/dev/null") return touchesSystem(sources, context) ? ["system_delete"] : ["delete"];
  if (isDisk(target)) return ["disk_write"];
  if (touchesSystem(sources, context)) return ["delete"];
  if (isStartup(target)) return ["startup"];
  // Moving a file also removes it from its source folder.
  if (sources.some((arg) => isForeign(arg.value, context))) return ["outside_workspace"];
  // A sandbox deletes its temporary folder when the command ends, and a file that was moved there with it.
  if (isTemporary(target) && !sources.every((arg) => isTemporary(arg.value))) return ["delete"];
  if (has(options, "n no-clobber") && !has(options, "f force")) return NONE;
  if (has(options, "f force") || isForeign(target, context)) return ["overwrite"];
  // A file that is moved into a folder keeps its name, so it rarely replaces another.
  const folder = /(?:\/|^\.{1,2})$/.test(target) || has(options, "t target-directory") || sources.length > 1;
  if (folder || has(options, "b backup") || /\.(?:bak|old|orig|backup)$/.test(target)) return NONE;
  // Renaming one file is harmless unless a name is known only at run time, points elsewhere, or denotes data.
  const spelledOut = options.operands.every((arg) => arg.known && arg.wild === "no" && !/[*?[{]/.test(arg.value));
  return spelledOut && isLocal(target) && !isOutside(target, context) && !DATA.test(target) ? NONE : ["overwrite"];
};

const KEPT = /(?:\.(?:bak|old|orig|backup|save|dump|copy)|~|(?:^|\/)backups?(?:\/.*)?)$/i;
const DATA = /\.(?:db|sqlite3?|sql|dump|mdb|rdb|key|pem|crt|tfstate)$/i;

const copy: Rule = (command, context) => {
  const options = readOptions(command.args, MOVE);
  const { sources, target } = endpoints(options.operands, valuesOf(options, "t target-directory")[0]);
  if (target === undefined || isStreamDevice(target)) return NONE;
  if (isDisk(target)) return ["disk_write"];
  if (isStartup(target)) return ["startup"];
  if (has(options, "n no-clobber")) return NONE;
  if (has(options, "f force remove-destination l link s symbolic-link")) return ["overwrite"];
  if (anyWord(sources, /^\/dev\/|^\/proc\//)) return ["overwrite"];
  if (isForeign(target, context)) return ["overwrite"];
  // A copy is risky if it restores a backup or overwrites data.
  const restores = anyWord(sources, KEPT) && !KEPT.test(target);
  return restores || (DATA.test(target) && !KEPT.test(target)) ? ["overwrite"] : NONE;
};

function endpoints(
  operands: readonly Arg[],
  folder: string | undefined,
): { sources: readonly Arg[]; target: string | undefined } {
  if (folder !== undefined) return { sources: operands, target: folder };
  if (operands.length < 2) return { sources: operands, target: undefined };
  return { sources: operands.slice(0, -1), target: operands.at(-1)?.value };
}

/** True outside the workspace, and for an absolute path that is not temporary and begins with no unknown variable. */
const isForeign = (path: string, context: RiskContext): boolean =>
  isOutside(path, context) || (!isLocal(path) && !isTemporary(path) && !/^\$(?!HOME|env:)/i.test(path));

const link: Rule = (command, context) => {
  const options = readOptions(command.args, MOVE);
  if (has(options, "f force")) return ["overwrite"];
  const target = options.operands.at(-1)?.value ?? "";
  if (pointsOutside(options, context)) return ["outside_workspace"];
  return options.operands.length > 1 &&
    (isOutside(target, context) || isStartup(target) || /^\/(?:etc|usr|bin|sbin|lib)/.test(normalPath(target)))
    ? ["overwrite"]
    : NONE;
};

/**
 * True if a link points outside the workspace, where a later write through the link would change a file. A relative
 * symbolic link is resolved from its own folder.
 */
function pointsOutside(options: Options, context: RiskContext): boolean {
  const words = wordsOf(options.operands);
  const [into] = valuesOf(options, "t target-directory");
  const sources = words.length > 1 && into === undefined ? words.slice(0, -1) : words;
  const link = words.length > 1 ? (words.at(-1) ?? "") : "";
  const from = into ?? (link.includes("/") ? link.slice(0, link.lastIndexOf("/")) : "");
  const inFolderOfLink = has(options, "s symbolic") && !has(options, "r relative") && from !== "";
  return sources
    .map((word) => (inFolderOfLink && !/^[~/$]/.test(word) ? `${from}/${word}` : word))
    .some((word) => !INSTALLED.test(word) && isOutside(word, context));
}
// Programs and libraries that only an administrator changes.
const INSTALLED = /^\/(?:usr|opt|bin|lib\d*|nix|snap)\/[^.]*[^./][^/]*$/;

const tee: Rule = (command) => {
  const options = readOptions(command.args);
  const appends = has(options, "a append");
  return options.operands.flatMap((arg) => writeRisks(arg, appends));
};

const changeMode: Rule = (command, context) => {
  const options = readOptions(command.args, "reference");
  const symbolic = command.args.find((arg) => /^-[rwxXst]+$/.test(arg.value) && !/^-R$/.test(arg.value));
  const recursive = has(options, "R recursive");
  const words = options.operands;
  const mode = symbolic?.value ?? wordAt(words, 0);
  const targets = symbolic ? words : words.slice(1);
  if (recursive && touchesSystem(targets, context)) return ["system_permission"];
  // find -exec chmod … {} changes a whole tree, as -R does.
  if (targets.some((arg) => !arg.known && arg.value.includes("{}"))) return ["permission"];
  if (anyWord(targets, /^\/+$/) || recursive) return recursive ? ["permission"] : ["system_permission"];
  const usual =
    /^[ugoa]*\+[xX]$/.test(mode) ||
    /^u\+[rwx]+$/.test(mode) ||
    /^0?(?:600|640|644|664|700|750|755|775|400|444)$/.test(mode);
  const elsewhere = anyWord(targets, /^\/(?!tmp\/|home\/|workspace\/|app\/)/);
  return usual && !elsewhere ? NONE : ["permission"];
};

const changeOwner: Rule = (command, context) => {
  const options = readOptions(command.args, "reference from");
  return has(options, "R recursive") && touchesSystem(options.operands.slice(1), context)
    ? ["system_permission"]
    : ["permission"];
};

const sync: Rule = (command, context) => {
  const options = readOptions(
    command.args,
    "e f B T M rsh filter exclude include exclude-from include-from files-from max-size min-size chmod chown port timeout bwlimit info partial-dir compare-dest link-dest copy-dest log-file rsync-path",
  );
  const [target] = options.operands.slice(-1);
  if (valuesOf(options, "rsync-path").length > 0) return ["code"];
  if (valuesOf(options, "e rsh").some((value) => !/^ssh(?: -[\w ./@:=~-]+)*$/.test(value))) return ["code"];
  if (has(options, "n dry-run list-only") && !options.operands.some((arg) => arg.wild !== "no")) return NONE;
  if (options.longs.some((long) => /^(?:del|remove-s)/.test(long))) return ["delete"];
  if (options.operands.length > 1 && /^(?:[\w.@-]+:|rsync:\/\/)/.test(target?.value ?? "")) return ["outward"];
  if (options.operands.length > 1 && (isForeign(target?.value ?? "", context) || isStartup(target?.value ?? "")))
    return ["overwrite"];
  return NONE;
};

const makeDirectory: Rule = (command) => {
  const options = readOptions(command.args, "m mode Z context");
  return anyWord(options.operands, /^\/(?:bin|boot|dev|etc|lib|proc|sbin|sys|usr)\b/) ? ["permission"] : NONE;
};

export const fileRules: RuleTable = {
  "rm grm rmdir unlink rimraf del-cli trash trash-put trash-empty gio-trash srm wipe rmtrash shred-files del erase rd":
    remove,
  shred: unlessDisk("delete"),
  "mv gmv": move,
  "cp gcp ditto": copy,
  ln: link,
  install: askUnlessOption("d directory", "overwrite", "m o g t S"),
  "truncate fallocate": unlessDisk("overwrite"),
  "tee sponge": tee,
  chmod: changeMode,
  "chown chgrp": changeOwner,
  "setfacl chattr setcap xattr chflags chcon restorecon": always("permission"),
  rsync: sync,
  patch: askUnlessOption("dry-run", "edit_in_place", "p i d"),
  "rename prename": askUnlessOption("n nono no-act", "overwrite"),
  "mmv vidir detox": always("overwrite"),
  "dos2unix unix2dos mogrify": always("edit_in_place"),
  "mkdir touch mkfifo": makeDirectory,
  mknod: always("raw_device"),
};
