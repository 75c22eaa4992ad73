// Defines the toolkit for PowerShell commands, on a host where pwsh is installed.
import { defineToolkit } from "../../tools/toolkit.ts";
import { powershell as powershellTool } from "./bash.ts";

export const powershell = defineToolkit({
  name: "powershell",
  parts: ["powershell"],
  offered: "on request",
  tools: (parts) => [powershellTool(parts.powershell)],
});
