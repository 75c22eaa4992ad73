// Runs commands inside bubblewrap. A command has read-only system folders, an empty home, a writable workspace, its own
// process namespace, and no network unless requested. It cannot see any path that is not mounted here.
import { existsSync, lstatSync, readdirSync, realpathSync, rmdirSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

export type SandboxOptions = {
  readonly program: string;
  /** The only folder of the host that commands may write to. */
  readonly workspace: string;
  /** Files and folders that are always hidden, such as data, configuration and keys. */
  readonly hidden: readonly string[];
  /** Additional read-only paths besides the system folders. */
  readonly readable: readonly string[];
  readonly home: string | undefined;
};

export type Sandbox = {
  readonly program: string;
  /** The arguments before the shell and its own arguments. */
  readonly argumentsFor: (command: { readonly cwd: string; readonly network: boolean }) => readonly string[];
  /** A hidden folder that has been moved, and is therefore visible elsewhere, or null. */
  readonly misplaced: () => string | null;
  /** Called before a command starts. The returned function is called after its end. */
  readonly enter: () => () => void;
};

const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/opt",
  "/nix/store",
  "/gnu/store",
];
/** May contain private files of the administrator. The rest of /usr comes from packages and is world-readable. */
const PRIVATE_SYSTEM_FOLDERS = ["/etc", "/opt", "/usr/local"];
const RESOLVER = "/etc/resolv.conf";

export function createBubblewrap(options: SandboxOptions): Sandbox {
  const workspace = realpathSync(options.workspace);
  const readable = [...runningNode(), ...options.readable].flatMap(realPath);
  const shown = [...SYSTEM.flatMap(realPath), ...SYSTEM, ...readable, workspace];
  const own = options.hidden.flatMap(realPath).filter((path) => isBelowAny(path, shown));
  // A server that runs as root could read root's private files, but commands must not.
  const secret = PRIVATE_SYSTEM_FOLDERS.flatMap((path) => privatePaths(path)).filter((path) => isBelowAny(path, shown));
  const hidden = [...own, ...secret];
  const missing = options.hidden.flatMap(missingPath).filter((path) => isBelowAny(path, [workspace]));
  const known = hidden.filter(isFolder).map((path) => ({ path, identity: identityOf(path) }));
  const fixed = [
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"],
    // A server that runs as root would otherwise pass all its capabilities to the command.
    ...["--cap-drop", "ALL"],
    ...SYSTEM.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--setenv", "TMPDIR", "/tmp"],
    ...(options.home !== undefined && options.home !== "/" ? ["--tmpfs", options.home] : []),
    ...readable.flatMap((path) => ["--ro-bind", path, path]),
    ...["--bind", workspace, workspace],
    // A mount point cannot be renamed, so no hidden path can be moved to a visible one.
    ...foldersBetween(workspace, [...hidden, ...missing]).flatMap((path) => ["--bind", path, path]),
  ];
  // The path is checked for each command, because a file may have been created since startup. A missing file is
  // replaced with an empty folder, so that no command can, for example, write the configuration that the server reads at its next startup.
  const hide = (path: string): readonly string[] =>
    existsSync(path) && !isFolder(path) ? ["--ro-bind", "/dev/null", path] : ["--tmpfs", path];
  let inside = 0;
  return {
    program: options.program,
    argumentsFor: ({ cwd, network }) => [
      ...fixed,
      // A missing file in a system folder need not be hidden, because no command can create it there.
      ...[...own, ...secret.filter((path) => existsSync(path)), ...missing].flatMap(hide),
      ...(network ? resolver() : ["--unshare-net"]),
      ...["--chdir", cwd, "--"],
    ],
    misplaced: () => known.find(({ path, identity }) => identityOf(path) !== identity)?.path ?? null,
    enter() {
      inside += 1;
      return () => {
        inside -= 1;
        // The folders are kept while a command runs, because removing one would also remove the mount on it.
        if (inside === 0) missing.forEach(removeEmptyFolder);
      };
    },
  };
}

/** Returns nothing unless the file is missing in an existing folder. */
function missingPath(path: string): readonly string[] {
  const folder = dirname(path);
  return existsSync(path) || !existsSync(folder) ? [] : [join(realpathSync(folder), basename(path))];
}

function foldersBetween(workspace: string, paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths.filter((one) => isBelowAny(one, [workspace])))
    for (let folder = dirname(path); isBelowAny(folder, [workspace]) && folder !== workspace; folder = dirname(folder))
      folders.add(folder);
  // Outer folders come first, because a bind of an outer folder would cover the inner ones.
  return [...folders].sort((a, b) => a.length - b.length);
}

function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // A file was created at the path, or the folder never existed.
  }
}

/** /etc/resolv.conf is often a link into /run, which commands cannot see. */
function resolver(): readonly string[] {
  const [real] = realPath(RESOLVER);
  return real === undefined || real === RESOLVER ? [] : ["--ro-bind", real, real];
}

/** The Node that runs the server, and npm beside it, may be in the user's home. */
function runningNode(): readonly string[] {
  const folder = dirname(process.execPath);
  if (basename(folder) !== "bin") return [process.execPath];
  return [folder, join(folder, "../lib/node_modules")].filter((path) => existsSync(path));
}

const realPath = (path: string): readonly string[] => (existsSync(path) ? [realpathSync(path)] : []);
const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
const isBelowAny = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep));

function identityOf(path: string): string {
  if (!existsSync(path)) return "gone";
  const { dev, ino } = statSync(path);
  return `${dev}:${ino}`;
}

/** Deeper folders count as private. */
const DEPTH_MAX = 8;
const OTHERS_READ_BIT = 0o004;
const OTHERS_EXECUTE_BIT = 0o001;

/** A private folder counts as one path. Symbolic links are not followed. */
export function privatePaths(folder: string, depth = 0): readonly string[] {
  if (depth > DEPTH_MAX) return [folder];
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat || stat.isSymbolicLink()) return [];
    if (!stat.isDirectory()) return stat.isFile() && (stat.mode & OTHERS_READ_BIT) === 0 ? [path] : [];
    if ((stat.mode & OTHERS_READ_BIT) === 0 || (stat.mode & OTHERS_EXECUTE_BIT) === 0) return [path];
    return privatePaths(path, depth + 1);
  });
}

/** A folder that the server itself cannot read has no names. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
