// Judges commands that run with elevated rights or as another user. They always need approval, and the command that
// they run is judged too.
import type { Rule, RuleTable } from "../../model.ts";
import { afterOptions, readOptions, valuesOf } from "../../parse/options.ts";
import { always } from "../conditions.ts";
import { wraps } from "../shell/wrappers.ts";

const sudo: Rule = (command, context) => {
  const valued = "u g h p C r t U T D R user group host prompt close-from role type other-user chdir chroot";
  const rest = afterOptions(command.args, valued).filter(
    (arg, i, all) => !(/^\w+=/.test(arg.value) && all.slice(0, i).every((before) => /^\w+=/.test(before.value))),
  );
  if (rest.length > 0) context.runWords(rest, command);
  return ["privilege"];
};

const su: Rule = (command, context) => {
  const options = readOptions(command.args, "c s g G w command session-command shell");
  for (const text of valuesOf(options, "c command session-command")) context.runScript(text, "bash", command);
  return ["privilege"];
};

export const privilegeRules: RuleTable = {
  sudo,
  doas: wraps("u C a", 0, ["privilege"]),
  "su runuser": su,
  pkexec: wraps("user", 0, ["privilege"]),
  "gosu su-exec chroot": wraps("", 1, ["privilege"]),
  "setpriv unshare gsudo": wraps("", 0, ["privilege"]),
  nsenter: wraps("t target S G", 0, ["privilege"]),
  "capsh runas sudoedit kdesu gksudo": always("privilege"),
  "useradd userdel usermod adduser deluser addgroup delgroup groupadd groupdel groupmod gpasswd passwd chpasswd chsh chfn chage newusers pwconv vipw vigr visudo newgrp dscl sysadminctl pwgen-set":
    always("privilege"),
  "security keyctl htpasswd ssh-copy-id kinit": always("credentials"),
};
