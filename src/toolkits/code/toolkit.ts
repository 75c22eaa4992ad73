// Defines the code toolkit, which reads repositories, runs linters and asks a language server, on hosts that can run
// commands.
import { defineToolkit } from "../../tools/toolkit.ts";
import { git } from "./git.ts";
import { lint } from "./lint.ts";
import { lsp } from "./lsp.ts";

export const code = defineToolkit({
  name: "code",
  parts: ["process"],
  offered: "on request",
  tools: ({ process, code: settings, language }) => [
    git(process),
    ...(settings?.lint ? [lint(process, settings.lint)] : []),
    ...(settings?.lsp && language ? [lsp(process, language, settings.lsp)] : []),
  ],
});
