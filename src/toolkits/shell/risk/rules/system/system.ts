// Judges commands for processes, services, timers, network configuration, shutdown and reboot.
import { NONE, type Rule, type RuleTable } from "../../model.ts";
import { afterOptions, anyWord, has, hasWord, readOptions, wordAt, wordsOf } from "../../parse/options.ts";
import { allowed, always, askOnArg, askOnOption, askUnlessFirst, askUnlessWord } from "../conditions.ts";
import { verbRule } from "../verbs.ts";

const kill: Rule = (command) => {
  const values = wordsOf(command.args);
  if (values.some((value) => /^(?:-l|-L|--list|--table)$/.test(value))) return NONE;
  if (/^-0$/.test(values[0] ?? "") || (values[0] === "-s" && values[1] === "0")) return NONE;
  const signalFirst = /^-/.test(values[0] ?? "") && values[0] !== "--";
  const targets = values.slice(signalFirst ? (/^-[sn]$|^--signal$/.test(values[0] ?? "") ? 2 : 1) : 0);
  const everybody =
    targets.some((value) => value === "-1" || value === "0-1") || (values.length === 1 && values[0] === "-1");
  return everybody ? ["kill_all"] : ["process"];
};

const halt: Rule = (command) => (anyWord(command.args, /^-c$|^\/a$|^--show$/i) ? ["service"] : ["system_halt"]);

const runlevel: Rule = (command) => {
  const [level] = command.args;
  if (!level) return NONE;
  return /^(?:0|6|s|1|single)$/i.test(level.value) ? ["system_halt"] : ["service"];
};

const SYSTEMCTL = "t H M p n o type host machine property lines output root state";
const systemctlVerbs = verbRule({
  valued: SYSTEMCTL,
  allow:
    "status, list-units, list-unit-files, list-timers, list-sockets, list-dependencies, list-jobs, list-machines, is-active, is-enabled, is-failed, is-system-running, show, cat, get-default, help",
  other: "service",
});
const systemctl: Rule = (command, context) => {
  const [verb, target] = wordsOf(readOptions(command.args, SYSTEMCTL).operands);
  const halts =
    /^(?:poweroff|reboot|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|emergency|rescue|exit)$/.test(
      verb ?? "",
    ) ||
    (/^(?:start|isolate)$/.test(verb ?? "") &&
      /^(?:poweroff|reboot|halt|emergency|rescue)(?:\.target)?$/.test(target ?? ""));
  return halts ? ["system_halt"] : systemctlVerbs(command, context);
};

const service: Rule = (command) =>
  command.args.length === 0 || hasWord(command.args, "status --status-all") ? NONE : ["service"];

const crontab: Rule = (command) => {
  const options = readOptions(command.args, "u");
  return has(options, "l") && !has(options, "r e") ? NONE : has(options, "r") ? ["delete", "startup"] : ["startup"];
};

const ip: Rule = (command) => {
  const words = afterOptions(command.args, "n netns f family").map((arg) => arg.value);
  if (words[0] === "netns" && words[1] === "exec") return ["privilege"];
  const verb = words.find((word) =>
    /^(?:add|del|delete|set|change|replace|append|flush|up|down|attach|restore|exec)$/.test(word),
  );
  return verb ? ["service"] : NONE;
};

const sysctl: Rule = (command) => {
  const options = readOptions(command.args, "p f load");
  if (has(options, "w write p load f system")) return ["service"];
  return options.operands.some((arg) => arg.value.includes("=")) ? ["service"] : NONE;
};

const tables: Rule = (command) => {
  const options = readOptions(command.args, "t table");
  const words = wordsOf(options.operands);
  return (has(options, "L S list list-rules C") &&
    !has(options, "F X A D I P Z flush delete-chain append delete insert policy zero")) ||
    words[0] === "list"
    ? NONE
    : ["service"];
};

const journal: Rule = (command) =>
  readOptions(command.args).longs.some((long) => /^(?:vacuum|rotate|flush|sync|relinquish|setup-keys)/.test(long))
    ? ["traces"]
    : NONE;

const clock: Rule = (command) => {
  const options = readOptions(command.args, "d r f I date reference file j v z");
  if (has(options, "s set")) return ["service"];
  return anyWord(options.operands, /^\d{8,}/) ? ["service"] : NONE;
};

const hostname: Rule = (command) =>
  readOptions(command.args, "F b").operands.length > 0 || has(readOptions(command.args), "F b") ? ["service"] : NONE;

const reader = (allow: string): Rule => verbRule({ allow, other: "service" });

