// Shell: commands, on a host that can run some. What a command may do without a person is decided by its risk.
import { defineToolkit } from "../../tools/toolkit.ts";
import { bash } from "./bash.ts";

export const shell = defineToolkit({
  name: "shell",
  parts: ["process"],
  offered: "on request",
  tools: (parts) => [bash(parts.process)],
});
