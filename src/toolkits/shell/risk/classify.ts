// Decides whether a command line may run, needs approval by a person, or is blocked. classifyCommand is pure and
// bounded, and it does not throw.

import { accessOfCode } from "./capabilities/access.ts";
import { createPlaces, resolveWord, rootOf } from "./capabilities/places.ts";
import { hasRule, judgeCommand } from "./commands.ts";
import type { Arg, Places, RiskContext, Shell, SimpleCommand, Stdin } from "./model.ts";
import { type Walk, walkBash } from "./parse/bash.ts";
import { walkCmd } from "./parse/cmd.ts";
import { walkPowerShell } from "./parse/powershell.ts";
import { createVariables } from "./parse/words.ts";
import { type CommandRisk, createRiskList, hasHidden, type RiskCode } from "./reasons.ts";
import { isCmdlet } from "./rules/system/powershell-rules.ts";

const MAX_LENGTH = 32_768;
// Bounds the number of opening brackets, because the parser's time is not linear in them.
const MAX_OPENERS = 1_000;
const MAX_DEPTH = 8;
const MAX_STEPS = 50_000;

export type ClassifyOptions = {
  readonly shell?: Shell;
  /** The absolute path of the folder in which commands work. Without it, only relative paths are known to be inside. */
  readonly workspace?: string;
  /**
   * Files and folders that commands may neither read nor change, relative to the workspace or absolute: the data
   * folder, the configuration file, and the modules that the configuration loads. Without this list, the default data
   * folder `.pawl` is protected by its name.
   */
  readonly closed?: readonly string[];
  /** The folder in which the command starts, relative to the workspace or absolute. Defaults to the workspace. */
  readonly folder?: string;
};

/**
 * Judges a command line as its shell would parse it, not by the words that occur in it. This is not a sandbox; it only
 * decides when to ask a person. `allow` means understood and harmless, `confirm` means risky or not understood, and
 * `block` means that no approval can allow it.
 */
export function classifyCommand(command: string, options: ClassifyOptions = {}): CommandRisk {
  const list = createRiskList();
  if (command.length > MAX_LENGTH || isTooNested(command)) {
    list.add("too_long", command);
    list.note("unknown");
    return list.result();
  }
  const text = command.replaceAll("\r\n", "\n");
  if (hasHidden(text)) {
    list.add("hidden_characters", text);
    list.note("unknown");
  }
  try {
    judgeAll(text, options, list);
  } catch {
    // A bug here or in the parser must never allow a command.
    list.add("unparsed", text);
    list.note("unknown");
  }
  return list.result();
}

type RiskList = ReturnType<typeof createRiskList>;

function judgeAll(text: string, options: ClassifyOptions, list: RiskList): void {
  const shell = options.shell ?? "bash";
  const places = createPlaces(options);
  const start = resolveWord(options.folder ?? ".", rootOf(places), rootOf(places));
  const shared: Shared = { list, steps: { left: MAX_STEPS }, places, start };
  const root = createWalk(shared, { depth: 0, contained: false, seen: {} });
  root.run(text, shell, { kind: "none" });
  // A line that starts with a cmdlet is probably PowerShell even if the host says bash, so it is judged as both.
  if (shell === "bash" && isCmdlet(/^\s*([\w-]+)/.exec(text)?.[1] ?? ""))
    root.run(text, "powershell", { kind: "none" });
  const { seen } = root.context;
  if (seen.fetched && seen.script !== undefined) list.add("remote_code", seen.script);
  if (seen.reevaluates && seen.subscript !== undefined) list.add("code", seen.subscript);
  if (seen.closed_names !== undefined && seen.reads_listed !== undefined) list.add("closed_path", seen.reads_listed);
  if (seen.closed_names === "folder" && seen.searches_listed !== undefined)
    list.add("closed_path", seen.searches_listed);
}

const isTooNested = (text: string): boolean => (text.match(/[{([`]/g)?.length ?? 0) > MAX_OPENERS;

type Root = { readonly context: RiskContext; run(text: string, shell: Shell, stdin: Stdin): void };

// The reason that applies inside a container instead, because the container protects the host. Undefined drops it.
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
  ["outside_workspace", undefined],
  ["detach", undefined],
]);

/** The state that all walks of one classification share. */
type Shared = {
  readonly list: RiskList;
  readonly steps: { left: number };
  readonly places: Places;
  /** The folder in which the line starts, or undefined if it is unknown. */
  readonly start: readonly string[] | undefined;
};
type Level = { readonly depth: number; readonly contained: boolean; readonly seen: RiskContext["seen"] };

function createWalk(shared: Shared, level: Level): Root {
  const { depth, contained, seen } = level;
  const vars = createVariables();
  const spend = (): boolean => {
    if (shared.steps.left-- > 0) return true;
    shared.list.add("too_long", "");
    shared.list.note("unknown");
    return false;
  };
  const report = (code: RiskCode, excerpt: string): void => {
    const inside = contained && CONTAINED.has(code) ? CONTAINED.get(code) : code;
    if (inside) shared.list.add(inside, excerpt);
    shared.list.note(accessOfCode(code));
  };
  const context: RiskContext = {
    report,
    note: shared.list.note,
    seen,
    functions: new Set(),
    cwd: undefined,
    folder: shared.start,
    places: shared.places,
    runWords: (words, from) => runWords(words, from),
    runScript(text, shell, from) {
      if (depth >= MAX_DEPTH) {
        report("too_long", from.text);
        return;
      }
      const inner = createWalk(shared, { depth: depth + 1, contained, seen });
      inner.context.cwd = context.cwd;
      inner.context.folder = context.folder;
      inner.run(text, shell, from.stdin);
    },
    contained: () => createWalk(shared, { depth: depth + 1, contained: true, seen: {} }).context,
    inContainer: contained,
    hasRule,
  };
  const judge = (command: SimpleCommand): void => {
    if (spend()) judgeCommand(command, context);
  };
  let nested = depth;
  const runWords = (words: readonly Arg[], from: SimpleCommand): void => {
    const [name, ...args] = words;
    if (!name) return;
    // The nesting of wrappers is limited, as is that of scripts.
    if (++nested > 4 * MAX_DEPTH) report("too_long", from.text);
    else if (!name.known) report("not_literal", from.text);
    else judge({ ...from, name: name.value, args });
    nested--;
  };
  const walk: Walk = { context, vars, spend, judge };
  const run = (text: string, shell: Shell, stdin: Stdin): void => {
    if (shell === "powershell") walkPowerShell(text, walk);
    else if (shell === "cmd") walkCmd(text, walk);
    else walkBash(text, stdin, walk);
  };
  return { context, run };
}
