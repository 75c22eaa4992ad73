// Walks a parsed bash script with its lists, pipes, substitutions, here-documents and functions. It does not judge
// programs itself.
import {
  type Command,
  type Function as FunctionNode,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
} from "unbash";
import { closedTargetRisks } from "../capabilities/closed-paths.ts";
import { type Arg, literal, type RiskContext, type SimpleCommand, type Stdin } from "../model.ts";
import { redirectRisks, writesFile } from "../rules/files/redirects.ts";
import { noteReevaluation } from "../rules/shell/reevaluation.ts";
import { addValue, readAssignment, readBuiltin } from "./assignments.ts";
import { isOutputText, isStreamDevice } from "./paths.ts";
import { printedText } from "./text-output.ts";
import { isLiteralWord, readArgument, readWord, type Variables } from "./words.ts";

export type Walk = {
  readonly context: RiskContext;
  readonly vars: Variables;
  /** Returns false once the work limit of one classification is used up. */
  spend(): boolean;
  judge(command: SimpleCommand): void;
};

const NO_INPUT: Stdin = { kind: "none" };
const SIDE_BY_SIDE = /(?:^|[;&|(])\s*[A-Za-z_][\w./-]*\s+(?:[A-Za-z_.~/"'$]|--?[A-Za-z]{2})/;
const NETWORK =
  /\b(?:curl|wget|iwr|irm|fetch|aria2c|nc|ncat|socat|ssh|http|https|Invoke-WebRequest|Invoke-RestMethod)\b/i;

export function walkBash(source: string, stdin: Stdin, walk: Walk): void {
  visitScript(parse(source), source, stdin, walk);
}

function visitScript(script: ParsedScript, source: string, stdin: Stdin, walk: Walk): void {
  if (script.errors?.length) walk.context.report("unparsed", source.slice(script.pos, script.end));
  for (const statement of script.commands) visit(statement, script.source ?? source, stdin, walk);
}

function visit(node: SyntaxNode, source: string, stdin: Stdin, walk: Walk): void {
  if (!walk.spend()) return;
  noteReevaluation(node, source.slice(node.pos, node.end), walk.vars, walk.context.seen);
  if (!visitSpecial(node, source, stdin, walk)) forEachChild(node, (child) => visit(child, source, stdin, walk));
}

/** Handles nodes that need special treatment. Returns true if that includes their children. */
function visitSpecial(node: SyntaxNode, source: string, stdin: Stdin, walk: Walk): boolean {
  switch (node.type) {
    case "Script":
      visitScript(node, source, NO_INPUT, walk);
      return true;
    case "Pipeline": {
      let input = stdin;
      for (const stage of node.commands) {
        visit(stage, source, input, walk);
        input = outputOf(stage, source, input, walk);
      }
      return true;
    }
    case "Coproc":
    case "Statement":
      if (node.type === "Statement" && !node.background) return false;
      visit(node.type === "Coproc" ? node.body : node.command, source, stdin, walk);
      // The server finds background processes by marker variables, which were removed here.
      if (walk.context.seen.cleared) walk.context.report("detach", source.slice(node.pos, node.end));
      return true;
    case "Command":
      visitCommand(node, source, stdin, walk);
      return true;
    case "Function":
      walk.context.functions.add(node.name.value);
      if (isForkBomb(node)) walk.context.report("fork_bomb", source.slice(node.pos, node.end));
      return false;
    case "Redirected":
      visit(node.command, source, redirect(node.redirects, stdin, source, walk), walk);
      return true;
    case "For":
    case "Select": {
      const words = node.wordlist?.flatMap((word) => readWord(word, walk.vars)) ?? [];
      for (const word of words.length > 0 ? words : [undefined]) {
        addValue(walk.vars, node.name.value, word?.known ? word.value : undefined, word?.wild !== "no");
        // The names of files are data that a request must not carry away.
        if (word?.computed || (word?.known && /[*?[]/.test(word.value)))
          walk.vars.computed.set(node.name.value, "text");
      }
      return false;
    }
    case "ArithmeticCommand":
    case "ArithmeticExpansion": {
      const body =
        node.type === "ArithmeticCommand" ? node.body : node.text.replace(/^\$(?:\(\(|\[)|(?:\)\)|\])$/g, "");
      if (!node.expression && body.trim() !== "") walk.context.report("unparsed", source.slice(node.pos, node.end));
      // Some shells read (( … )) as two nested subshells, in which words side by side are a command.
      if (SIDE_BY_SIDE.test(body)) {
        walk.context.runScript(body, "bash", { name: "", args: [], stdin, text: source.slice(node.pos, node.end) });
      }
      return false;
    }
    case "ParameterExpansion":
      // ${x@P} expands the value as a prompt, which runs substitutions hidden in it.
      if (node.operation?.type === "Transform" && node.operation.operand.value.includes("P")) {
        walk.context.report("not_literal", node.text);
      }
      return false;
    default:
      return false;
  }
}

function visitCommand(node: Command, source: string, stdin: Stdin, walk: Walk): void {
  const text = source.slice(node.pos, node.end);
  for (const item of node.prefix) {
    if (item.type !== "Assignment") continue;
    noteReevaluation(item, item.text, walk.vars, walk.context.seen);
    visit(item.value, source, NO_INPUT, walk);
    if (item.index) visit(item.index, source, NO_INPUT, walk);
    readAssignment(item, node.name === undefined, walk.vars, walk.context, text);
  }
  const input = redirect(node.redirects, stdin, source, walk);
  reportLostContent(node, source, walk);
  if (!node.name) return;
  visit(node.name, source, NO_INPUT, walk);
  for (const arg of node.args) visit(arg, source, NO_INPUT, walk);
  const args = node.args.flatMap((arg) => readArgument(arg, walk.vars));
  const literalName = isLiteralWord(node.name);
  if (!literalName) walk.context.report("not_literal", text);
  const [name, ...more] = readWord(node.name, walk.vars);
  // A command whose name comes from a variable with a known value is judged too, because it may have to be blocked.
  if (!name || !(literalName || name.known)) return;
  walk.judge({ name: name.value, args: [...more, ...args], stdin: input, text });
  readBuiltin(name.value, args, input, walk.vars, walk.context);
}

/**
 * Reports redirections that lose content: `> file`, `: > file` and `sort file > file` empty the file, and `yes > file`
 * fills the disk. Only text and log files are reported here, because redirectRisks reports all others.
 */
function reportLostContent(node: Command, source: string, walk: Walk): void {
  const name = node.name?.value ?? "";
  const words = node.args.flatMap((arg) => ("value" in arg && typeof arg.value === "string" ? [arg.value] : []));
  const prints = !/^(?::|true|false|yes|)$/.test(name) && !words.some(isStreamDevice);
  for (const item of node.redirects) {
    if (item.type !== "Redirect" || !item.target || !writesFile(item.operator, literal(item.target.value))) continue;
    const lost = !item.operator.includes(">>") && !(prints && !words.includes(item.target.value));
    if (lost && isOutputText(item.target.value)) walk.context.report("overwrite", source.slice(item.pos, item.end));
  }
}

function redirect(redirects: readonly Redirection[], stdin: Stdin, source: string, walk: Walk): Stdin {
  let input = stdin;
  for (const item of redirects) {
    const text = source.slice(item.pos, item.end);
    if (item.type === "HereDoc") {
      visit(item.body, source, NO_INPUT, walk);
      const certain = item.delimiter?.quoted || !/[$`]/.test(item.body.text);
      input = certain
        ? { kind: "text", text: item.body.text }
        : { kind: "opaque", network: NETWORK.test(item.body.text) };
      continue;
    }
    if (!item.target) continue;
    visit(item.target, source, NO_INPUT, walk);
    const [target] = readWord(item.target, walk.vars);
    if (!target) continue;
    if (item.type === "HereString") {
      input = target.known
        ? { kind: "text", text: target.value }
        : { kind: "opaque", network: NETWORK.test(target.value) };
      continue;
    }
    for (const code of redirectRisks(item.operator, target)) walk.context.report(code, text);
    for (const code of closedTargetRisks(target, walk.context)) walk.context.report(code, text);
    if (writesFile(item.operator, target)) walk.context.note("write");
    const fd = item.descriptor;
    const reads = item.operator === "<" || item.operator === "<>" || item.operator === "<&";
    const isStdin = fd === undefined || (fd.type === "FileDescriptor" && fd.value === 0);
    if (!reads || !isStdin) continue;
    const empty = target.known && target.value === "/dev/null";
    input = empty ? { kind: "text", text: "" } : { kind: "opaque", network: NETWORK.test(target.value) };
  }
  return input;
}

// Programs that print file names.
const PRINTS_NAMES =
  /^(?:find|fd|fdfind|ls|locate|fzf|git\s(?:-C\s\S+\s+)?(?:ls-files|diff|diff-tree|show|status|grep\s.*-\w*l)|rg\s.*(?:-l|--files)|[ef]?grep\s.*-\w*[lL])\b/;
// Filters whose output still counts as file names if their input does.
const FILTERS = /^(?:[ef]?grep|rg|head|tail|sort|uniq|tac|shuf|tr)\b/;

const printsNames = (stage: string, stdin: Stdin): boolean =>
  PRINTS_NAMES.test(stage) || (stdin.kind === "opaque" && stdin.names === true && FILTERS.test(stage));

function outputOf(node: SyntaxNode, source: string, stdin: Stdin, walk: Walk): Stdin {
  const text = source.slice(node.pos, node.end);
  const network = NETWORK.test(text) || (stdin.kind === "opaque" && stdin.network);
  const opaque: Stdin = { kind: "opaque", network, names: printsNames(text, stdin) };
  if (node.type !== "Command" || !node.name || !isLiteralWord(node.name)) return opaque;
  const args: readonly Arg[] = node.args.flatMap((arg) => readArgument(arg, walk.vars));
  const document = node.redirects.find((item) => item.type === "HereDoc" && item.delimiter?.quoted);
  if (node.name.value === "cat" && args.length === 0 && document?.type === "HereDoc") {
    return { kind: "text", text: document.body.text };
  }
  if (node.redirects.length > 0) return opaque;
  const printed = printedText(node.name.value, args);
  return printed === undefined ? opaque : { kind: "text", text: printed };
}

/** True if a function calls itself twice, or once with something in the background, and so grows without end. */
function isForkBomb(node: FunctionNode): boolean {
  const name = node.name.value;
  let calls = 0;
  let background = false;
  let left = 500;
  const count = (child: SyntaxNode): void => {
    if (left-- <= 0) return;
    if (child.type === "Statement" && child.background) background = true;
    if (child.type === "Command" && child.name?.value === name) calls++;
    forEachChild(child, count);
  };
  forEachChild(node.body, count);
  return calls >= 2 || (calls === 1 && background);
}
