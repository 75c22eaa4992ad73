// Runs commands inside bubblewrap: read-only system folders, an empty home, a writable workspace, a process namespace
// of
// their own, and no network unless requested. A command cannot see any path that is not mounted here.
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

export type SandboxOptions = {
  readonly program: string;
  /** The only folder that commands may write to. */
  readonly workspace: string;
  /** Files and folders that are hidden wherever they are: data, configuration, keys. */
  readonly hidden: readonly string[];
  /** Additional read-only paths besides the system folders. */
  readonly readable: readonly string[];
  readonly home: string | undefined;
};

export type Sandbox = {
  readonly program: string;
  /** All arguments before the shell and its own arguments. */
  readonly argumentsFor: (command: { readonly cwd: string; readonly network: boolean }) => readonly string[];
  /** A hidden folder that was moved: a command may have moved it to a path that is not hidden. */
  readonly misplaced: () => string | null;
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
/** Readable by a server that runs as root, but commands must not read them. */
const SYSTEM_SECRETS = ["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/ssl/private"];
const RESOLVER = "/etc/resolv.conf";

export function createBubblewrap(options: SandboxOptions): Sandbox {
  const workspace = realpathSync(options.workspace);
  const readable = [...runningNode(), ...options.readable].flatMap(realPath);
  const shown = [...SYSTEM.flatMap(realPath), ...SYSTEM, ...readable, workspace];
  const hidden = [...options.hidden, ...SYSTEM_SECRETS].flatMap(realPath).filter((path) => isBelowAny(path, shown));
  const known = hidden.filter(isFolder).map((path) => ({ path, identity: identityOf(path) }));
  const fixed = [
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"],
    // A server that runs as root would otherwise pass on all its capabilities.
    ...["--cap-drop", "ALL"],
    ...SYSTEM.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--setenv", "TMPDIR", "/tmp"],
    ...(options.home !== undefined && options.home !== "/" ? ["--tmpfs", options.home] : []),
    ...readable.flatMap((path) => ["--ro-bind", path, path]),
    ...["--bind", workspace, workspace],
    ...hidden.flatMap((path) => (isFolder(path) ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path])),
  ];
  return {
    program: options.program,
    argumentsFor: ({ cwd, network }) => [...fixed, ...(network ? resolver() : ["--unshare-net"]), "--chdir", cwd, "--"],
    misplaced: () => known.find(({ path, identity }) => identityOf(path) !== identity)?.path ?? null,
  };
}

/** /etc/resolv.conf is often a link into /run, which commands cannot see. */
function resolver(): readonly string[] {
  const [real] = realPath(RESOLVER);
  return real === undefined || real === RESOLVER ? [] : ["--ro-bind", real, real];
}

/** The Node that runs the server, and npm if installed beside it: they may be in the user's home. */
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
