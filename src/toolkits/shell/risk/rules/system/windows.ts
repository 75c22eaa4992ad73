// Judges Windows programs for the registry, services, disks and permissions, in every shell.

import { NONE, type Rule, type RuleTable } from "../../model.ts";
import { anyWord, wordAt, wordsOf } from "../../parse/options.ts";
import { isSystemTree } from "../../parse/paths.ts";
import { allowed, always, askOnArg, askUnlessArg } from "../conditions.ts";

const first =
  (allow: RegExp, code: Parameters<typeof always>[0]): Rule =>
  (command) => {
    const values = wordsOf(command.args);
    if (values.length === 0 || values.some((value) => value === "/?")) return NONE;
    return allow.test(values[0] ?? "") ? NONE : [code];
  };

/** The rule for del and rd. With /s on a drive or a system folder, they delete everything. */
const remove: Rule = (command, context) => {
  const values = wordsOf(command.args);
  if (values.includes("/?")) return NONE;
  const deep = values.some((value) => /^\/+s$|^-r(?:ecurse)?$|^-(?:rf|fr)$/i.test(value));
  const paths = values.filter((value) => !/^[/-][a-z?]+$/i.test(value));
  return deep && paths.some((path) => isSystemTree(path, context.cwd)) ? ["system_delete"] : ["delete"];
};

const robocopy: Rule = (command) =>
  anyWord(command.args, /^\/(?:mir|purge|mov|move)$/i)
    ? ["delete"]
    : anyWord(command.args, /^\/l$/i)
      ? NONE
      : ["overwrite"];

export const windowsRules: RuleTable = {
  "del erase rd rmdir deltree": remove,
  reg: first(/^(?:query|compare)$/i, "startup"),
  sc: first(/^(?:query|queryex|qc|qdescription|getdisplayname|enumdepend)$/i, "service"),
  net: (command) =>
    /^(?:user|localgroup|group|share|use|session|view|config|statistics|accounts|time|help|helpmsg|start)$/i.test(
      wordAt(command.args, 0),
    ) && command.args.length <= 1
      ? NONE
      : ["service"],
  netsh: askUnlessArg(/^(?:show|dump)$/i, "service"),
  schtasks: first(/^\/query$/i, "startup"),
  wmic: askOnArg(/^(?:delete|call|create|set)$/i, "process"),
  attrib: askOnArg(/^[+-][rhsa]/i, "permission"),
  robocopy,
  xcopy: askOnArg(/^\/y$/i, "overwrite"),
  vssadmin: first(/^list$/i, "delete"),
  wbadmin: first(/^get$/i, "delete"),
  bcdedit: first(/^\/(?:enum|v)$/i, "startup"),
  fsutil: askUnlessArg(/^(?:query\w*|list\w*|drives|fsinfo)$/i, "raw_device"),
  "icacls cacls": (command) => (command.args.length <= 1 ? NONE : ["permission"]),
  wevtutil: first(/^(?:el|gl|qe|gli|enum-logs|query-events)$/i, "traces"),
  powercfg: first(/^\/(?:l|list|q|query|a|batteryreport|energy|getactivescheme)$/i, "service"),
  dism: askUnlessArg(/^\/(?:get-\w+|checkhealth|scanhealth)/i, "package"),
  sfc: askUnlessArg(/^\/verifyonly$/i, "service"),
  setx: always("environment"),
  takeown: always("permission"),
  "cipher defrag chkdsk mountvol subst label convert-fs": askOnArg(/^\/(?:w|f|r|x|d|e)/i, "raw_device"),
  "regedit regsvr32 rundll32 mshta wscript cscript msiexec installutil regasm regsvcs wsl": always("code"),
  "findstr tasklist systeminfo ipconfig ver vol getmac driverquery quser qprocess gpresult nbtstat tracert pathping openfiles msinfo32 certmgr dxdiag forfiles-list comp":
    allowed,
  forfiles: (command, context) => {
    const at = command.args.findIndex((arg) => /^\/c$/i.test(arg.value));
    if (at >= 0) context.runScript(wordAt(command.args, at + 1), "cmd", command);
    return NONE;
  },
};
