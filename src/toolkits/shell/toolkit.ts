// Defines the toolkit for commands, on a host that can run them. The risk of a command decides whether it needs
// confirmation.
import { defineToolkit } from "../../tools/toolkit.ts";
import { bash } from "./bash.ts";

export const shell = defineToolkit({
  name: "shell",
  parts: ["process"],
  offered: "on request",
  tools: (parts) => [bash(parts.process)],
});
