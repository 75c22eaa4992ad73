// Judges programs that start another command from their words, such as env, timeout, xargs and npx. The inner command
// is judged too.

import { COPYING_PROGRAMS } from "../../capabilities/closed-trees.ts";
import { type Arg, literal, NONE, placeholder, type Rule, type RuleTable } from "../../model.ts";
import { afterOptions, has, readOptions, valuesOf, wordAt, wordsOf } from "../../parse/options.ts";
import type { RiskCode } from "../../reasons.ts";
import { environmentRisks } from "./environment.ts";
import { runsPackage } from "./run-package.ts";

/** Skips the options (`valued` take a value) and `skip` operands; the remaining words are the command. */
export const wraps =
  (valued = "", skip = 0, codes: readonly RiskCode[] = NONE): Rule =>
  (command, context) => {
    const inner = afterOptions(command.args, valued, skip);
    if (inner.length > 0) context.runWords(inner, command);
    return codes;
  };

/** Creates the rule for programs that, like env, accept assignments before the command. */
const wrapsWithVariables =
  (valued: string, codes: readonly RiskCode[] = NONE): Rule =>
  (command, context) => {
    const rest = afterOptions(command.args, valued);
    const head = command.args.slice(0, command.args.length - rest.length);
    if (has(readOptions(head, valued), "i ignore-environment u unset") || head.some((arg) => arg.value === "-"))
      context.seen.cleared = true;
    const start = rest.findIndex((arg) => !/^\w+=/.test(arg.value));
    const variables = wordsOf(rest.slice(0, start < 0 ? undefined : start));
    const odd = variables.flatMap((text) => {
      const equals = text.indexOf("=");
      return environmentRisks(text.slice(0, equals), text.slice(equals + 1));
    });
    const split = valuesOf(readOptions(command.args, valued), "S split-string");
    for (const text of split) context.runScript([text, ...wordsOf(rest)].join(" "), "bash", command);
    if (start >= 0 && split.length === 0) context.runWords(rest.slice(start), command);
    return [...codes, ...odd];
  };

/** Creates the rule for programs that run their words as one shell script, such as watch, hyperfine and tmux. */
const wrapsText =
  (valued: string, each = false): Rule =>
  (command, context) => {
    const words = afterOptions(command.args, valued);
    if (words.some((word) => !word.known)) return ["not_literal"];
    const texts = each ? wordsOf(readOptions(command.args, valued).operands) : [wordsOf(words).join(" ")];
    for (const text of texts) if (text !== "") context.runScript(text, "bash", command);
    return NONE;
  };

const time: Rule = (command, context) => {
  wraps("o f output format")(command, context);
  return /^-{1,2}o/.test(wordAt(command.args, 0)) ? ["overwrite"] : NONE;
};

const query: Rule = (command, context) => {
  if (/^-p?[vV]$/.test(wordAt(command.args, 0))) return NONE;
  return wraps()(command, context);
};

const exec: Rule = (command, context) => {
  if (/^-[a-z]*c/.test(wordAt(command.args, 0))) context.seen.cleared = true;
  return wraps("a")(command, context);
};

/** The rule for perf. In `perf record … x`, the options of the subcommand precede the program. */
const perf: Rule = (command, context) => {
  const inner = afterOptions(command.args.slice(1), "e o F p g call-graph event output");
  if (/^(?:stat|record|trace)$/.test(wordAt(command.args, 0)) && inner.length > 0) context.runWords(inner, command);
  return NONE;
};

const flock: Rule = (command, context) => {
  const valued = "w E wait timeout conflict-exit-code";
  const rest = afterOptions(command.args, valued, 1);
  if (/^(?:-c|--command)$/.test(wordAt(rest, 0))) {
    if (!rest[1]?.known) return ["not_literal"];
    context.runScript(rest[1].value, "bash", command);
    return NONE;
  }
  if (rest.length > 0) context.runWords(afterOptions(rest, ""), command);
  return NONE;
};

const script: Rule = (command, context) => {
  const options = readOptions(command.args, "c command E I O T B o m log-io log-out log-in log-timing");
  for (const text of valuesOf(options, "c command")) context.runScript(text, "bash", command);
  const [file, ...rest] = options.operands;
  if (rest.length > 0) context.runWords(rest, command);
  return file && file.value !== "/dev/null" ? ["overwrite"] : NONE;
};

const XARGS =
  "I n P L s d E a replace max-args max-procs max-lines max-chars delimiter arg-file i process-slot-var J R S";
