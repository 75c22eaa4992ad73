// Judges redirections that overwrite or append to a file, or that open a connection. Descriptors and /dev/null are
// allowed.
import type { RedirectOperator } from "unbash";
import { isProjectSecret } from "../../capabilities/named-secrets.ts";
import { type Arg, NONE } from "../../model.ts";
import {
  isDevice,
  isDisk,
  isOutputText,
  isPlainText,
  isPrivateSetting,
  isSecret,
  isStartup,
  isStreamDevice,
} from "../../parse/paths.ts";
import type { RiskCode } from "../../reasons.ts";

export function redirectRisks(operator: RedirectOperator, target: Arg): readonly RiskCode[] {
  const path = target.value;
  if (/^\/dev\/(?:tcp|udp)\//.test(path)) return ["outward"];
  if (operator === "<") {
    const isPrivate = isSecret(path) || isPrivateSetting(path) || isProjectSecret(path);
    return target.known && isPrivate ? ["credentials"] : NONE;
  }
  const duplicates = operator === ">&" || operator === "<&";
  if (duplicates && /^(?:\d+-?|-|\$\w+|\$\{\w+\})$/.test(path)) return NONE;
  if (operator === "<&") return NONE;
  const appends = operator === ">>" || operator === "&>>";
  return writeRisks(target, appends);
}

export function writesFile(operator: RedirectOperator, target: Arg): boolean {
  if (!operator.includes(">")) return false;
  const descriptor = operator === ">&" && /^(?:\d+-?|-)$/.test(target.value);
  return !descriptor && !isStreamDevice(target.value) && !/^[<>]\(/.test(target.value);
}

/** Returns the risks of writing to a path, also for tee, dd and other programs that write. */
export function writeRisks(target: Arg, appends: boolean): readonly RiskCode[] {
  const path = target.value;
  // The target is a process substitution, whose command is judged separately.
  if (path.startsWith(">(") || path.startsWith("<(")) return NONE;
  if (isStreamDevice(path)) return NONE;
  if (isDisk(path)) return ["disk_write"];
  if (path === "/proc/sysrq-trigger") return ["system_halt"];
  if (isDevice(path) || /^\/(?:proc|sys)\//.test(path)) return ["raw_device"];
  if (isStartup(path)) return ["startup"];
  if (target.known && (appends ? isPlainText(path) : isOutputText(path))) return NONE;
  return ["overwrite"];
}
