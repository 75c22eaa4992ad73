// Judges variables that make other programs run something else: loaders, pagers, editors and hooks. Values are read as
// text.
import { reachOf } from "../../capabilities/addresses.ts";
import { NONE, wordSet } from "../../model.ts";
import type { RiskCode } from "../../reasons.ts";

const ALWAYS = wordSet(
  "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND SHELLOPTS BASHOPTS PS4 IFS GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS PYTHONSTARTUP PYTHONINSPECT PERL5OPT PERL5DB RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS LESSOPEN LESSCLOSE npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL GCONV_PATH GLIBC_TUNABLES TAR_OPTIONS MAKEFILES MAKEFLAGS FZF_DEFAULT_COMMAND RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER",
);
const PATHS = wordSet(
  "PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH PYTHONPATH NODE_PATH PERL5LIB RUBYLIB CLASSPATH XDG_CONFIG_HOME KUBECONFIG CARGO_HOME",
);
const PROGRAMS = wordSet(
  "PAGER GIT_PAGER MANPAGER BROWSER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR KUBE_EDITOR SHELL MAKESHELL",
);
const PLAIN_PROGRAM =
  /^(?:|(?:\/(?:usr\/)?bin\/)?(?:cat|less|more|bat|most|delta|true|:|false|echo|none|vi|vim|nvim|nano|emacs|micro|code|subl|hx|bash|sh|zsh|dash|fish|firefox|chromium|open|xdg-open)(?: -{1,2}[\w-]+)*)$/;

// Matches package indexes other than the well-known ones. Their packages run code when they are installed.
const FOREIGN_INDEX =
  /^(?!https:\/\/(?:registry\.npmjs\.org|registry\.yarnpkg\.com|pypi\.org)(?:\/|$)|https?:\/\/(?:localhost|127\.)[:/.\d]*)./;

export const isForeignIndex = (url: string): boolean => FOREIGN_INDEX.test(url);

// Names with these endings tell a program what to run, to load or to read as its settings.
const RUNS_BY_NAME =
  /(?:(?:^|_)(?:CMD|COMMAND|RSH|SSH|SHELL|EDITOR|VISUAL|PAGER|BROWSER|VIEWER|OPENER|STARTUP|PRELOAD|WRAPPER|LAUNCHER|RUNNER|LINKER|HOOKS?|LOADER|ASKPASS|HELPER|EXEC|DIFF|OPTIONS?|CONFIG_FILE|USERCONFIG|GLOBALCONFIG|TEMPLATE_DIR|EXEC_PATH|EXEC_PREFIX|WORK_TREE|CONF|CONFIG|CONFIG_PATH|CONFIG_DIR|HOME|ZDOTDIR)|RC|RCFILE|OPTS|INIT|BREAKPOINT|PLUGINS?)(?:_\d[\d.]*)?$/i;
const CHOICE = /^(?:|true|false|yes|no|on|off|auto|none|always|never|\d+)$/i;
// Flags for limits and warnings, which can neither load nor start anything.
const PLAIN_FLAG =
  /^-{1,2}(?:max[-_]old[-_]space[-_]size|max-semi-space-size|stack-size|trace-[\w-]+|no-[\w-]+|enable-source-maps|experimental-(?!loader)[\w-]+|unhandled-rejections|dns-result-order|openssl-legacy-provider|X(?:m[snx]|ss)\w+|XX:[\w+:-]+|D[\w.]*|W[\w-]*|O\d?|g\d?|v+|q|s|x|verbose|color|tb)(?:=[\w.+-]+)?$/;
const isPlainFlags = (text: string): boolean =>
  text
    .trim()
    .split(/\s+/)
    .every((word) => PLAIN_FLAG.test(word) || /^(?:[\w.+]+|)$/.test(word));

// Variables that name ordinary files, folders and URLs rather than programs or settings.
const PLAIN_PLACE =
  /(?:^|_)(?:URL|URI|DIR|ROOT|OUT|OUTPUT|LOG|LOGS|CACHE|TMPDIR|TMP|TEMP|ENDPOINT|HOST|PREFIX|DATA|DB|DATABASE|DSN|PATH|FILE|FOLDER|DEST)$|^(?:VITE|NEXT_PUBLIC|REACT_APP)|^(?:GOCACHE|GOPATH|GOMODCACHE|OLDPWD|PWD|TERM|DISPLAY)$/i;
const INSTALLED = /^(?:\/usr\/|\/opt\/|\/Library\/|\/nix\/|\/snap\/)/;

