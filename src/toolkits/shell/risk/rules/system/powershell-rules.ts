// Judges PowerShell cmdlets. Verbs that read are allowed; verbs that change need approval. Aliases are resolved to
// their cmdlets.

import { NONE, type Rule, type SimpleCommand, wordSet } from "../../model.ts";
import { wordsOf } from "../../parse/options.ts";
import { isDisk, isStreamDevice, isSystemTree } from "../../parse/paths.ts";
import type { RiskCode } from "../../reasons.ts";

const VERBS = wordSet(
  "add approve assert backup block build checkpoint clear close compare complete compress confirm connect convert convertfrom convertto copy debug deny deploy disable disconnect dismount edit enable enter exit expand export find foreach format get grant group hide import initialize install invoke join limit lock measure merge mount move new open optimize out ping pop protect publish push read receive redo register remove rename repair request reset resize resolve restart restore resume revoke save search select send set show skip sort split start step stop submit suspend switch sync tee test trace unblock undo uninstall unlock unprotect unpublish unregister update use wait watch where write",
);
export const isCmdlet = (name: string): boolean => {
  const match = /^([a-z]+)-([a-z]\w*)$/i.exec(name);
  // A lower-case name must be a well-known cmdlet, because programs such as update-grub also begin with a verb.
  return (
    match !== null &&
    VERBS.has((match[1] ?? "").toLowerCase()) &&
    (/^[A-Z]/.test(name) || KNOWN.has(name.toLowerCase()))
  );
};

const KNOWN = wordSet(
  "remove-item get-childitem get-content set-content clear-content stop-process remove-itemproperty invoke-expression invoke-webrequest invoke-restmethod start-process out-file add-content move-item copy-item rename-item new-item get-process get-item write-host write-output stop-service restart-service remove-module format-volume clear-recyclebin stop-computer restart-computer set-executionpolicy get-service get-location set-location test-path select-string where-object foreach-object sort-object select-object measure-object get-command get-help get-date",
);

const ALIASES: ReadonlyMap<string, string> = new Map(
  "rm remove-item,del remove-item,erase remove-item,rd remove-item,rmdir remove-item,ri remove-item,rp remove-itemproperty,clc clear-content,cli clear-item,kill stop-process,spps stop-process,sp set-itemproperty,spsv stop-service,sasv start-service,iex invoke-expression,icm invoke-command,iwr invoke-webrequest,irm invoke-restmethod,saps start-process,start start-process,sc set-content,ac add-content,mv move-item,move move-item,mi move-item,cp copy-item,copy copy-item,cpi copy-item,ren rename-item,rni rename-item,ni new-item,md new-directory,mkdir new-directory,ls get-childitem,dir get-childitem,gci get-childitem,cat get-content,type get-content,gc get-content,gi get-item,gp get-itemproperty,ps get-process,gps get-process,gsv get-service,gcm get-command,gm get-member,gl get-location,pwd get-location,cd set-location,chdir set-location,sl set-location,pushd push-location,popd pop-location,echo write-output,write write-output,where where-object,? where-object,foreach foreach-object,% foreach-object,select select-object,sort sort-object,group group-object,measure measure-object,sls select-string,fl format-list,ft format-table,fw format-wide,tee tee-object,h get-history,history get-history,r invoke-history,cls clear-host,clear clear-host,man get-help,help get-help,sleep start-sleep,oh out-host,sajb start-job,gjb get-job,rcjb receive-job,ipmo import-module,diff compare-object,set set-variable,sv set-variable,gv get-variable,iwmi invoke-wmimethod,gwmi get-wmiobject,rwmi remove-wmiobject,ii invoke-item,nal new-alias,sal set-alias,ndr new-psdrive,rdr remove-psdrive"
    .split(",")
    .map((pair) => pair.split(" ") as [string, string]),
);
export const cmdletOf = (name: string): string | undefined =>
  ALIASES.get(name) ?? (isCmdlet(name) || KNOWN.has(name) ? name : undefined);

const QUIET_VERBS =
  /^(?:get|test|measure|select|sort|where|group|compare|convertfrom|convertto|find|join|split|resolve|read|receive|wait|show|search|trace|debug|watch|skip|pop|push|enter|exit|ping|assert)-/;