const xargs: Rule = (command, context) => {
  const inner = afterOptions(command.args, XARGS);
  if (inner.length === 0) return NONE;
  const options = readOptions(command.args.slice(0, command.args.length - inner.length), XARGS);
  const mark = valuesOf(options, "I replace")[0] ?? (has(options, "i replace") ? "{}" : undefined);
  const fed: readonly Arg[] =
    command.stdin.kind === "text"
      ? command.stdin.text.split(/\s+/).filter(Boolean).slice(0, 500).map(literal)
      : [{ value: "{}", known: false, wild: "many" }];
  // True if the arguments are known or printed as file names. Lines of a file could name any file.
  const listed = command.stdin.kind === "text" || (command.stdin.kind === "opaque" && command.stdin.names);
  const given = command.stdin.kind === "opaque" || has(options, "a arg-file");
  if (context.places.explicit && given && !listed && COPYING_PROGRAMS.has(wordAt(inner, 0)))
    context.report("not_literal", command.text);
  const filled = mark
    ? inner.flatMap((arg) => (arg.value === mark ? fed : arg.value.includes(mark) ? [placeholder(arg.value)] : [arg]))
    : [...inner, ...fed];
  context.runWords(filled, { ...command, stdin: { kind: "none" } });
  return NONE;
};

const PARALLEL =
  "j jobs a arg-file colsep C delay timeout retries joblog N n max-args L S sshlogin sshloginfile I results tmpdir workdir wd env P halt memfree load tagstring";
const parallel: Rule = (command, context) => {
  const options = readOptions(command.args, PARALLEL);
  const given = has(options, "a arg-file");
  const words = afterOptions(command.args, PARALLEL);
  const split = words.findIndex((arg) => /^:::/.test(arg.value));
  const template = split < 0 ? words : words.slice(0, split);
  if (template.length === 0) {
    // Without a template, every argument after `:::` is a separate command.
    if (split < 0) return ["not_literal"];
    for (const arg of words.slice(split + 1)) context.runScript(arg.value, "bash", command);
    return NONE;
  }
  // `:::: file` and the standard input provide unknown text.
  const listed = split >= 0 && words.every((arg) => !/^::::/.test(arg.value)) && !given;
  const fed = listed ? words.slice(split + 1).filter((arg) => !/^:::/.test(arg.value)) : [placeholder("{}")];
  const holes = template.some((arg) => arg.value.includes("{"));
  if (template.some((arg) => !arg.known)) return ["not_literal"];
  const text = wordsOf(template).join(" ");
  context.runScript(text, "bash", command);
  if (!holes) context.runWords([...template, ...fed], command);
  else if (!listed) {
    const filled = text.split(/\s+/).map((word) => (word.includes("{") ? placeholder(word) : literal(word)));
    context.runWords(filled, command);
  }
  return has(options, "S sshlogin sshloginfile") ? ["outward"] : NONE;
};

/** The rule for concurrently. npm:build names a script of the project; any other argument is shell text. */
const concurrently: Rule = (command, context) => {
  const args = command.args.filter((arg) => !/^(?:npm|yarn|pnpm|bun):[\w:*-]+$/.test(arg.value));
  return wrapsText("n names c prefix-colors p prefix m max-processes", true)({ ...command, args }, context);
};

const nodemon: Rule = (command, context) => {
  const options = readOptions(command.args, "x exec w watch e ext i ignore d delay");
  for (const text of valuesOf(options, "x exec")) context.runScript(text, "bash", command);
  return NONE;
};

export const wrapperRules: RuleTable = {
  "builtin unbuffer chronic torsocks proxychains proxychains4 caffeinate catchsegv fakeroot linux32 linux64 busybox toybox rlwrap noglob nocorrect winpty ccache sccache op-run":
    wraps("C"),
  "nohup setsid daemonize daemon": wraps("C p o e l u", 0, ["detach"]),
  "env genv cross-env cross-env-shell": wrapsWithVariables("u unset C chdir S split-string"),
  time,
  command: query,
  exec,
  nice: wraps("n adjustment"),
  ionice: wraps("c n p P u class classdata"),
  stdbuf: wraps("i o e input output error"),
  "timeout gtimeout": wraps("k s kill-after signal", 1),
  "taskset setarch": wraps("", 1),
  chrt: wraps("T P D", 1),
  numactl: wraps("N m C p i l"),
  "prlimit arch systemd-inhibit dbus-run-session firejail valgrind entr": wraps(),
  cpulimit: wraps("l p e P limit pid"),
  "systemd-run": wraps("p u M H E unit property slice uid gid setenv description on-active on-calendar", 0, [
    "service",
  ]),
  "xvfb-run": wraps("n s f e server-num server-args"),
  strace: wraps("e o p s u E I O S a b P"),
  ltrace: wraps("e o p s u a n"),
  perf,
  dotenv: wraps("e f"),
  dotenvx: wraps("e f", 1),
  doppler: wraps("p c", 1),
  direnv: (command, context) => {
    const verb = command.args[0]?.value;
    if (verb === "exec") return wraps("", 2)(command, context);
    return verb === "allow" ? ["environment"] : NONE;
  },
  watch: wrapsText("n interval d"),
  hyperfine: wrapsText(
    "w r m M p c S L D P n i warmup runs min-runs max-runs prepare cleanup shell export-json export-markdown parameter-list",
    true,
  ),
  "ssh-agent": wraps("a E P t"),
  flock,
  script,
  "xargs gxargs": xargs,
  parallel,
  "npx bunx uvx pnpx": runsPackage,
  concurrently,
  nodemon,
};
