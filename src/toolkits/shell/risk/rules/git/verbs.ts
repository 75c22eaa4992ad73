// Judges the git subcommands whose risk depends on their options and operands, and git settings.
import { type Arg, entriesByName, NONE, type Rule } from "../../model.ts";
import { anyWord, has, readOptions, wordAt, wordsOf } from "../../parse/options.ts";
import type { RiskCode } from "../../reasons.ts";
import { allowed, always, askOnArg, askOnOption } from "../conditions.ts";
import { verbRule } from "../verbs.ts";

// Keys whose value leads to a program, another remote, or weaker protection.
const RISKY_KEY =
  /^(?:alias\.|core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|worktree|attributesfile)|pager\.|sequence\.editor|diff\.(?:external|.*\.(?:command|textconv))|difftool\.|mergetool\.|merge\..*\.driver|filter\.|credential\.|gpg\.|include|url\.|remote\.|http\..*(?:proxy|sslverify)|http\.(?:proxy|sslverify)|uploadpack\.|receive\.|protocol\.|init\.templatedir|trailer\..*\.(?:command|cmd)|browser\.|man\.|web\.browser|interactive\.difffilter|submodule\..*\.update|clean\.requireforce|safe\.|transfer\.fsckobjects)/i;
const PLAIN_VALUE =
  /^(?:|cat|less(?: -\w+)*|more|vim?|nvim|nano|emacs|code(?: --wait)?|delta|true|false|cache(?: --timeout=\d+)?|osxkeychain|store|manager|wincred|input|ssh)$/;

/** Returns the risks of git config. Reading is allowed, as are values that cannot start anything. */
function configRisks(args: readonly Arg[]): readonly RiskCode[] {
  const options = readOptions(args, "f file blob t type default value");
  const words = wordsOf(options.operands);
  const verb = words[0] ?? "";
  if (/^(?:unset|remove-section|rename-section|edit)$/.test(verb)) return ["environment"];
  if (
    options.longs.some((long) => /^(?:unset|remove-section|rename-section|edit|replace-all)/.test(long)) ||
    options.shorts.includes("e")
  )
    return ["environment"];
  if (options.longs.some((long) => /^(?:get|list|show)/.test(long)) || options.shorts.includes("l")) return NONE;
  if (/^(?:get|list)$/.test(verb)) return NONE;
  const [key, value] = verb === "set" ? words.slice(1) : words;
  if (key === undefined || value === undefined) return NONE;
  return settingRisks(key, value);
}

export function settingRisks(key: string, value: string): readonly RiskCode[] {
  if (!RISKY_KEY.test(key)) return NONE;
  if (/sslverify|requireforce|fsckobjects|^receive\.|^safe\./i.test(key)) return ["environment"];
  // Each use of an alias for a plain subcommand needs approval, because the alias is an unknown subcommand.
  if (/^alias\./i.test(key))
    return value.startsWith("!") || /(?:force|hard|\s-f|-D\b|clean)/.test(value) ? ["environment"] : NONE;
  return PLAIN_VALUE.test(value) ? NONE : ["environment"];
}

const push: Rule = (command) => {
  const options = readOptions(command.args, "o push-option repo recurse-submodules");
  if (has(options, "n dry-run")) return NONE;
  const forced =
    options.longs.some((long) => /^(?:for|forc|force.*|del.*|mir.*|pru.*)$/.test(long)) || /[fd]/.test(options.shorts);
  const refs = anyWord(options.operands.slice(1), /^\+|^:|^\$\{?\w*\}?:?\+/);
  const [remote] = options.operands;
  if (!forced && !refs && /^(?:https?|ssh|git|file|ftps?):|^[\w.-]+@/.test(remote?.value ?? "")) return ["outward"];
  // A first operand that starts with `+` is a refspec, because it cannot be a remote.
  return forced || refs || /^\+/.test(wordAt(options.operands, 0)) ? ["force_push"] : NONE;
};

const pull: Rule = (command) => {
  const options = readOptions(command.args, "s X j depth strategy strategy-option");
  const refs = options.operands.slice(1).some((arg) => arg.value.startsWith("+"));
  return has(options, "f force") || refs ? ["history_rewrite"] : NONE;
};

const fetch: Rule = (command) => {
  const options = readOptions(command.args, "j depth refmap o negotiation-tip shallow-since shallow-exclude");
  const refs = anyWord(options.operands.slice(1), /^\+(?!refs\/heads\/\*:refs\/remotes\/)/);
  return has(options, "f force u update-head-ok") || refs ? ["history_rewrite"] : NONE;
};

const clone: Rule = (command, context) => {
  context.seen.fetched = true;
  const options = readOptions(
    command.args,
    "b o u c j depth branch origin config template reference separate-git-dir upload-pack filter",
  );
  if (has(options, "u upload-pack template")) return ["code"];
  if (options.values.get("c")?.length || options.values.get("config")?.length) return ["environment"];
  return anyWord(options.operands, /^-/) ? ["code"] : NONE;
};

const branch: Rule = (command) => {
  const options = readOptions(command.args, "u set-upstream-to contains merged no-merged points-at sort format");
  if (has(options, "d D delete")) return ["delete"];
  if (has(options, "M C f force")) return ["history_rewrite"];
  return NONE;
};

const tag: Rule = (command) => {
  const options = readOptions(
    command.args,
    "m F u n message file local-user sort format contains points-at merged no-merged cleanup",
  );
  if (has(options, "d delete")) return ["delete"];
  return has(options, "f force") ? ["history_rewrite"] : NONE;
};

