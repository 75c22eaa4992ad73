// Variables that make other programs run something else: loaders, pagers, editors, hooks. Values are read as text.
import { NONE, wordSet } from "./model.ts";
import type { RiskCode } from "./reasons.ts";

const ALWAYS = wordSet(
  "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND SHELLOPTS BASHOPTS PS4 IFS GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS PYTHONSTARTUP PYTHONINSPECT PERL5OPT PERL5DB RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS LESSOPEN LESSCLOSE npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL GCONV_PATH GLIBC_TUNABLES TAR_OPTIONS MAKEFILES MAKEFLAGS FZF_DEFAULT_COMMAND RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER",
);
const PATHS = wordSet(
  "PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH PYTHONPATH NODE_PATH PERL5LIB RUBYLIB CLASSPATH GIT_DIR XDG_CONFIG_HOME KUBECONFIG CARGO_HOME CC CXX LD AR HOSTCC",
);
const PROGRAMS = wordSet(
  "PAGER GIT_PAGER MANPAGER BROWSER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR KUBE_EDITOR SHELL MAKESHELL",
);
const PLAIN_PROGRAM =
  /^(?:|(?:\/(?:usr\/)?bin\/)?(?:cat|less|more|bat|most|delta|true|:|false|echo|none|vi|vim|nvim|nano|emacs|micro|code|subl|hx|bash|sh|zsh|dash|fish|firefox|chromium|open|xdg-open)(?: -{1,2}[\w-]+)*)$/;

// Packages from elsewhere run their own code when they are installed.
const FOREIGN_INDEX =
  /^(?!https:\/\/(?:registry\.npmjs\.org|registry\.yarnpkg\.com|pypi\.org)(?:\/|$)|https?:\/\/(?:localhost|127\.)[:/.\d]*)./;

export function environmentRisks(name: string, value: string | undefined): readonly RiskCode[] {
  if (name === "IFS" && (value === "" || value === undefined || /^[\s,:;|]*$/.test(value))) return NONE;
  if (ALWAYS.has(name) || name.startsWith("BASH_FUNC_") || name.startsWith("GIT_CONFIG_KEY_")) return ["environment"];
  if (/^(?:GOFLAGS|LESS|PS1|PS2)$/.test(name))
    return /-(?:tool)?exec|\+.*!|\$\(|`/.test(value ?? "") ? ["environment"] : NONE;
  if (/^(?:NPM_CONFIG_REGISTRY|(?:PIP|UV)_(?:EXTRA_)?INDEX_URL)$/i.test(name))
    return FOREIGN_INDEX.test(value ?? "?") ? ["environment"] : NONE;
  if (/^(?:CC|CXX|LD|AR|HOSTCC)$/.test(name) && /[;|&`]|\$\(/.test(value ?? "")) return ["environment"];
  if (PATHS.has(name)) return isOddPath(value ?? "") ? ["environment"] : NONE;
  if (PROGRAMS.has(name)) return PLAIN_PROGRAM.test(value ?? "?") ? NONE : ["environment"];
  if (name === "NODE_OPTIONS" || name === "BUN_OPTIONS") {
    return /(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader|-e|--eval)\b/.test(value ?? "")
      ? ["environment"]
      : NONE;
  }
  if (
    name === "HISTFILE" ||
    name === "HISTSIZE" ||
    name === "HISTFILESIZE" ||
    name === "HISTCONTROL" ||
    name === "HISTIGNORE"
  ) {
    return ["traces"];
  }
  return NONE;
}

/** Looking for programs in a folder everybody can write to lets others choose what runs. */
const isOddPath = (value: string): boolean =>
  value.split(":").some((part) => /^(?:\/tmp|\/var\/tmp|\/dev\/shm)(?:\/|$)/.test(part));
