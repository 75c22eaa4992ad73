// Judges git settings. Settings that start programs, point elsewhere or weaken protection need approval.
import { type Arg, NONE } from "../../model.ts";
import { readOptions, wordsOf } from "../../parse/options.ts";
import type { RiskCode } from "../../reasons.ts";

// Keys whose value leads to a program, another remote, or weaker protection.
const RUNS =
  /^(?:alias\.|core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|worktree|attributesfile)|pager\.|sequence\.editor|diff\.(?:external|.*\.(?:command|textconv))|difftool\.|mergetool\.|merge\..*\.driver|filter\.|credential\.|gpg\.|include|url\.|remote\.|http\..*(?:proxy|sslverify)|http\.(?:proxy|sslverify)|uploadpack\.|receive\.|protocol\.|init\.templatedir|trailer\..*\.(?:command|cmd)|browser\.|man\.|web\.browser|interactive\.difffilter|submodule\..*\.update|clean\.requireforce|safe\.|transfer\.fsckobjects)/i;
const PLAIN_VALUE =
  /^(?:|cat|less(?: -\w+)*|more|vim?|nvim|nano|emacs|code(?: --wait)?|delta|true|false|cache(?: --timeout=\d+)?|osxkeychain|store|manager|wincred|input|ssh)$/;

/** Returns the risks of git config. Reading is allowed, as are values that cannot start anything. */
export function configRisks(args: readonly Arg[]): readonly RiskCode[] {
  const options = readOptions(args, "f file blob t type default value");
  const words = wordsOf(options.operands);
  const verb = words[0] ?? "";
  if (/^(?:unset|remove-section|rename-section|edit)$/.test(verb)) return ["environment"];
  if (
    options.longs.some((long) => /^(?:unset|remove-section|rename-section|edit|replace-all)/.test(long)) ||
    options.shorts.includes("e")
  )
    return ["environment"];
  if (options.longs.some((long) => /^(?:get|list|show)/.test(long)) || options.shorts.includes("l")) return NONE;
  if (/^(?:get|list)$/.test(verb)) return NONE;
  const [key, value] = verb === "set" ? words.slice(1) : words;
  if (key === undefined || value === undefined) return NONE;
  return settingRisks(key, value);
}

export function settingRisks(key: string, value: string): readonly RiskCode[] {
  if (!RUNS.test(key)) return NONE;
  if (/sslverify|requireforce|fsckobjects|^receive\.|^safe\./i.test(key)) return ["environment"];
  // Each use of an alias for a plain subcommand needs approval, because the alias is an unknown subcommand.
  if (/^alias\./i.test(key))
    return value.startsWith("!") || /(?:force|hard|\s-f|-D\b|clean)/.test(value) ? ["environment"] : NONE;
  return PLAIN_VALUE.test(value) ? NONE : ["environment"];
}
