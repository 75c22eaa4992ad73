// Finds files inside the workspace that make other programs run code or that contain keys. Writes to them need
// approval.
import type { WorkspacePath } from "../../schema/workspace-path.ts";

export type Sensitivity =
  | "git_hooks"
  | "git_internals"
  | "automation"
  | "shell_startup"
  | "editor_tasks"
  | "dependencies"
  | "credentials";

const AUTOMATION_FOLDERS = [".github", ".gitlab", ".circleci", ".husky", ".githooks", ".ci"];
const AUTOMATION_FILES = /^(\.gitlab-ci\.ya?ml|\.pre-commit-config\.ya?ml|\.gitmodules|\.gitattributes|jenkinsfile)$/;
const SHELL_FILES =
  /^(\.(ba|z|k|c|tc)?sh(rc|env)|\.profile|\.(bash|z)_?(profile|login|logout)|\.zlog(in|out)|\.envrc|\.inputrc|\.gitconfig|\.netrc)$/;
const EDITOR_FOLDERS = [".vscode", ".idea", ".devcontainer", ".cursor", ".claude"];
const CREDENTIAL_FILES =
  /^(\.env(\..*)?|\.npmrc|\.yarnrc(\.yml)?|\.pypirc|\.git-credentials|id_(rsa|dsa|ecdsa|ed25519)|.*\.pem)$/;
const CREDENTIAL_FOLDERS = [".ssh", ".aws", ".gnupg", ".kube", ".docker"];

/** Classifies the result of parseWorkspacePath. Names are compared as case-insensitive file systems do. */
export function sensitivePath(path: WorkspacePath): Sensitivity | null {
  const names = path.map(normalizeFileName);
  const folders = names.slice(0, -1);
  const name = names.at(-1) ?? "";
  const git = names.findIndex((part) => part === ".git" || part === "git~1");
  if (git >= 0) return names.slice(git + 1).includes("hooks") ? "git_hooks" : "git_internals";
  if (folders.some((part) => AUTOMATION_FOLDERS.includes(part)) || AUTOMATION_FILES.test(name)) return "automation";
  if (SHELL_FILES.test(name)) return "shell_startup";
  if (folders.some((part) => EDITOR_FOLDERS.includes(part))) return "editor_tasks";
  if (folders.includes("node_modules")) return "dependencies";
  if (folders.some((part) => CREDENTIAL_FOLDERS.includes(part)) || CREDENTIAL_FILES.test(name)) return "credentials";
  return null;
}

/**
 * Normalizes a name. On some systems, names refer to the same file even if they differ in case, compatibility forms,
 * invisible characters, or trailing dots and blanks.
 */
const normalizeFileName = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
