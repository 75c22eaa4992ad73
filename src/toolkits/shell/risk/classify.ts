// classifyCommand: may this command line run, must a person look, or never? Pure, bounded, and it does not throw.
import type { Walk } from "./bash.ts";
import { walkBash } from "./bash.ts";
import { walkCmd } from "./cmd.ts";
import { hasRule, judgeCommand } from "./commands.ts";
import type { Arg, Scope, Shell, SimpleCommand, Stdin } from "./model.ts";
import { walkPowerShell } from "./powershell.ts";
import { isCmdlet } from "./powershell-rules.ts";
import type { CommandRisk, RiskCode } from "./reasons.ts";
import { createRiskList, hasHidden } from "./reasons.ts";
import type { Variables } from "./words.ts";

const MAX_LENGTH = 32_768;
// The parser is not linear in nested openers; beyond this nobody reads the line either.
const MAX_OPENERS = 1_000;
const MAX_DEPTH = 8;
const MAX_STEPS = 50_000;

/**
 * Decides on the parsed command line, never on words in it. Not a sandbox: it tells when a person must be asked.
 * `allow`: understood and harmless. `confirm`: risky or not understood. `block`: no approval passes it.
 */
export function classifyCommand(command: string, options: { readonly shell?: Shell } = {}): CommandRisk {
  const list = createRiskList();
  if (command.length > MAX_LENGTH || isTangled(command)) {
    list.add("too_long", command);
    return list.result();
  }
  const text = command.replaceAll("\r\n", "\n");
  if (hasHidden(text)) list.add("hidden_characters", text);
  try {
    judgeAll(text, options.shell ?? "bash", list.add);
  } catch {
    // A bug here, or in the parser, must never let a command through.
    list.add("unparsed", text);
  }
  return list.result();
}

function judgeAll(text: string, shell: Shell, add: (code: RiskCode, excerpt: string) => void): void {
  const root = createWalk(add, { left: MAX_STEPS }, 0, false);
  root.run(text, shell, { kind: "none" });
  // A line that starts with a cmdlet is PowerShell whatever the host calls its shell: both readings count.
  if (shell === "bash" && isCmdlet(/^\s*([\w-]+)/.exec(text)?.[1] ?? ""))
    root.run(text, "powershell", { kind: "none" });
  const { seen } = root.scope;
  if (seen.fetched && seen.script !== undefined) add("remote_code", seen.script);
  if (seen.reads_again && seen.subscript !== undefined) add("code", seen.subscript);
}

const isTangled = (text: string): boolean => (text.match(/[{([`]/g)?.length ?? 0) > MAX_OPENERS;

type Root = { readonly scope: Scope; run(text: string, shell: Shell, stdin: Stdin): void };

// Inside a container the machine is not at stake, and an image brings programs nobody here knows.
const CONTAINED: ReadonlyMap<RiskCode, RiskCode | undefined> = new Map<RiskCode, RiskCode | undefined>([
  ["system_delete", "delete"],
  ["system_permission", "permission"],
  ["system_halt", "container"],
  ["kill_all", "process"],
  ["disk_write", "raw_device"],
  ["disk_format", "raw_device"],
  ["fork_bomb", "container"],
  ["unknown_command", undefined],
  ["script", undefined],
]);

function createWalk(
  add: (code: RiskCode, excerpt: string) => void,
  steps: { left: number },
  depth: number,
  contained: boolean,
): Root {
  const vars: Variables = new Map();
  const spend = (): boolean => {
    if (steps.left-- > 0) return true;
    add("too_long", "");
    return false;
  };
  const report = (code: RiskCode, excerpt: string): void => {
    const inside = contained && CONTAINED.has(code) ? CONTAINED.get(code) : code;
    if (inside) add(inside, excerpt);
  };
  const scope: Scope = {
    report,
    seen: { fetched: false, script: undefined, subscript: undefined, reads_again: false },
    functions: new Set(),
    cwd: undefined,
    runWords: (words, from) => runWords(words, from),
    runScript(text, shell, from) {
      if (depth >= MAX_DEPTH) {
        report("too_long", from.text);
        return;
      }
      const inner = createWalk(add, steps, depth + 1, contained);
      inner.scope.cwd = scope.cwd;
      inner.run(text, shell, from.stdin);
      scope.seen.fetched ||= inner.scope.seen.fetched;
      scope.seen.script ??= inner.scope.seen.script;
      scope.seen.subscript ??= inner.scope.seen.subscript;
      scope.seen.reads_again ||= inner.scope.seen.reads_again;
    },
    contained: () => createWalk(add, steps, depth + 1, true).scope,
    inContainer: contained,
    knows: hasRule,
  };
  const judge = (command: SimpleCommand): void => {
    if (spend()) judgeCommand(command, scope);
  };
  let nested = depth;
  const runWords = (words: readonly Arg[], from: SimpleCommand): void => {
    const [name, ...args] = words;
    if (!name) return;
    // Wrappers inside wrappers are bounded like scripts inside scripts.
    if (++nested > 4 * MAX_DEPTH) report("too_long", from.text);
    else if (!name.known) report("not_literal", from.text);
    else judge({ ...from, name: name.value, args });
    nested--;
  };
  const walk: Walk = { scope, vars, spend, judge };
  const run = (text: string, shell: Shell, stdin: Stdin): void => {
    if (shell === "powershell") walkPowerShell(text, walk);
    else if (shell === "cmd") walkCmd(text, walk);
    else walkBash(text, stdin, walk);
  };
  return { scope, run };
}
