// Judges programs by their first words, as in `kubectl get` and `npm publish`. A table contains the harmless and the
// risky verbs.
import { type Arg, NONE, type Rule, type SimpleCommand } from "../model.ts";
import { has, type Options, readOptions, wordAt } from "../parse/options.ts";
import type { RiskCode } from "../reasons.ts";

export type Verbs = {
  /** The options that take a value, so that the value is not mistaken for a verb. */
  readonly valued?: string;
  /** The verbs that are allowed, such as "get, config view". "stack!" is allowed only without further words. */
  readonly allow: string;
  /** The reason for verbs that are not listed. Defaults to "unknown_command". */
  readonly other?: RiskCode | "allow";
  /** Options that need approval with any verb, as in "force f". */
  readonly askOn?: readonly [string, RiskCode];
  /** Options that prevent changes, such as "dry-run". */
  readonly dry?: string;
  // The verbs that need approval, by reason.
} & Readonly<Partial<Record<RiskCode, string>>>;

const list = (text: string): readonly string[] =>
  text
    .split(",")
    .map((line) => line.trim())
    .filter(Boolean);

export function verbRule({ valued, allow, other = "unknown_command", askOn, dry, ...risky }: Verbs): Rule {
  const table = new Map<string, RiskCode | "allow">();
  for (const verb of list(allow)) table.set(verb, "allow");
  const alone = new Set(list(allow).filter((verb) => verb.endsWith("!")));
  for (const [code, lines] of Object.entries(risky)) {
    for (const verb of list(lines)) table.set(verb, code as RiskCode);
  }
  return (command) => {
    const options = readOptions(command.args, valued);
    const [first] = options.operands;
    if (!first) return askOn && has(options, askOn[0]) ? [askOn[1]] : NONE;
    if (!first.known || first.wild !== "no") return ["not_literal"];
    if (dry && isDry(options, dry)) return NONE;
    if (askOn && has(options, askOn[0])) return [askOn[1]];
    if (first.value === "help") return NONE;
    if (options.operands.length === 1 && alone.has(`${first.value.toLowerCase()}!`)) return NONE;
    const found = lookUp(table, options.operands) ?? other;
    if (found !== "allow") return [found];
    // An unknown option may have taken the first word as its value. The second word is then the verb.
    const second = followsOption(command.args, first) ? lookUp(table, options.operands.slice(1)) : undefined;
    return second === undefined || second === "allow" ? NONE : [second];
  };
}

function followsOption(args: readonly Arg[], word: Arg): boolean {
  const before = wordAt(args, args.indexOf(word) - 1);
  return before.startsWith("-") && !before.includes("=");
}

/** Finds the longest run of words in the table, such as "stash drop" before "stash". */
function lookUp(
  table: ReadonlyMap<string, RiskCode | "allow">,
  operands: readonly Arg[],
): RiskCode | "allow" | undefined {
  for (let count = Math.min(3, operands.length); count > 0; count--) {
    const words = operands.slice(0, count).map((arg) => arg.value.toLowerCase());
    const found = table.get(words.join(" "));
    if (found) return found;
  }
  return undefined;
}

export const isDry = (options: Options, names: string): boolean =>
  has(options, names) &&
  !names.split(" ").some((name) => options.values.get(name)?.some((value) => /^(?:none|false|no|0)$/i.test(value)));

const CHANGING_VERB =
  /^(?:delete|create|update|set|add|remove|rm|start|stop|restart|reset|deploy|apply|destroy|deallocate|purge|clear|import|export|patch|replace|attach|detach|enable|disable|promote|restore|resize|scale|move|mv|cp|undelete|cancel|drain|rotate|revoke|grant|ssh|scp|run|submit|kill|terminate|configure|login|logout|connect|execute|exec|invoke|call|publish|abandon|failover|clone|copy|upload|rename|migrate|recreate|suspend|resume|unset|activate|deactivate|rsync|assign|bind|power-off|reboot|shutdown|rebuild|snapshot|provision|put|write|edit|register|deregister|sync|reimage|redeploy|swap|regenerate|approve|reject|cordon|upgrade|install|uninstall|delete-.*|create-.*|remove-.*|add-.*|set-.*|update-.*)$/;

/** For cloud tools, which have many regular verbs: reading verbs are allowed unless a changing one is present too. */
export function readingVerbRule(valued: string, reads: RegExp): Rule {
  return (command: SimpleCommand) => {
    const options = readOptions(command.args, valued);
    if (options.operands.length === 0) return NONE;
    if (options.operands.slice(0, 2).some((arg) => !arg.known)) return ["not_literal"];
    const words = options.operands.slice(0, 5).map((arg) => arg.value.toLowerCase());
    const looks = words.some((word) => reads.test(word)) && !words.some((word) => CHANGING_VERB.test(word));
    return looks ? NONE : ["infrastructure"];
  };
}