// A word with an extension or a path pattern names a file rather than a branch.
const isPath = (text: string): boolean =>
  /^(?:\.{1,2}(?:\/.*)?|:.*|.*\*.*|.*\/)$/.test(text) ||
  /(?:^|\/)[^/~^@]*[^/~^@.\d]\.[a-z]{1,5}\w?$/i.test(text) ||
  /^(?:Makefile|Dockerfile|README|LICENSE|package\.json)$/.test(text);

const checkout: Rule = (command) => {
  const options = readOptions(command.args, "b B orphan conflict pathspec-from-file");
  if (has(options, "f force ours theirs m merge p patch B pathspec-from-file")) return ["discard_changes"];
  if (has(options, "b orphan t track detach")) return NONE;
  const dashes = options.operands.length > options.beforeDashes;
  if (dashes || options.operands.length > 1) return ["discard_changes"];
  const word = wordAt(options.operands, 0);
  return isPath(word) ? ["discard_changes"] : NONE;
};

const switchTo: Rule = (command) => {
  const options = readOptions(command.args, "c C create force-create orphan conflict");
  return has(options, "f force discard-changes C force-create m merge") ? ["discard_changes"] : NONE;
};

const restore: Rule = (command) => {
  const options = readOptions(command.args, "s source U pathspec-from-file");
  const staged = has(options, "S staged");
  return staged && !has(options, "W worktree") ? NONE : ["discard_changes"];
};

const reset: Rule = (command) => {
  const options = readOptions(command.args, "U pathspec-from-file");
  if (has(options, "hard merge keep")) return ["discard_changes"];
  if (options.operands.length === 0 || options.beforeDashes === 0) return NONE;
  // The commit can be repeated, because files and staged changes are kept.
  if (has(options, "soft") && options.operands.every((arg) => arg.known)) return NONE;
  const [target, ...paths] = wordsOf(options.operands);
  if (target === "HEAD" || target === "@") return NONE;
  return paths.length === 0 && isPath(target ?? "") && !has(options, "soft mixed") ? NONE : ["history_rewrite"];
};

const clean: Rule = (command) => {
  const options = readOptions(command.args, "e exclude");
  return has(options, "n dry-run") && command.args.every((arg) => arg.wild === "no") ? NONE : ["delete"];
};

const remove: Rule = (command) => {
  const options = readOptions(command.args, "pathspec-from-file");
  return has(options, "cached n dry-run") ? NONE : ["delete"];
};

const symbolicRef: Rule = (command) => {
  const options = readOptions(command.args, "m");
  return has(options, "d delete") || options.operands.length > 1 ? ["history_rewrite"] : NONE;
};

export const gitVerbs = entriesByName<Rule>({
  push,
  pull,
  fetch,
  clone,
  // A commit with --amend can be undone, and pushing it requires force.
  "commit diff ls-remote": allowed,
  branch,
  tag,
  checkout,
  switch: switchTo,
  restore,
  reset,
  clean,
  rm: remove,
  mv: askOnOption("f force", "overwrite"),
  "merge cherry-pick am": askOnOption("abort quit", "discard_changes", "m F s X"),
  gc: askOnArg(/^--prune=/, "history_rewrite"),
  remote: verbRule({
    allow: "show, get-url, update, -v",
    delete: "remove, rm, prune",
    environment: "add, set-url, set-head, set-branches, rename",
  }),
  stash: verbRule({
    valued: "m message",
    allow: "list, show, push, save, pop, apply, branch, create, store",
    delete: "drop, clear",
  }),
  maintenance: verbRule({ allow: "run", startup: "start, register", other: "environment" }),
  reflog: verbRule({
    allow: "show, exists, list",
    history_rewrite: "expire, delete",
    other: "allow",
  }),
  worktree: verbRule({
    valued: "b B reason",
    allow: "list, add, lock, unlock, repair",
    delete: "remove, prune",
    overwrite: "move",
    askOn: ["f force B", "delete"],
  }),
  submodule: verbRule({
    allow: "status, update, init, add, summary, foreach, sync, absorbgitdirs",
    delete: "deinit",
    environment: "set-url, set-branch",
    askOn: ["f force", "discard_changes"],
  }),
  lfs: verbRule({
    allow:
      "ls-files, track, pull, fetch, status, env, version, install, checkout, push, logs, fsck, locks, clone, ext, pointer",
    delete: "prune, untrack",
    history_rewrite: "migrate",
    environment: "uninstall, update",
    askOn: ["f force", "overwrite"],
  }),
  "symbolic-ref": symbolicRef,
  config: (command) => configRisks(command.args),
  notes: verbRule({
    allow: "list, show, add, append, copy, get-ref",
    delete: "remove, prune",
    other: "history_rewrite",
    askOn: ["f force", "overwrite"],
  }),
  bisect: verbRule({
    allow: "start, good, bad, new, old, skip, log, view, visualize, terms, reset, run, replay",
  }),
  rerere: verbRule({ allow: "status, diff, remaining", delete: "clear, forget, gc", other: "allow" }),
  "update-index": askOnOption("force-remove remove", "delete"),
  grep: askOnOption("O open-files-in-pager", "code", "A B C e f m"),
  rebase: (command) => (command.args.some((arg) => arg.value === "--show-current-patch") ? NONE : ["history_rewrite"]),
  "filter-branch filter-repo replace update-ref fast-import reroot prune prune-packed repack unpack-objects":
    always("history_rewrite"),
  "read-tree checkout-index sparse-checkout": always("discard_changes"),
  "difftool mergetool instaweb daemon": always("code"),
  "send-email imap-send svn p4 http-push send-pack": always("outward"),
  "credential credential-store credential-cache": always("credentials"),
});
