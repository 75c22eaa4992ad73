// Judges task commands of web frameworks. Migrating forward and serving are allowed; dropping and resetting need
// approval.
import { type Arg, NONE, type Rule, type RuleTable } from "../../model.ts";
import { readOptions, wordsOf } from "../../parse/options.ts";
import type { RiskCode } from "../../reasons.ts";
import { askOnLine, askOnWord } from "../conditions.ts";

const framework =
  (risky: RegExp, code: RiskCode, runsCode: RegExp): Rule =>
  (command) => {
    const words = wordsOf(readOptions(command.args, "e").operands);
    const [verb] = words;
    if (verb !== undefined && runsCode.test(verb)) return ["code"];
    return words.some((word) => risky.test(word)) ? [code] : NONE;
  };
const RAILS =
  /^(?:db:(?:drop|reset|purge|rollback|schema:load|migrate:(?:down|redo|reset|fresh)|truncate_all|seed:replant|structure:load|environment:set|wipe)(?::.*)?|destroy|d|credentials:edit|log:clear|tmp:clear|assets:clobber|(?:.*:)?(?:drop|destroy|purge|wipe|deploy)(?::.*)?|release)$/;

const DJANGO =
  /^(?:flush|reset_db|sqlflush|clear_cache|clearsessions|remove_stale_contenttypes|drop_test_database|delete_.*|changepassword|createsuperuser|loaddata)$/;

/** Judges the words after manage.py or `python manage.py`. */
export function djangoRisks(args: readonly Arg[]): readonly RiskCode[] {
  const [verb = "", ...rest] = wordsOf(args);
  if (DJANGO.test(verb)) return ["database"];
  if (verb === "migrate" && (rest.includes("zero") || rest.includes("--fake"))) return ["database"];
  if (verb === "shell" && (rest.includes("-c") || rest.includes("--command"))) return ["code"];
  return /^(?:shell_plus|runscript|dbshell|collectstatic_clear)$/.test(verb) ? ["code"] : NONE;
}

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
  "django-admin manage.py": ({ args }) => djangoRisks(args),
  celery: askOnWord("purge control amqp", "service"),
  diesel: askOnLine(/^(?:database|migration) (?:reset|drop|revert|redo)/, "database"),
  sqlx: askOnLine(/^(?:database|db) (?:drop|reset)|^migrate revert/, "database"),
  hasura: askOnWord("apply reset delete squash", "database"),
  sbt: framework(/publish|release/i, "publish", /^(?:eval|set|apply|!)/),
};
