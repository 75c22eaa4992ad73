// Judges a PowerShell command before it runs. Besides the risks that the rules find, any command that does more than
// read needs approval.
import { type ClassifyOptions, classifyCommand } from "./risk/classify.ts";
import { wordSet } from "./risk/model.ts";
import type { CommandRisk } from "./risk/reasons.ts";

/** Allows names, numbers, paths and pipes. A quote, variable, block, drive or pattern could mean anything. */
const PLAIN = /^[\w ./,|-]+$/;
const READERS = wordSet(
  "get-date get-location get-childitem get-content get-item get-itempropertyvalue get-filehash get-culture get-host get-uptime get-command test-path resolve-path split-path join-path select-string measure-command write-output",
);
/** Cmdlets that read only the output of the previous stage, never a file. */
const PIPE_STAGES = wordSet(
  "measure-object select-object sort-object group-object format-table format-list format-wide out-string out-null out-host",
);

export function classifyPowerShell(command: string, options: ClassifyOptions): CommandRisk {
  const risk = classifyCommand(command, { ...options, shell: "powershell" });
  if (risk.verdict !== "allow" || onlyReads(command, options)) return risk;
  const reason = { code: "unparsed", excerpt: command.slice(0, 80) } as const;
  return { ...risk, verdict: "confirm", reasons: [reason], access: "unknown" };
}

function onlyReads(command: string, options: ClassifyOptions): boolean {
  // `//` begins a network path. Opening one sends the user's Windows login to another machine.
  if (!PLAIN.test(command) || command.includes("//")) return false;
  const [first = [], ...rest] = command.split("|").map((stage) => stage.trim().split(/ +/));
  const [reader = "", ...words] = first;
  if (!READERS.has(reader.toLowerCase())) return false;
  if (!rest.every(([name = ""]) => PIPE_STAGES.has(name.toLowerCase()))) return false;
  const paths = words.flatMap((word) => (word.startsWith("-") ? [] : word.split(",")));
  // The bash rules know protected files, secrets and paths outside the workspace, so the paths are judged as arguments
  // of `cat`.
  return paths.length === 0 || classifyCommand(`cat -- ${paths.join(" ")}`, options).verdict === "allow";
}