const terminal: Rule = (command, context) => {
  const options = readOptions(command.args, "S p t n s c L f T X x y e F");
  const words = options.operands;
  const verb = wordAt(words, 0);
  if (command.name === "screen") {
    if (has(options, "ls list r x v") && words.length <= 1) return NONE;
    if (hasWord(command.args, "-X")) return ["process"];
    if (words.length > 0) context.runWords(words, command);
    return options.shorts.includes("d") || words.length > 0 ? ["detach"] : NONE;
  }
  if (TMUX_HARMLESS.test(verb)) return NONE;
  if (!TMUX_TYPES.test(verb))
    return /^(?:select|rename|resize|swap|move|next|previous|last|set|bind)/.test(verb) ? NONE : ["process"];
  // Text that is typed into a terminal, or started in it, is a command like any other.
  const typed = words.slice(1).filter((arg) => !/^(?:Enter|C-m|C-j|Space)$/i.test(arg.value));
  if (typed.some((arg) => !arg.known)) return ["not_literal"];
  const text = wordsOf(typed).join(" ");
  if (text !== "") context.runScript(text, "bash", command);
  // The terminal server keeps running after the command has ended.
  return text !== "" || options.shorts.includes("d") ? ["detach"] : NONE;
};
const TMUX_HARMLESS =
  /^(?:ls|list-\w+|lsk|lsw|lsp|attach|attach-session|a|info|show-\w+|display-message|has-session|has|capture-pane|capturep|detach|source|)$/;
/** Verbs that type text into a terminal or start a command in it. */
const TMUX_TYPES =
  /^(?:new|new-session|new-window|neww|split-window|splitw|send-keys|send|respawn-pane|run-shell|run|if-shell|pipe-pane)$/;

export const systemRules: RuleTable = {
  kill,
  "pkill killall skill snice xkill fkill kill-port tskill taskkill": (command) =>
    command.args.length === 1 && /^-l|^--list/.test(wordAt(command.args, 0)) ? NONE : ["process"],
  killall5: (command) => (command.args[0]?.value === "-0" ? NONE : ["kill_all"]),
  fuser: askOnOption("k kill", "process", "n"),
  renice: always("process"),
  "shutdown reboot halt poweroff stop-computer restart-computer": halt,
  "init telinit": runlevel,
  systemctl,
  service,
  "initctl rc-service rc-update update-rc.d chkconfig supervisorctl monit sv s6-svc": askUnlessWord(
    "status list --list -l",
    "service",
  ),
  launchctl: reader("list, print, blame, dumpstate, version, getenv"),
  crontab,
  "at batch atrm anacron": askUnlessWord("-l -V", "startup"),
  ip,
  ifconfig: (command) => (command.args.length <= 1 ? NONE : ["service"]),
  "ifup ifdown route arp tc brctl wg wg-quick iwconfig rfkill dhclient networksetup resolvectl-set netplan": (
    command,
  ) =>
    command.args.length === 0 || /^(?:-n|-a|-an|-rn|show|get|-i|-S|print)$/.test(wordAt(command.args, 0))
      ? NONE
      : ["service"],
  ethtool: (command) => (command.args.length <= 1 || /^-[iSkTgam]$/.test(wordAt(command.args, 0)) ? NONE : ["service"]),
  pactl: askUnlessFirst(/^(?:info|list|stat|get-\w+)/, "service"),
  softwareupdate: askUnlessFirst(/^(?:-l|--list|--history)$/, "package"),
  nmcli: askOnArg(
    /^(?:add|modify|mod|delete|del|up|down|off|on|connect|disconnect|edit|set|reload|import)$/,
    "service",
  ),
  sysctl,
  "iptables ip6tables nft ebtables ipset": tables,
  ufw: askUnlessFirst(/^(?:status|version|show|app)$/, "service"),
  "firewall-cmd": (command) =>
    command.args.every((arg) => /^--(?:list|get|state|query|zone|info)/.test(arg.value)) ? NONE : ["service"],
  journalctl: journal,
  dmesg: askOnOption("C c clear read-clear D E console-off n", "traces", "l f s n"),
  date: clock,
  hostname,
  "timedatectl hostnamectl localectl loginctl resolvectl networkctl machinectl bootctl busctl": askUnlessFirst(
    /^(?:status|show|list|-|query|statistics|get-|user-status|session-status|tree|introspect)/,
    "service",
  ),
  defaults: reader("read, read-type, domains, find, help"),
  pmset: (command) => (hasWord(command.args, "-g") || command.args.length === 0 ? NONE : ["service"]),
  osascript: always("code"),
  "logrotate auditctl": always("traces"),
  "tmux screen zellij": terminal,
  pm2: reader("list, ls, status, logs, log, show, describe, monit, jlist, prettylist, info, env, report"),
  "last lsof": allowed,
  history: askOnArg(/^-[a-z]*[cdwra]/, "traces"),
  "gsettings dconf xfconf-query": askUnlessFirst(/^(?:get|list|read|dump|range|describe|monitor|-l|-p)/, "service"),
  ss: askOnOption("K kill", "process", "f A"),
  "setenforce visudo": always("privilege"),
};
