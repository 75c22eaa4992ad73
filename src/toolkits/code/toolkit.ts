// Code: reading repositories and linting, on a host that can run commands.
import { defineToolkit } from "../../tools/toolkit.ts";
import { git } from "./git.ts";
import { lint } from "./lint.ts";

export const code = defineToolkit({
  name: "code",
  parts: ["process"],
  offered: "on request",
  tools: ({ process, code: settings }) => [git(process), ...(settings?.lint ? [lint(process, settings.lint)] : [])],
});
