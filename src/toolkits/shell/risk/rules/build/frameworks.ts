// Judges task commands of web frameworks. Migrating forward and serving are allowed; dropping and resetting need
// approval.
import { NONE, type Rule, type RuleTable, type SimpleCommand } from "../../model.ts";
import { readOptions } from "../../parse/options.ts";
import type { RiskCode } from "../../reasons.ts";
import { askOnLine, askOnWord } from "../conditions.ts";

const framework =
  (risky: RegExp, code: RiskCode, runsCode: RegExp): Rule =>
  (command: SimpleCommand) => {
    const words = readOptions(command.args, "e").operands.map((arg) => arg.value);
    const [verb] = words;
    if (verb !== undefined && runsCode.test(verb)) return ["code"];
    return words.some((word) => risky.test(word)) ? [code] : NONE;
  };
const RAILS =
  /^(?:db:(?:drop|reset|purge|rollback|schema:load|migrate:(?:down|redo|reset|fresh)|truncate_all|seed:replant|structure:load|environment:set|wipe)(?::.*)?|destroy|d|credentials:edit|log:clear|tmp:clear|assets:clobber|(?:.*:)?(?:drop|destroy|purge|wipe|deploy)(?::.*)?|release)$/;

/** Judges the verbs of manage.py. The function is separate because `python manage.py` uses it too. */
export const djangoRisks = (verb: string, rest: readonly string[]): readonly RiskCode[] => {
  if (
    /^(?:flush|reset_db|sqlflush|clear_cache|clearsessions|remove_stale_contenttypes|drop_test_database|delete_.*|changepassword|createsuperuser|loaddata)$/.test(
      verb,
    )
  )
    return ["database"];
  if (verb === "migrate" && (rest.includes("zero") || rest.includes("--fake"))) return ["database"];
  if (verb === "shell" && rest.some((word) => word === "-c" || word === "--command")) return ["code"];
  return /^(?:shell_plus|runscript|dbshell|collectstatic_clear)$/.test(verb) ? ["code"] : NONE;
};

export const frameworkRules: RuleTable = {
  rake: framework(RAILS, "database", /^$/),
  rails: framework(RAILS, "database", /^(?:runner|r)$/),
  artisan: framework(
    /^(?:migrate:(?:fresh|reset|rollback|refresh)|db:wipe|queue:(?:clear|flush)|cache:clear|down|key:generate|schema:drop)$/,
    "database",
    /^tinker$/,
  ),
  mix: framework(
    /^(?:ecto\.(?:drop|reset|rollback)|hex\.(?:publish|retire|owner)|deps\.clean|archive\.uninstall)$/,
    "database",
    /^(?:run-e|eval)$/,
  ),
  flask: framework(/^(?:downgrade|drop.*|reset.*)$/, "database", /^$/),
  "django-admin": (command) =>
    djangoRisks(
      command.args[0]?.value ?? "",
      command.args.slice(1).map((arg) => arg.value),
    ),
  "manage.py": (command) =>
    djangoRisks(
      command.args[0]?.value ?? "",
      command.args.slice(1).map((arg) => arg.value),
    ),
  celery: askOnWord("purge control amqp", "service"),
  diesel: askOnLine(/^(?:database|migration) (?:reset|drop|revert|redo)/, "database"),
  sqlx: askOnLine(/^(?:database|db) (?:drop|reset)|^migrate revert/, "database"),
  hasura: askOnWord("apply reset delete squash", "database"),
  sbt: framework(/publish|release/i, "publish", /^(?:eval|set|apply|!)/),
};
