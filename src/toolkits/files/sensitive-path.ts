// Finds files inside the workspace that make other programs run code or that contain keys. A hook asks a person before a
// tool writes to one of them.
import { parseWorkspacePath, type WorkspacePath } from "../../schema/workspace-path.ts";
import type { Hook } from "../../tools/hooks.ts";

/** Each kind of sensitive file, with the reason to ask. */
const SENSITIVITIES = {
  git_hooks: "git runs it automatically",
  git_internals: "git keeps its own data there",
  automation: "automation runs it automatically",
  shell_startup: "shells run it automatically",
  editor_tasks: "editors run it automatically",
  dependencies: "programs load it, and this server may be one of them",
  credentials: "it holds keys or passwords",
};
export type Sensitivity = keyof typeof SENSITIVITIES;

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

/** On some systems, names of one file may differ in case, compatibility forms, invisible characters, and trailing dots. */
const normalizeFileName = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();

/** Checks the argument `path` of the tools that write files, and of other tools by name. */
export const sensitivePaths = (filter_names: readonly string[] = ["write_file", "edit", "patch"]): Hook => ({
  name: "sensitive_paths",
  hook_type: "PRE_TOOL_USE",
  filter_names,
  handler: ({ arguments: { path } }) => {
    const parsed = typeof path === "string" ? parseWorkspacePath(path) : null;
    // The file operations refuse an invalid path. An absolute path may still be inside the workspace.
    const names = parsed?.ok ? parsed.value : typeof path === "string" ? path.split("/") : [];
    const sensitivity = sensitivePath(names);
    if (!sensitivity) return { action: "ALLOW" };
    return { action: "ASK", code: "path", reason: `${path} is sensitive: ${SENSITIVITIES[sensitivity]}.` };
  },
});