/** If `exported` is true, the variable reaches a program, as in `NAME=value program` or `export`. */
export function environmentRisks(name: string, value: string | undefined, exported = true): readonly RiskCode[] {
  const known = namedRisks(name, value);
  if (known.length > 0 || !exported || NAMED_ONLY.test(name)) return known;
  const text = value ?? "?";
  if (isToolVariable(name)) return isPlainTool(text) ? NONE : ["environment"];
  if (RUNS_BY_NAME.test(name))
    return CHOICE.test(text) || (text.includes("-") && isPlainFlags(text)) || INSTALLED.test(text)
      ? NONE
      : ["environment"];
  if (/\.(?:so(?:\.\d+)*|dll|dylib|jar)$/.test(text)) return ["environment"];
  // A path in an unknown variable may be a program or settings that name one.
  if (!/^(?:\.{1,2}\/|~|\/)/.test(text) || INSTALLED.test(text)) return NONE;
  const elsewhere = /^(?:~|\/)/.test(text) || text.startsWith("../");
  return PLAIN_PLACE.test(name) && !(elsewhere && /PATH$|BIN$/i.test(name)) ? NONE : ["environment"];
}

// Variables about which only namedRisks decides.
const NAMED_ONLY =
  /^(?:GIT_PAGER|PAGER|MANPAGER|BROWSER|EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|KUBE_EDITOR|SHELL|MAKESHELL|NODE_OPTIONS|BUN_OPTIONS|GOFLAGS|LESS|IFS|PATH|LD_LIBRARY_PATH|PYTHONPATH|NODE_PATH|GIT_DIR|GIT_WORK_TREE|KUBECONFIG)$/;

const TOOLS =
  /^(?:HOST)?(?:CC|CXX|CPP|LD|AR|AS|FC|NM|RANLIB|STRIP|INSTALL|PYTHON\d?|NODE|NPM|GO|RUSTC|RUSTDOC|CARGO|JAVAC?|\w*_CC|\w*_CXX)$/;
const TOOL =
  /^(?:(?:s?ccache|distcc)\s+)?(?:\/usr\/(?:local\/)?bin\/)?(?:gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?|tcc|icc|zig cc|ld|lld|mold|gold|ar|ranlib|strip|nm|llvm-\w+|python|node|npm|go|rustc|rustdoc|cargo|javac?|gfortran|[\w-]*-(?:gcc|g\+\+|clang|ld|ar))(?:-?\d[\d.]*)?(?:\s+-[\w=.+-]+)*$/;

/** True for variables that builds read as the name of a program. */
export const isToolVariable = (name: string): boolean => TOOLS.test(name);
export const isPlainTool = (value: string): boolean => TOOL.test(value);

function namedRisks(name: string, value: string | undefined): readonly RiskCode[] {
  if (name === "IFS" && (value === "" || value === undefined || /^[\s,:;|]*$/.test(value))) return NONE;
  if (ALWAYS.has(name) || name.startsWith("BASH_FUNC_") || name.startsWith("GIT_CONFIG_KEY_")) return ["environment"];
  if (/^(?:GOFLAGS|LESS|PS1|PS2)$/.test(name))
    return /-(?:tool)?exec|\+.*!|\$\(|`/.test(value ?? "") ? ["environment"] : NONE;
  if (/^(?:NPM_CONFIG_REGISTRY|(?:PIP|UV)_(?:EXTRA_)?INDEX_URL)$/i.test(name))
    return FOREIGN_INDEX.test(value ?? "?") ? ["environment"] : NONE;
  // These variables name the server to which a client sends its requests and credentials.
  if (/^(?:(?:ALL|HTTPS?|FTP|RSYNC)_PROXY|DOCKER_HOST|CONTAINER_HOST|BUILDKIT_HOST)$/i.test(name))
    return /^(?:|unix:\/\/.*)$/.test(value ?? "?") || reachOf(value ?? "?") === "loopback" ? NONE : ["environment"];
  // A kubeconfig may name a program that creates the credentials.
  if (name === "KUBECONFIG" && !/^(?:~|\$\{?HOME\}?)\/\.kube\/|^$/.test(value ?? "?")) return ["environment"];
  if (name === "GIT_DIR" || name === "GIT_WORK_TREE")
    return /^(?:\.\/)?\.git\/?$/.test(value ?? "?") ? NONE : ["environment"];
  if (name === "PATH" && isUnusualProgramPath(value ?? "")) return ["environment"];
  if (PATHS.has(name)) return isUnusualPath(value ?? "") ? ["environment"] : NONE;
  if (PROGRAMS.has(name)) return PLAIN_PROGRAM.test(value ?? "?") ? NONE : ["environment"];
  if (name === "NODE_OPTIONS" || name === "BUN_OPTIONS")
    return /(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader|-e|--eval)\b/.test(value ?? "")
      ? ["environment"]
      : NONE;
  return /^HIST(?:FILE|SIZE|FILESIZE|CONTROL|IGNORE)$/.test(name) ? ["traces"] : NONE;
}

/** True if programs or modules are searched in a world-writable folder, where other users can choose what runs. */
const isUnusualPath = (value: string): boolean =>
  value.split(":").some((part) => /^(?:\/tmp|\/var\/tmp|\/dev\/shm)(?:\/|$)/.test(part));

/** True if programs are searched in a relative folder other than those that package managers fill. */
const isUnusualProgramPath = (value: string): boolean =>
  value
    .split(":")
    .some(
      (part) =>
        /^(?:\.|\$\{?PWD|[\w])/.test(part) && !/(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/?$/.test(part),
    );
