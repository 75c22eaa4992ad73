// Classifies paths as system folders, disks, secrets or start-up files. Uses text only, and never reads the disk.

const SYSTEM =
  /^\/(?:bin|boot|dev|etc|home|lib|lib32|lib64|libx32|mnt|media|opt|proc|root|run|sbin|srv|sys|usr|var|applications|library|system|users|private|volumes|cores|private\/(?:etc|var)|usr\/(?:bin|lib|lib64|local|sbin|share|include|local\/(?:bin|lib))|var\/(?:lib|log|mail|www)|etc\/(?:ssh|ssl|systemd))$/i;
const HOME =
  /^(?:~[\w.-]*|\$home|\$\{home\}|\$env:(?:userprofile|home)|%userprofile%|%homepath%|\/(?:home|users)\/[^/*]+|[a-z]:\/users(?:\/[^/*]+)?)$/i;
const WINDOWS =
  /^(?:[a-z]:|[a-z]:\/(?:windows|program files(?: \(x86\))?|programdata)(?:\/system32)?|%systemroot%|%windir%|%systemdrive%|\$env:(?:systemroot|windir|systemdrive))$/i;

/** Resolves `//`, `/./`, `..` and backslashes. A known `cwd` makes relative names absolute. */
export function normalPath(path: string, cwd?: string): string {
  let text = path.replaceAll("\\", "/");
  const anchored = /^(?:\/|~|\$|%|[a-z]:)/i.test(text);
  if (!anchored && cwd !== undefined) text = `${cwd}/${text}`;
  const absolute = text.startsWith("/");
  const parts: string[] = [];
  for (const part of text.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (!absolute) parts.push(part);
  }
  return (absolute ? "/" : "") + parts.join("/");
}

/** True for the root, a system folder or a whole home folder, with or without a trailing star. */
export function isSystemTree(path: string, cwd?: string): boolean {
  const text = normalPath(path, cwd).replace(/\/(?:\*|\.\*|\.\[!?[^\]]*\]\*|\*\*|\*\.\*|\{,\.\}\*|\.\?\*)$/, "");
  if (text === "" && /^[/\\]/.test(path)) return true;
  if (text === "/" || text === "/*" || text === "/**") return true;
  if (text === "" && cwd !== undefined) return normalPath(cwd) === "/";
  return SYSTEM.test(text) || HOME.test(text) || WINDOWS.test(text);
}

export const isDisk = (path: string): boolean =>
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme|mmcblk|r?disk\d|md\d|dm-|mapper\/|sr\d|zd\d|nbd\d|vda|block\/|mem$|kmem$|port$)/i.test(
    normalPath(path),
  ) || /^\/\/[.?]\/(?:physicaldrive|[a-z]:)/i.test(path.replaceAll("\\", "/"));

export const isDevice = (path: string): boolean => /^\/dev\//i.test(normalPath(path));

/** True for null devices, terminals and standard streams. Output to them changes no file. */
export const isStreamDevice = (path: string): boolean =>
  /^(?:\/dev\/(?:null|stdout|stderr|tty|full|zero|fd\/\d+)|\/proc\/self\/fd\/[12]|nul|\$null)$/i.test(path);

export const isTemporary = (path: string): boolean =>
  /^(?:\/tmp|\/var\/tmp|\/dev\/shm|\/private\/tmp|\$tmpdir|\$\{tmpdir\}|%temp%|%tmp%|\$env:te?mp)(?:\/|$)/i.test(
    normalPath(path),
  );

/** True for a relative path, also one with `..`, unless it begins with a variable or contains a substitution. */
export const isLocal = (path: string): boolean => !/^(?:[/~$%\\-]|[a-z]:)/i.test(path) && !path.includes("$(");

/** True for files that contain keys, passwords or tokens. */
export const isSecret = (path: string): boolean => {
  const text = normalPath(path).toLowerCase();
  if (text.endsWith(".pub")) return false;
  return (
    /(?:^|\/)(?:\.ssh\/(?:id_|identity|[^/]*\.pem|\*)|\.aws\/credentials|\.gnupg(?:\/|$)|\.(?:ssh|aws)$|\.netrc$|\.pgpass$|\.git-credentials|\.pypirc$|\.docker\/config\.json|\.kube\/config|\.config\/gcloud\/|\.vault-token|\.password-store\/|\.pawl\/)/.test(
      text,
    ) ||
    /^\/etc\/(?:shadow|gshadow|sudoers|master\.passwd|security\/opasswd|ssl\/private|kubernetes\/\w+\.conf$)/.test(
      text,
    ) ||
    /^\/(?:var\/)?run\/secrets\//.test(text) ||
    /(?:^|\/)(?:id_rsa|id_ed25519|id_ecdsa|id_dsa)$/.test(text) ||
    /^\/proc\/(?:self|\d+)\/(?:environ|mem)$/.test(text)
  );
};

/**
 * True for a hidden file in a home folder that is not known to be harmless. Programs keep tokens, cookies and histories
 * there under many different names.
 */
export const isPrivateSetting = (path: string): boolean => {
  const inHome = /^(?:~|\$\{?HOME\}?|\/root|\/(?:home|Users)\/[^/]+)\/(\.[^/.].*)$/.exec(path);
  return inHome?.[1] !== undefined && !KNOWN_SETTING.test(inHome[1]);
};
// Files that are known to contain no secrets, such as start-up files, caches, and programs and sources of toolchains.
const KNOWN_SETTING =
  /^\.(?:(?:gitconfig|gitignore\w*|bashrc|bash_profile|bash_aliases|bash_logout|profile|zshrc|zprofile|zshenv|vimrc|inputrc|tmux\.conf|editorconfig|tool-versions|nvmrc)$|ssh\/(?:config|known_hosts|[^/]*\.pub)$|local\/(?!share\/keyrings)|cargo\/(?:registry|bin|env)|(?:cache|nvm|rustup|pyenv|rbenv|asdf|oh-my-zsh|vim|vscode)(?:\/|$)|config\/(?:git|nvim|fish|htop|pip)\/|npm\/_logs|m2\/repository|gradle\/caches)/;

/** True for files that run automatically later, such as hooks and timers, or that give others access, such as keys. */
export const isStartup = (path: string): boolean =>
  /(?:^|\/)\.(?:bashrc|bash_profile|bash_login|bash_aliases|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|inputrc|vimrc|gitconfig|npmrc|pam_environment|xinitrc|xprofile)$|(?:^|\/)\.(?:ssh|gnupg|config\/(?:autostart|systemd|fish))\/|(?:^|\/)\.git\/|(?:^|\/)\.(?:husky|githooks)\/|(?:^|\/)(?:authorized_keys|crontab|launchagents|launchdaemons)(?:\/|$)/i.test(
    path.replaceAll("\\", "/"),
  );

/** True for text and log files that no program runs or reads as settings, so that replacing one is ordinary work. */
export const isOutputText = (path: string): boolean =>
  isPlainText(path) &&
  /\.(?:txt|log|out)$/i.test(path) &&
  !/(?:^|\/)(?:[\w.-]*(?:requirements|constraints)[\w.-]*|CMakeLists|conanfile|runtime|packages|meson_options)\.txt$/i.test(
    path,
  );

/** True for files to which lines are usually appended, such as notes, logs and ignore lists. */
export const isPlainText = (path: string): boolean =>
  isLocal(path) &&
  !path.includes("..") &&
  !isStartup(path) &&
  /(?:\.(?:md|txt|log|csv|tsv|jsonl|ndjson|out)|(?:^|\/)\.(?:git|docker|npm|eslint|prettier)ignore)$/i.test(path);