const HARMLESS = wordSet(
  "write-output write-host write-verbose write-warning write-error write-debug write-information write-progress out-null out-host out-string out-default out-gridview format-list format-table format-wide format-custom format-hex set-location foreach-object new-object new-directory new-guid new-timespan new-variable set-variable start-sleep clear-host import-module import-csv import-clixml import-json export-modulemember set-strictmode add-type-list start-transcript-list tee-variable update-help set-psdebug convert-path add-member new-temporaryfile start-job expand-archive compress-archive",
);
const CODES: ReadonlyMap<string, RiskCode> = new Map<string, RiskCode>([
  ["invoke-expression", "code"],
  ["invoke-command", "outward"],
  ["enter-pssession", "outward"],
  ["start-process", "code"],
  ["stop-process", "process"],
  ["stop-computer", "system_halt"],
  ["restart-computer", "system_halt"],
  ["format-volume", "disk_format"],
  ["clear-disk", "disk_format"],
  ["set-executionpolicy", "environment"],
  ["set-content", "overwrite"],
  ["out-file", "overwrite"],
  ["move-item", "overwrite"],
  ["rename-item", "overwrite"],
  ["clear-content", "overwrite"],
  ["clear-history", "traces"],
  ["clear-eventlog", "traces"],
  ["add-type", "code"],
  ["set-acl", "permission"],
  ["publish-module", "publish"],
  ["install-module", "package"],
  ["uninstall-module", "package"],
  ["uninstall-package", "package"],
]);

const LIKE: ReadonlyMap<string, string> = new Map([
  ["get-childitem", "ls"],
  ["get-item", "ls"],
  ["test-path", "ls"],
  ["resolve-path", "ls"],
  ["select-string", "grep"],
  ["copy-item", "cp"],
  ["move-item", "mv"],
  ["remove-item", "rm"],
  ["write-output", "echo"],
  ["write-host", "echo"],
]);
/** Returns the equivalent of a cmdlet on other systems. An unlisted cmdlet may show its input, as cat does. */
export const likeCmdlet = (name: string): string => LIKE.get(name) ?? "cat";

export const cmdletRule: Rule = (command) => cmdletRisks(command.name.toLowerCase(), command);

export function cmdletRisks(name: string, command: SimpleCommand): readonly RiskCode[] {
  const values = wordsOf(command.args);
  const flag = (pattern: RegExp): boolean => values.some((value) => pattern.test(value));
  if (flag(/^-wh?a?t?i?f?$/i) || flag(/^-\?$/)) return NONE;
  // An argument such as `env:*` lists all variables, not a single one.
  if (flag(/^(?:env|variable):[\\/]?\*?$/i)) return ["credentials"];
  if (name === "remove-item") {
    const deep = flag(/^-r(?:ecurse|ec|ecur)?$|^-(?:rf|fr)$|^\/s$/i);
    return deep && values.some((value) => !value.startsWith("-") && isSystemTree(value))
      ? ["system_delete"]
      : ["delete"];
  }
  if (name === "invoke-webrequest" || name === "invoke-restmethod") return requestRisks(values);
  if (name === "new-item") return flag(/^-f(?:orce)?$/i) ? ["overwrite"] : NONE;
  if (name === "copy-item") return flag(/^-f(?:orce)?$/i) || values.some(isDisk) ? ["overwrite"] : NONE;
  if (name === "tee-object") return flag(/^-variable$/i) ? NONE : ["overwrite"];
  if ((name === "expand-archive" || name === "compress-archive") && flag(/^-f(?:orce)?$|^-update$/i))
    return ["overwrite"];
  if (name === "get-credential" || name === "get-secret") return ["credentials"];
  if (/^export-(?:csv|clixml|json)$/.test(name)) return ["overwrite"];
  if (name === "start-job") return flag(/^-filepath$/i) ? ["script"] : NONE;
  const code = CODES.get(name);
  if (code) return [code];
  if (QUIET_VERBS.test(name) || HARMLESS.has(name)) return NONE;
  return [
    /^(?:remove|clear|uninstall)-/.test(name)
      ? "delete"
      : /^(?:stop|start|restart|suspend|resume|enable|disable|set|new|register|unregister)-/.test(name)
        ? "service"
        : "unknown_command",
  ];
}

/** Returns the risks of a web request. Reading is allowed; saving, sending and other methods are not. */
function requestRisks(values: readonly string[]): readonly RiskCode[] {
  const out = values.findIndex((value) => /^-outf(?:ile)?$/i.test(value));
  if (out >= 0 && !isStreamDevice(values[out + 1] ?? "")) return ["overwrite"];
  const named = values.findIndex((value) => /^-m(?:ethod)?$/i.test(value));
  const sends = values.some((value) => /^-(?:body|infile|form)$/i.test(value));
  return sends || (named >= 0 && !/^(?:get|head|options)$/i.test(values[named + 1] ?? "")) ? ["outward"] : NONE;
}
