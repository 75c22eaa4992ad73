// The built-in hooks for dangerous operations: risky commands and writes to sensitive files are asked of a person, a few
// commands never run. They come with the tools they guard; other tools can be put under them by name.
import { parseWorkspacePath } from "../../schema/workspace-path.ts";
import type { Hook } from "../../tools/hooks.ts";
import { type Sensitivity, sensitivePath } from "../files/sensitive-path.ts";
import { RISKS, type RiskReason } from "./risk/reasons.ts";

const REASONS_SHOWN_MAX = 4;

/** Looks at the argument `command`. */
export const commandRisk = (filter_names: readonly string[] = ["bash"]): Hook => ({
  name: "command_risk",
  hook_type: "PRE_TOOL_USE",
  filter_names,
  handler: async ({ arguments: { command } }) => {
    if (typeof command !== "string") return { action: "DENY", reason: "there is no command to look at" };
    // Loaded when a command is to be read: a server that starts for one turn should not wait for it.
    const { classifyCommand } = await import("./risk/classify.ts");
    const { verdict, reasons } = classifyCommand(command);
    switch (verdict) {
      case "allow":
        return { action: "ALLOW" };
      case "confirm":
        return { action: "ASK", code: "risk", reason: describeReasons(reasons) };
      case "block":
        return { action: "DENY", reason: `this never runs, whoever approves it. ${describeReasons(reasons)}` };
    }
  },
});

const describeReasons = (reasons: readonly RiskReason[]): string =>
  reasons
    .slice(0, REASONS_SHOWN_MAX)
    .map(({ code, excerpt }) => `${RISKS[code].meaning} (${excerpt})`)
    .join(" ");

const SENSITIVITY_TEXTS: Record<Sensitivity, string> = {
  git_hooks: "git runs it by itself",
  git_internals: "git keeps its own data there",
  automation: "automation runs it by itself",
  shell_startup: "shells run it by themselves",
  editor_tasks: "editors run it by themselves",
  credentials: "it holds keys or passwords",
};

/** Looks at the argument `path`, whatever the tool does with it. */
export const sensitivePaths = (filter_names: readonly string[] = ["write_file", "edit", "patch"]): Hook => ({
  name: "sensitive_paths",
  hook_type: "PRE_TOOL_USE",
  filter_names,
  handler: ({ arguments: { path } }) => {
    const parsed = typeof path === "string" ? parseWorkspacePath(path) : null;
    // A path that cannot be read is refused by whoever touches files; an absolute one may still be inside.
    const names = parsed?.ok ? parsed.value : typeof path === "string" ? path.split("/") : [];
    const sensitivity = sensitivePath(names);
    if (!sensitivity) return { action: "ALLOW" };
    return { action: "ASK", code: "path", reason: `${path} is sensitive: ${SENSITIVITY_TEXTS[sensitivity]}.` };
  },
});
