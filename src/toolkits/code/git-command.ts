// The command lines of git. A repository is untrusted: its configuration can name programs, and none of them may run.
import { fail, ok, type Result } from "../../schema/problem.ts";
import { quote } from "./run-program.ts";

/** Every setting that lets git start a program, follow a path of its own choice, or use the network. */
const SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.editor=false",
  "core.askPass=false",
  "core.sshCommand=false",
  "core.gitProxy=false",
  "core.alternateRefsCommand=false",
  "core.attributesFile=/dev/null",
  "core.excludesFile=/dev/null",
  "diff.external=",
  "diff.orderFile=/dev/null",
  "diff.ignoreSubmodules=all",
  "diff.trustExitCode=false",
  "mailmap.file=/dev/null",
  "mailmap.blob=",
  "log.mailmap=false",
  "log.showSignature=false",
  "gpg.program=false",
  "gpg.ssh.program=false",
  "gpg.x509.program=false",
  "protocol.allow=never",
  "submodule.recurse=false",
  "column.ui=never",
  "color.ui=never",
  // A folder that looks like a repository is none unless it is called .git.
  "safe.bareRepository=explicit",
  // Only the owner is checked by this; what the repository could make git do is disabled here anyway.
  "safe.directory=*",
];
const VARIABLES = [
  "GIT_CONFIG_NOSYSTEM=1",
  "GIT_CONFIG_GLOBAL=/dev/null",
  "GIT_OPTIONAL_LOCKS=0",
  "GIT_TERMINAL_PROMPT=0",
  "GIT_NO_LAZY_FETCH=1",
  "GIT_ATTR_NOSYSTEM=1",
  "GIT_PAGER=cat",
  "LC_ALL=C",
];

const gitLine = (settings: readonly string[], args: readonly string[]): string =>
  [
    ...VARIABLES,
    "git --no-pager --no-optional-locks --no-replace-objects --literal-pathspecs",
    ...settings.map((setting) => `-c ${quote(setting)}`),
    ...args.map(quote),
  ].join(" ");

/** Lists the names of all settings. It starts nothing, whatever they are. */
export const listSettings = (): string =>
  gitLine(["safe.bareRepository=explicit", "safe.directory=*"], ["config", "--list", "--name-only", "-z"]);

/** Prints where the repository is, and which worktree it says that it has. */
export const findRepository = (): string => {
  const place = (...what: readonly string[]) => gitLine(SETTINGS, ["rev-parse", "--path-format=absolute", ...what]);
  return `${place("--git-dir", "--git-common-dir", "--show-toplevel")} && { cat "$(${place("--git-dir")})/gitdir" 2>/dev/null || true; }`;
};

/**
 * `places`: what `findRepository` printed. A file or link named .git can lead to any repository of the machine. It is followed only
 * to one that names this folder as its worktree.
 */
export function isOwnRepository(places: string): boolean {
  const [folder, common, top, worktree, ...more] = places.trimEnd().split("\n");
  if (folder === undefined || common === undefined || more.length > 0) return false;
  const own = `${top}/.git`;
  if (folder === own) return common === own;
  return folder.startsWith(`${common}/worktrees/`) && worktree === own;
}

/** Settings that cannot be overridden without a change of meaning: a repository with one of them is not read. */
const REFUSED =
  /^(?:core\.worktree|blame\.ignorerevsfile|include(?:if)?\..*|extensions\.(?:partialclone|worktreeconfig)|remote\..*\.promisor)$/;
/** The name of a driver may be empty. */
const DRIVER = /^(?:filter|diff)\.(.*)\.(clean|smudge|process|required|command|textconv)$/s;

/** `names`: what `listSettings` printed. Filters and drivers have names of their own, so they are disabled one by one. */
export function gitCommand(names: string, args: readonly string[]): Result<string> {
  const settings = [...new Set(names.split("\0").filter((name) => name !== ""))];
  // `-c` ends a name at its first "=", so a driver with one in its name could not be disabled.
  const refused = settings.find((name) => REFUSED.test(name.toLowerCase()) || DRIVER.exec(name)?.[1]?.includes("="));
  if (refused) return fail("tool_refused", `The repository has the setting ${refused}, which is not supported.`);
  const disabled = settings.flatMap((name) => {
    const field = DRIVER.exec(name)?.[2];
    if (field === undefined) return [];
    return [`${name}=${field === "required" ? "false" : ""}`];
  });
  return ok(gitLine([...SETTINGS, ...disabled], args));
}
