// Reads PowerShell text: statements, pipes, blocks, call operators and methods. It is not a full parser, so unusual
// text needs approval.

import { reportEquivalentRisks } from "../commands.ts";
import { type Arg, literal, placeholder, type RiskContext, type SimpleCommand, type Stdin } from "../model.ts";
import { cmdletOf, cmdletRisks, likeCmdlet } from "../rules/system/powershell-rules.ts";
import type { Walk } from "./bash.ts";
import { wordAt } from "./options.ts";
import { isStreamDevice } from "./paths.ts";

type Token = {
  kind: "word" | "string" | "break" | "open" | "close" | "redirect";
  text: string;
  known: boolean;
  adjacent: boolean;
};
/** The statement being read. `kind` follows from its first word. */
type Frame = {
  words: Arg[];
  kind: "start" | "command" | "expression" | "skip";
  call: boolean;
  from: number;
  hash: boolean;
};

const KEYWORDS =
  /^(?:if|elseif|else|while|do|until|switch|try|catch|finally|begin|process|end|return|throw|in|param|trap|default|break|continue|foreach|for)$/i;
const SAFE_METHOD =
  /^(?:tostring|split|trim|trimstart|trimend|replace|contains|startswith|endswith|tolower|toupper|substring|indexof|lastindexof|join|format|gettype|add|padleft|padright|round|floor|ceiling|max|min|abs|sqrt|pow|newguid|adddays|addhours|addminutes|addmonths|parse|tryparse|isnullorempty|isnullorwhitespace|equals|compareto|where|foreach|count|containskey|toarray|getenumerator|exists|getfilename|getextension|combine|getdirectoryname|getbytes|getstring|tobase64string|frombase64string|matches|match|ismatch|escape|toshortdatestring|subtract|insert|reverse|getenvironmentvariable|tochararray|getvalue|getlength|sort|todatetime|toint32|next)$/i;
const NETWORK = /\b(?:iwr|irm|curl|wget|Invoke-WebRequest|Invoke-RestMethod|DownloadString|WebClient)\b/i;

export function walkPowerShell(source: string, walk: Walk): void {
  const stack: Frame[] = [];
  let frame = newFrame(0, false);
  let piped: Stdin = { kind: "none" };
  let previous: Token | undefined;
  const flush = (end: number): void => judge(frame, source.slice(frame.from, end), piped, walk);
  for (const { token, at, end } of tokens(source, walk)) {
    if (!walk.spend()) return;
    switch (token.kind) {
      case "break":
        flush(at);
        // Downloaded text may be piped to iex, which runs it.
        piped =
          token.text === "|"
            ? {
                kind: "opaque",
                network: NETWORK.test(source.slice(frame.from, at)) || (piped.kind === "opaque" && piped.network),
              }
            : { kind: "none" };
        frame = newFrame(end, frame.hash);
        break;
      case "open": {
        checkMethod(previous, token, source.slice(frame.from, end), walk.context);
        frame.words.push(placeholder(token.text));
        if (frame.kind === "start") frame.kind = "expression";
        stack.push(frame);
        frame = newFrame(end, token.text === "@{");
        break;
      }
      case "close":
        flush(at);
        frame = stack.pop() ?? newFrame(end, false);
        break;
      case "redirect":
        frame.words.push(literal(token.text));
        break;
      default:
        if (!token.known) for (const code of substitutions(token.text)) walkPowerShell(code, walk);
        take(frame, token, at);
    }
    previous = token;
  }
  flush(source.length);
  for (const open of stack.reverse()) judge(open, source.slice(open.from), piped, walk);
}

/** Yields the statements inside "… $( … )", up to the closing parenthesis or to the end if there is none. */
function* substitutions(text: string): Generator<string> {
  for (let at = text.indexOf("$("); at >= 0; ) {
    let depth = 1;
    let end = at + 2;
    for (; end < text.length && depth > 0; end++) depth += text[end] === "(" ? 1 : text[end] === ")" ? -1 : 0;
    yield text.slice(at + 2, depth === 0 ? end - 1 : end);
    at = text.indexOf("$(", end);
  }
}

const newFrame = (from: number, hash: boolean): Frame => ({ words: [], kind: "start", call: false, from, hash });

