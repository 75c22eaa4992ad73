// Parses a path given by a caller into components below the workspace. Only the text is checked; the adapter handles links and races.
import { byteLength } from "./byte-length.ts";
import { fail, ok, type Result } from "./problem.ts";

export const PATH_BYTES_MAX = 1_024;
export const NAME_BYTES_MAX = 255;
export const PATH_DEPTH_MAX = 64;

export type PathRules = {
  /** The workspace's absolute path. An absolute path below it is accepted; any other is refused. */
  readonly root?: string;
  /** If true, also refuses names that Windows would interpret differently: streams, devices with an extension, trailing dots. */
  readonly windows?: boolean;
};

export type PathReason =
  | "escapes"
  | "absolute"
  | "drive"
  | "backslash"
  | "home"
  | "control_character"
  | "blank_component"
  | "too_long"
  | "too_deep"
  | "device_name"
  | "link"
  | "hard_link"
  | "closed";

/** The components of a path inside the workspace. Empty for the workspace itself. */
export type WorkspacePath = readonly string[];

export const outsideWorkspace = (path: string, reason: PathReason) =>
  fail("path_outside_workspace", `${quotePath(path)} is not a path inside the workspace (${reason}).`, {
    reason,
  });

export const pathText = (path: WorkspacePath): string => (path.length === 0 ? "." : path.join("/"));

const DRIVE = /^[A-Za-z]:/;

/** Everything that is not refused is taken literally, such as percent signs and spaces inside names. */
export function parseWorkspacePath(text: string, rules: PathRules = {}): Result<WorkspacePath> {
  if (hasControlCharacter(text)) return outsideWorkspace(text, "control_character");
  if (DRIVE.test(text)) return outsideWorkspace(text, "drive");
  if (text.includes("\\")) return outsideWorkspace(text, "backslash");
  if (text.startsWith("~")) return outsideWorkspace(text, "home");
  if (byteLength(text) > PATH_BYTES_MAX + byteLength(rules.root ?? "")) return outsideWorkspace(text, "too_long");
  const relative = text.startsWith("/") ? relativeToRoot(text, rules.root) : text.split("/");
  if (!relative) return outsideWorkspace(text, "absolute");
  return normalizeComponents(text, relative, rules);
}

function normalizeComponents(text: string, components: readonly string[], rules: PathRules): Result<WorkspacePath> {
  const path: string[] = [];
  for (const name of components) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (path.pop() === undefined) return outsideWorkspace(text, "escapes");
      continue;
    }
    const reason = nameProblem(name, rules.windows ?? false);
    if (reason) return outsideWorkspace(text, reason);
    path.push(name);
  }
  // Checks the normalized path again, because "./~x" must not be accepted where "~x" is refused.
  const [first = ""] = path;
  if (DRIVE.test(first)) return outsideWorkspace(text, "drive");
  if (first.startsWith("~")) return outsideWorkspace(text, "home");
  if (path.length > PATH_DEPTH_MAX) return outsideWorkspace(text, "too_deep");
  if (byteLength(path.join("/")) > PATH_BYTES_MAX) return outsideWorkspace(text, "too_long");
  return ok(path);
}

/** Compares paths by component, so that /workspace-evil is not below /workspace. */
export function relativeToRoot(text: string, root: string | undefined): readonly string[] | null {
  if (root === undefined) return null;
  const rootNames = root.split("/").filter((name) => name !== "");
  const names = text.split("/").filter((name) => name !== "" && name !== ".");
  return rootNames.every((name, i) => names[i] === name) ? names.slice(rootNames.length) : null;
}

function nameProblem(name: string, windows: boolean): PathReason | null {
  // Readers and some systems see ".." even if spaces or invisible characters surround the dots.
  const visible = name.replace(/[\s\p{Cf}\u2800\u3164]/gu, "");
  if (visible === "" || (visible !== name && /^\.{1,2}$/.test(visible))) return "blank_component";
  if (byteLength(name) > NAME_BYTES_MAX) return "too_long";
  if (/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i.test(name) || name.includes("::$"))
    return "device_name";
  if (windows && (name.includes(":") || /[. ]$/.test(name))) return "device_name";
  if (windows && /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])[ .]/i.test(name)) return "device_name";
  return null;
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return true;
  }
  // A lone surrogate has no UTF-8 form, so two different strings would name one file.
  return !text.isWellFormed();
}

const quotePath = (path: string): string => JSON.stringify(path.length > 120 ? `${path.slice(0, 117)}...` : path);
