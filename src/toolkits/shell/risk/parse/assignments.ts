// Tracks the variables of a command line: known values, output of programs, and values that a builtin reads.

import type { Assignment } from "unbash";
import { isOutside } from "../capabilities/outside.ts";
import type { Arg, RiskContext, Stdin } from "../model.ts";
import { environmentRisks } from "../rules/shell/environment.ts";
import { isNumberSource } from "../rules/shell/reevaluation.ts";
import { wordsOf } from "./options.ts";
import { readWord, type Variables } from "./words.ts";

const MAX_VALUES = 20;
// Names of variables that tell a program where to write.
const OUTPUT_VARIABLE =
  /(?:^|_)(?:OUT(?:PUT)?|LOGS?|DEST|TARGET|BUILD|REPORTS?|COVERAGE|ARTIFACTS?)(?:_?(?:DIR|FILE|PATH|FOLDER|ROOT))?$/;

/** Adds a value that a variable may hold. An unknown value counts only if the line computes it, and is then null. */
export function addValue(vars: Variables, name: string, value: string | undefined, wild: boolean): void {
  if (value === undefined && !wild) return;
  const before = vars.values.get(name) ?? [];
  if (before.length > MAX_VALUES) return;
  vars.values.set(name, [...before, value ?? null]);
}

/** Before a command, `name=value` applies to that command; alone, it applies to the rest of the line. */
export function readAssignment(
  item: Assignment,
  alone: boolean,
  vars: Variables,
  context: RiskContext,
  text: string,
): void {
  const words = item.value.type === "Word" ? readWord(item.value, vars) : [];
  const [first] = words;
  const known = words.length === 1 && first?.known ? first.value : undefined;
  for (const code of environmentRisks(item.name, known ?? first?.value, !alone)) context.report(code, text);
  if (!alone && OUTPUT_VARIABLE.test(item.name) && known !== undefined && isOutside(known, context))
    context.report("outside_workspace", text);
  if (first?.computed) noteComputed(vars, context, item.name, first.value);
  if (!alone) return;
  if (item.value.type === "ArrayValue") {
    for (const word of item.value.elements.slice(0, MAX_VALUES))
      for (const arg of readWord(word, vars)) addValue(vars, item.name, arg.known ? arg.value : undefined, true);
    return;
  }
  const before = vars.values.get(item.name);
  const [only] = before ?? [];
  if (item.append && known !== undefined && before?.length === 1 && typeof only === "string")
    vars.values.set(item.name, [only + known]);
  else addValue(vars, item.name, item.append ? undefined : known, first?.wild !== "no" || Boolean(item.append));
}

function noteComputed(vars: Variables, context: RiskContext, name: string, value: string): void {
  const script = /^\$\((.*)\)$/s.exec(value)?.[1] ?? /^`(.*)`$/s.exec(value)?.[1];
  const kind = script !== undefined && isNumberSource(script) ? "number" : "text";
  if (vars.computed.get(name) !== "text") vars.computed.set(name, kind);
  // After `declare -i`, assigned text is evaluated as arithmetic, which can run commands.
  if (kind === "text" && context.seen.integers) {
    context.seen.subscript ??= value;
    context.seen.reevaluates = true;
  }
}

const NAME = /^[A-Za-z_]\w*$/;

/** Notes the variables that a builtin fills, as in `read x`, `mapfile a` and `printf -v x`. */
export function readBuiltin(
  name: string,
  args: readonly Arg[],
  stdin: Stdin,
  vars: Variables,
  context: RiskContext,
): void {
  const targets = filledVariables(name, args);
  for (const target of targets) {
    for (const code of environmentRisks(target, "./?", false)) context.report(code, `${name} ${target}`);
    if (stdin.kind === "text") addValue(vars, target, stdin.text.trim(), true);
    else vars.computed.set(target, stdin.kind === "opaque" && stdin.names ? "text" : "content");
  }
}

function filledVariables(name: string, args: readonly Arg[]): readonly string[] {
  const values = wordsOf(args);
  if (name === "printf") return values.filter((value, at) => values[at - 1] === "-v" && NAME.test(value));
  return /^(?:read|mapfile|readarray)$/.test(name) ? values.filter((value) => NAME.test(value)) : [];
}
