// Builds the command lines of git. A repository is untrusted: its configuration can name programs, none of which may
// run.
import { exceedsBytes } from "../../schema/byte-length.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { quote } from "./run-program.ts";

/** Values for every setting that lets git start a program, follow a path from the configuration, or use the network. */
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
  // Both settings enable indexes that can name object files; git finds every object without them.
  "core.multiPackIndex=false",
  "core.commitGraph=false",
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
  // A folder that looks like a repository is treated as one only if its name is .git.
  "safe.bareRepository=explicit",
  // This affects only the ownership check. Everything harmful that a repository could make git do is disabled here.
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

/** Lists the names of all settings without starting a program. */
export const listSettings = (): string =>
  gitLine(["safe.bareRepository=explicit", "safe.directory=*"], ["config", "--list", "--name-only", "-z"]);

/** Prints the current folder with all links resolved. */
export const PRINT_FOLDER = "pwd -P";

/** Arguments of `find` for what makes git read outside the repository. Hooks do not run, so they may be links. */
const OUTSIDE_FILES = [
  "-path ./hooks -prune",
  "-type l -print",
  ...["objects/info/alternates", "objects/info/http-alternates", "info/grafts"].map((path) => `-path ./${path} -print`),
].join(" -o ");

/**
 * Prints the git folder, the common git folder, the worktree, the .git file that the git folder names as its worktree,
 * and then a path in each git folder that points outside, if there is one.
 */
export const findRepository = (): string => {
  const place = (what: string) => `$(${gitLine(SETTINGS, ["rev-parse", "--path-format=absolute", what])})`;
  return [
    `own=${place("--git-dir")} && common=${place("--git-common-dir")} && top=${place("--show-toplevel")}`,
    `printf '%s\\n' "$own" "$common" "$top" "$(cat "$own/gitdir" 2>/dev/null)"`,
    `for part in "$own" "$common"; do (cd "$part" && find . ${OUTSIDE_FILES} | head -n 1); done`,
  ].join(" && ");
};

/**
 * `root` is the folder of the workspace, and `places` the output of the command from `findRepository`. A repository is
 * read only if it lies in the workspace and needs no files outside. A file named .git can point to any repository on the
 * machine. It is followed only to a repository that names this folder as its worktree, because nobody in the workspace
 * could have written that entry.
 */
export function repositoryProblem(root: string, places: string): string | null {
  const [folder, common, top, worktree, ...more] = places.split("\n");
  if (folder === undefined || common === undefined || top === undefined) return "There is no repository.";
  if (top !== root && !top.startsWith(root === "/" ? "/" : `${root}/`))
    return "The folder belongs to a repository that is larger than the workspace.";
  const own = `${top}/.git`;
  const linked = folder.startsWith(`${common}/worktrees/`) && worktree === own;
  if (!linked && (folder !== own || common !== own))
    return "The folder leads to a repository elsewhere that does not know it as its worktree.";
  const elsewhere = more.find((line) => line !== "");
  return elsewhere ? `The repository needs files elsewhere: ${elsewhere.slice(0, 200)}.` : null;
}

/** Settings that cannot be overridden without changing the meaning of the output, so that the repository is refused. */
const REFUSED =
  /^(?:core\.worktree|blame\.ignorerevsfile|include(?:if)?\..*|extensions\.(?:partialclone|worktreeconfig)|remote\..*\.promisor)$/;
/** The system accepts at most 128 KB per argument. */
const LINE_BYTES_MAX = 120_000;
/** Matches the settings of filters and drivers. The name of a driver can be empty. */
const DRIVER = /^(?:filter|diff)\.(.*)\.(clean|smudge|process|required|command|textconv)$/s;

/** `names` is the output of `listSettings`. Its filters and drivers are disabled individually, because no option of git disables all of them. */
export function gitCommand(names: string, args: readonly string[]): Result<string> {
  const settings = [...new Set(names.split("\0").filter((name) => name !== ""))];
  // `-c` ends a name at its first "=", so a driver with "=" in its name could not be disabled.
  const refused = settings.find((name) => REFUSED.test(name.toLowerCase()) || DRIVER.exec(name)?.[1]?.includes("="));
  if (refused) return fail("tool_refused", `The repository has the setting ${refused}, which is not supported.`);
  const disabled = settings.flatMap((name) => {
    const field = DRIVER.exec(name)?.[2];
    return field === undefined ? [] : [`${name}=${field === "required" ? "false" : ""}`];
  });
  const line = gitLine([...SETTINGS, ...disabled], args);
  if (exceedsBytes(line, LINE_BYTES_MAX))
    return fail("tool_refused", "The repository has more filters and drivers than can be disabled.");
  return ok(line);
}
