import { expect, test } from "vitest";
import { parseWorkspacePath } from "../../../src/schema/workspace-path.ts";
import { sensitivePath } from "../../../src/toolkits/files/sensitive-path.ts";

function sensitivity(path: string): string | null {
  const parsed = parseWorkspacePath(path);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return sensitivePath(parsed.value);
}

test.each([
  [".git/hooks/pre-commit", "git_hooks"],
  ["packages/x/.git/hooks/post-merge", "git_hooks"],
  [".GIT/Hooks/pre-commit", "git_hooks"],
  [".g\u200cit/hooks/pre-commit", "git_hooks"],
  [".git./hooks/x", "git_hooks"],
  ["GIT~1/hooks/x", "git_hooks"],
  ["src/../.git/config", "git_internals"],
  [".git/modules/sub/hooks/x", "git_hooks"],
  [".gitmodules", "automation"],
  [".github/workflows/ci.yml", "automation"],
  [".husky/pre-push", "automation"],
  [".envrc", "shell_startup"],
  [".bashrc", "shell_startup"],
  [".zshenv", "shell_startup"],
  [".vscode/tasks.json", "editor_tasks"],
  ["node_modules/zod/index.js", "dependencies"],
  [".env.local", "credentials"],
  [".npmrc", "credentials"],
  ["keys/id_ed25519", "credentials"],
  [".ssh/config", "credentials"],
])("%s is %s", (path, expected) => {
  expect(sensitivity(path)).toBe(expected);
});

test.each([
  "src/git/hooks/x.ts",
  "hooks/pre-commit",
  ".gitignore",
  "docs/node_modules",
  "src/env.ts",
  "docs/github.md",
  "a.git/hooks.md",
  ".",
])("%s is an ordinary file", (path) => {
  expect(sensitivity(path)).toBeNull();
});
