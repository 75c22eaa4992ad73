// Detects programs that show the environment or memory of other processes, or attach to them.

import { type SimpleCommand, wordSet } from "../model.ts";
import { wordsOf } from "../parse/options.ts";
import type { RiskCode } from "../reasons.ts";

const ATTACHES = wordSet(
  "strace ltrace gdb lldb perf dlv py-spy rbspy bpftrace gcore jmap jcmd jinfo jstack jhsdb memray austin dtrace dtruss heaptrack reptyr rr valgrind vgdb frida",
);
const PID_OPTION = /^(?:-[a-zA-Z]*p|--?(?:pid|attach|attach-pid|attach-name|process-id)|-P)(?:=.*|\d+)?$/;
const TAKES_PID = wordSet("gcore jmap jcmd jinfo jhsdb reptyr procstat pargs");

export function processRisks({ name, args }: SimpleCommand): readonly RiskCode[] {
  const values = wordsOf(args);
  if (name === "ps") return values.some(showsEnvironment) ? ["other_process"] : [];
  if (
    ATTACHES.has(name) &&
    (values.some((value) => PID_OPTION.test(value)) || values[0] === "attach" || values[0] === "dump")
  )
    return ["other_process"];
  if (/^(?:gdb|lldb)$/.test(name) && values.some((value) => /^\d+$/.test(value))) return ["other_process"];
  if (name === "node" && values[0] === "inspect" && values.includes("-p")) return ["other_process"];
  if (!TAKES_PID.has(name)) return [];
  const listing = values.length === 0 || values.every((value) => /^-{1,2}(?:l|h|help|version)$/.test(value));
  return listing ? [] : ["other_process"];
}

/** True for `ps e`, `ps auxe`, `ps -E` and `ps axo env`. Without a dash, the letter e shows the environment. */
const showsEnvironment = (value: string): boolean =>
  /^[a-zA-Z]*e[a-zA-Z]*$/.test(value) && !/^(?:cmd|command|pid|etime)/.test(value)
    ? /^[aAxXuwlfhjvsnNTrSegcCLmpkotU]+$/.test(value)
    : /^-[a-zA-Z]*E/.test(value) || /(?:^|[,=])env(?:iron)?(?:,|$)/.test(value);
