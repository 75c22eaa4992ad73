// Judges script files by path and name. The content of a file is not available here.

import { isInWorkspace, isOutside } from "../capabilities/outside.ts";
import { NONE, type RiskContext, type SimpleCommand } from "../model.ts";
import { anyWord } from "../parse/options.ts";
import { isLocal } from "../parse/paths.ts";
import type { RiskCode } from "../reasons.ts";

const STRONG = "drop|destroy|nuke|wipe|purge|truncate|teardown|tear-down|uninstall|deploy|publish|obliterate|shutdown";
const MILD = "delete|remove|erase|kill|reset|rollback|prune|clean|cleanup|flush|clear|rm|undo|revoke";
const TASK = new RegExp(
  `(?:^|[^a-z])(?:${STRONG})(?:[^a-z]|$)|db[^a-z]?reset|reset[^a-z]?(?:db|database)|migrate[^a-z]?(?:reset|fresh|undo)|rollback`,
  "i",
);
const SCRIPT = new RegExp(`(?:^|[^a-z])(?:${STRONG}|${MILD})(?:[^a-z]|$)`, "i");
const DRY_RUN = /^(?:-n|--dry|--dry-?run(?:=.*)?|--check|--whatif|-whatif)$/i;

export const isDryRun = (command: SimpleCommand): boolean =>
  command.args.some((arg) => arg.known && DRY_RUN.test(arg.value));

/**
 * Returns the risks of a script. A script of the project is allowed. One from elsewhere or with a destructive name
 * needs approval, and so does any script if the line has also fetched files (see `seen`).
 */
export function scriptRisks(path: string, command: SimpleCommand, context: RiskContext): readonly RiskCode[] {
  context.seen.script = command.text;
  // A path that enters a folder and leaves it again looks local but may point anywhere.
  if (/[^./]\/\.\.\//.test(path)) return ["script"];
  if (path.includes("*") || path.startsWith("<(") || isOutside(path, context)) return ["script"];
  if (!isLocal(path) && !isInWorkspace(path, context)) return ["script"];
  const file = path.slice(path.lastIndexOf("/") + 1);
  const isTest = /(?:^|[._-])(?:test|spec)(?:[._-]|$)/i.test(file);
  if (SCRIPT.test(file) && !isTest && !isDryRun(command)) return ["script"];
  return anyWord(command.args, TASK) && !isDryRun(command) ? ["script"] : NONE;
}

/** Only the names of project tasks, as in `npm run x` or `make x`, that suggest destructive changes need approval. */
export const taskRisks = (task: string, command: SimpleCommand): readonly RiskCode[] =>
  TASK.test(task) && !isDryRun(command) ? ["script"] : NONE;