/** Adds a word to the statement. The first word decides the kind of the statement. */
function take(frame: Frame, token: Token, at: number): void {
  const arg: Arg = { value: token.text, known: token.known, wild: "no" };
  if (frame.kind !== "start") {
    // A command may follow an assignment.
    if (frame.kind === "expression" && /^[+\-*/]?=$/.test(token.text) && token.kind === "word") {
      frame.kind = "start";
      frame.words = [];
      return;
    }
    frame.words.push(arg);
    return;
  }
  if (token.kind === "word" && (token.text === "&" || token.text === ".")) {
    frame.call = true;
    return;
  }
  if (token.kind === "word" && KEYWORDS.test(token.text)) return;
  if (/^function$|^filter$|^class$/i.test(token.text)) {
    frame.kind = "skip";
    return;
  }
  frame.from = Math.min(frame.from, at);
  const expression = !frame.call && (token.kind === "string" || /^[$[\d@-]/.test(token.text) || frame.hash);
  frame.kind = expression ? "expression" : "command";
  frame.words.push(arg);
}

function judge(frame: Frame, text: string, stdin: Stdin, walk: Walk): void {
  const excerpt = text.trim();
  const words = withoutRedirects(frame.words, excerpt, walk.context);
  for (const word of frame.words) checkStatic(word.value, excerpt, walk.context);
  const [name, ...args] = words;
  if (frame.kind !== "command" || !name) {
    if (frame.call && frame.words.length > 0) walk.context.report("not_literal", excerpt);
    return;
  }
  if (!name.known || /[$()]/.test(name.value)) {
    walk.context.report("not_literal", excerpt);
    return;
  }
  const command: SimpleCommand = { name: name.value, args, stdin, text: excerpt };
  const cmdlet = cmdletOf(name.value.toLowerCase()) ?? cmdletOf(name.value);
  if (!cmdlet) {
    walk.judge(command);
    return;
  }
  reportEquivalentRisks(command, likeCmdlet(cmdlet.toLowerCase()), walk.context);
  const codes = cmdletRisks(cmdlet.toLowerCase(), { ...command, name: cmdlet });
  const network =
    cmdlet.toLowerCase() === "invoke-expression" &&
    (NETWORK.test(excerpt) || (stdin.kind === "opaque" && stdin.network));
  for (const code of codes) walk.context.report(network ? "remote_code" : code, excerpt);
}

/** Removes redirections. `> file` replaces the file, `>> file` appends to it, and $null discards all output. */
function withoutRedirects(words: readonly Arg[], excerpt: string, context: RiskContext): readonly Arg[] {
  const rest: Arg[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Arg;
    if (!/^[\d*]?>{1,2}(?:&\d)?$/.test(word.value)) {
      rest.push(word);
      continue;
    }
    if (word.value.includes("&")) continue;
    if (!isStreamDevice(wordAt(words, ++i))) context.report("overwrite", excerpt);
  }
  return rest;
}

/** Checks method calls such as x.Delete( and [IO.File]::Delete(, which act without a cmdlet. */
function checkMethod(previous: Token | undefined, token: Token, excerpt: string, context: RiskContext): void {
  if (token.text !== "(" || !token.adjacent || previous === undefined || previous.kind === "string") return;
  const name = /(?:\.|::)(\w+)$/.exec(previous.text)?.[1];
  if (name === undefined ? /^\.|::/.test(previous.text) : !SAFE_METHOD.test(name))
    context.report(NETWORK.test(excerpt) ? "remote_code" : "code", excerpt);
}

function checkStatic(word: string, excerpt: string, context: RiskContext): void {
  if (/^\[[^\]]*(?:reflection|diagnostics\.process|scriptblock|activator|marshal|dllimport|appdomain)/i.test(word))
    context.report("code", excerpt);
}

function* tokens(source: string, walk: Walk): Generator<{ token: Token; at: number; end: number }> {
  const pattern =
    /(\s+|#[^\n]*)|(\r?\n|;|\|\||&&|\|)|(\$\(|@\(|@\{|[({])|([)}])|([\d*]?>>?(?:&\d)?)|@'\r?\n([\s\S]*?)\r?\n'@|@"\r?\n([\s\S]*?)\r?\n"@|'((?:[^']|'')*)'|"((?:[^"`]|`[\s\S]|"")*)"|(&)|((?:`[\s\S]|[^\s;|(){}'"&>`])+)|([\s\S])/y;
  let adjacent = false;
  for (let at = 0; at < source.length; ) {
    if (source[at] === "\n") {
      yield { token: { kind: "break", text: "\n", known: true, adjacent: false }, at, end: at + 1 };
      at++;
      continue;
    }
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (!match) {
      walk.context.report("unparsed", source.slice(at));
      return;
    }
    const end = at + match[0].length;
    const kind = match.slice(1).findIndex((group) => group !== undefined);
    if (kind === 0) {
      // White space ends a word, and a line break in it ends the statement.
      if (match[0].includes("\n"))
        yield { token: { kind: "break", text: "\n", known: true, adjacent: false }, at, end };
      adjacent = false;
      at = end;
      continue;
    }
    const token = tokenOf(kind, match, adjacent);
    if (!token) {
      walk.context.report("unparsed", source.slice(at));
      return;
    }
    yield { token, at, end };
    adjacent = true;
    at = end;
  }
}

function tokenOf(kind: number, match: RegExpExecArray, adjacent: boolean): Token | undefined {
  const text = match[kind + 1] ?? "";
  const string = (value: string, known: boolean): Token => ({ kind: "string", text: value, known, adjacent });
  const plain = (name: Token["kind"], value = text): Token => ({ kind: name, text: value, known: true, adjacent });
  if (kind === 1) return plain("break");
  if (kind === 2) return plain("open");
  if (kind === 3) return plain("close");
  if (kind === 4) return plain("redirect");
  if (kind === 5 || kind === 7) return string(text.replaceAll("''", "'"), true);
  if (kind === 6 || kind === 8) return string(text.replace(/`([\s\S])/g, "$1"), !/\$[\w({]/.test(text));
  if (kind === 9) return plain("word", "&");
  if (kind === 10)
    return { kind: "word", text: text.replace(/`([\s\S])/g, "$1"), known: !/^\$|\$[({]/.test(text), adjacent };
  return undefined;
}
