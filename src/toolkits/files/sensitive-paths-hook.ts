// Defines the hook for sensitive files: a person has to confirm a write to them. It is part of the tools that write
// files, and can guard other tools by name.
import { parseWorkspacePath } from "../../schema/workspace-path.ts";
import type { Hook } from "../../tools/hooks.ts";
import { type Sensitivity, sensitivePath } from "./sensitive-path.ts";

const SENSITIVITY_TEXTS: Record<Sensitivity, string> = {
  git_hooks: "git runs it automatically",
  git_internals: "git keeps its own data there",
  automation: "automation runs it automatically",
  shell_startup: "shells run it automatically",
  editor_tasks: "editors run it automatically",
  dependencies: "programs load it, and this server may be one of them",
  credentials: "it holds keys or passwords",
};

/** Checks the argument `path` of any tool. */
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
    return { action: "ASK", code: "path", reason: `${path} is sensitive: ${SENSITIVITY_TEXTS[sensitivity]}.` };
  },
});
