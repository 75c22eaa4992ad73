// Judges database clients. Queries are allowed; changes, SQL files, and shells inside clients need approval.
import { NONE, type Rule, type RuleTable, type SimpleCommand, wordSet } from "../../model.ts";
import { anyWord, has, type Options, readOptions, valuesOf, wordAt, wordsOf } from "../../parse/options.ts";
import { isStreamDevice } from "../../parse/paths.ts";
import type { RiskCode } from "../../reasons.ts";
import { always, askUnlessOption } from "../conditions.ts";
import { verbRule } from "../verbs.ts";
import { dotRisks, sqlRisks } from "./sql.ts";

type Client = { valued: string; code: string; file: string; output: string };

/** Creates the rule for a client that reads SQL from an option, a file or standard input. */
const sqlClient =
  (client: Client): Rule =>
  (command) => {
    const options = readOptions(command.args, client.valued);
    const texts = valuesOf(options, client.code);
    const codes: RiskCode[] = texts.flatMap((text) => [...sqlRisks(text)]);
    if (command.args.some((arg) => arg.wild !== "no") || texts.some((text) => /\$\(|`|^\$\w+$/.test(text)))
      codes.push("not_literal");
    if (client.file && has(options, client.file)) codes.push("database");
    if (client.output && valuesOf(options, client.output).some((path) => !isStreamDevice(path)))
      codes.push("overwrite");
    return [...codes, ...stdinRisks(command, texts.length > 0)];
  };

function stdinRisks(command: SimpleCommand, hasText: boolean): readonly RiskCode[] {
  if (hasText || command.stdin.kind === "none") return NONE;
  return command.stdin.kind === "text" ? sqlRisks(command.stdin.text) : ["database"];
}

// The options of this client are whole words after a single dash.
const SQLITE_VALUED = wordSet("-cmd -init -separator -nullvalue -newline -vfs -mmap -maxsize -lookaside -pagecache");

const sqlite: Rule = (command) => {
  const texts: string[] = [];
  let operands = 0;
  for (let i = 0; i < command.args.length; i++) {
    const value = wordAt(command.args, i);
    const option = value.replace(/^--/, "-");
    if (!/^-/.test(value)) {
      if (operands++ > 0) texts.push(value);
      continue;
    }
    if (option === "-init") return ["code"];
    const isCode = command.name === "duckdb" && /^-[cs]$/.test(option);
    if (SQLITE_VALUED.has(option) || isCode) i++;
    if (option === "-cmd" || isCode) texts.push(wordAt(command.args, i));
  }
  if (command.stdin.kind === "opaque" && texts.length === 0) return ["database"];
  if (command.stdin.kind === "text" && texts.length === 0) texts.push(command.stdin.text);
  const unread = command.args.slice(1).some((arg) => !arg.known && /^\$\(|^`|^\$\w+$/.test(arg.value));
  return [...(unread ? (["not_literal"] as const) : NONE), ...texts.flatMap((text) => sqliteText(text))];
};

function sqliteText(text: string): readonly RiskCode[] {
  const lines = text.split("\n");
  const dots = lines.filter((line) => line.trim().startsWith("."));
  const rest = lines.filter((line) => !line.trim().startsWith(".")).join("\n");
  return [...dots.flatMap(dotRisks), ...sqlRisks(rest)];
}

const READ_KEYS =
  /^(?:get|mget|getrange|keys|scan|sscan|hscan|zscan|ping|info|ttl|pttl|type|exists|strlen|llen|lrange|lindex|hget|hmget|hgetall|hkeys|hvals|hlen|hexists|scard|smembers|sismember|srandmember|zrange|zrevrange|zrangebyscore|zcard|zscore|zrank|dbsize|memory|object|time|echo|lastsave|randomkey|command|xlen|xrange|xinfo|json\.get|monitor|subscribe|psubscribe|role|select|auth|hello)$/i;

const redis: Rule = (command) => {
  const options = readOptions(command.args, "h p a n r i s u d x user pass cacert cert key pattern");
  if (has(options, "eval pipe rdb functions-rdb cluster x")) return ["database"];
  if (command.stdin.kind !== "none" && options.operands.length === 0) {
    const lines = command.stdin.kind === "text" ? command.stdin.text.split("\n").filter((line) => line.trim()) : ["?"];
    return lines.every((line) => READ_KEYS.test(line.trim().split(/\s+/)[0] ?? "")) ? NONE : ["database"];
  }
  const [verb, second] = wordsOf(options.operands);
  if (verb === undefined || READ_KEYS.test(verb)) return NONE;
  const reads =
    /^(?:config get|client (?:list|getname|id|info)|cluster (?:info|nodes|slots)|acl (?:list|whoami|cat)|slowlog (?:get|len)|latency (?:latest|doctor)|debug sleep|pubsub \w+|script exists|module list)$/i;
  return reads.test(`${verb} ${second ?? ""}`) && verb.toLowerCase() !== "debug" ? NONE : ["database"];
};

const MONGO_READ =
  /^(?:\s*(?:db(?:\.getSiblingDB\(['"][\w-]+['"]\))?(?:\.[\w-]+|\.getCollection\(['"][\w.-]+['"]\))*\.(?:find|findOne|count|countDocuments|estimatedDocumentCount|distinct|stats|getIndexes|getCollectionNames|getName|version|serverStatus|hello|isMaster|explain|currentOp|validate)\([^()]*\)(?:\.(?:limit|sort|skip|pretty|count|toArray|explain|size|ok)(?:\([^()]*\))?)*|db\.runCommand\(\s*\{\s*["']?(?:ping|dbStats|buildInfo|serverStatus|listCollections)["']?\s*:\s*1\s*\}\s*\)|rs\.(?:status|conf|isMaster|printReplicationInfo)\(\)|sh\.status\(\)|db\.(?:version|stats|hostInfo|serverStatus)\(\)|db\.adminCommand\(\s*\{?\s*['"]?(?:ping|listDatabases)['"]?(?:\s*:\s*1\s*\})?\s*\)(?:\.ok)?|show (?:dbs|databases|collections|users|tables)|(?:printjson|print)\(db\.[\w.]+\(\)\)|exit|quit\(\))\s*;?)*$/;

const mongo: Rule = (command) => {
  const options = readOptions(command.args, "eval u p host port username password authenticationDatabase f file");
  const texts = valuesOf(options, "eval");
  if (has(options, "f file") || anyWord(options.operands, /\.js$/)) return ["script"];
  if (command.stdin.kind === "opaque" && texts.length === 0) return ["database"];
  const all = command.stdin.kind === "text" ? [...texts, command.stdin.text] : texts;
  return all.every((text) => text.length < 2000 && MONGO_READ.test(text)) ? NONE : ["database"];
};

const dump: Rule = (command) => {
  const options: Options = readOptions(
    command.args,
    "h p P u U d n t T f r j F Z host port user username dbname file result-file format jobs password out o archive",
  );
  return valuesOf(options, "f file r result-file").some((path) => path !== "-" && !isStreamDevice(path))
    ? ["overwrite"]
    : NONE;
};

const admin = verbRule({
  valued: "h P u p S host port user password socket protocol i c",
  allow: "status, ping, version, processlist, extended-status, variables, create",
  other: "database",
});

export const databaseRules: RuleTable = {
  psql: sqlClient({
    valued: "c d f h p U v o L F R P T command dbname file host port username set variable output log-file",
    code: "c command",
    file: "f file",
    output: "o output L log-file",
  }),
  "mysql mariadb": sqlClient({
    valued:
      "e h P u D S execute host port user database socket protocol default-character-set init-command defaults-file defaults-extra-file",
    code: "e execute init-command",
    file: "defaults-file",
    output: "tee",
  }),
  sqlcmd: sqlClient({ valued: "Q q S U P d i o s W h", code: "Q q", file: "i", output: "o" }),
  "clickhouse-client": sqlClient({
    valued: "q query h host port u user password d database queries-file",
    code: "q query",
    file: "queries-file",
    output: "",
  }),
  cqlsh: sqlClient({
    valued: "e f u p k execute file username password keyspace",
    code: "e execute",
    file: "f file",
    output: "",
  }),
  snowsql: sqlClient({ valued: "q f a u d s w r query filename", code: "q query", file: "f filename", output: "" }),
  "sqlite3 sqlite duckdb": sqlite,
  "redis-cli valkey-cli keydb-cli": redis,
  "mongo mongosh": mongo,
  "pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport": dump,
  pg_restore: askUnlessOption("l list", "database", "d f h p U n t L"),
  "mysqladmin mariadb-admin": admin,
  "dropdb dropuser createuser mongorestore mongoimport mysqlimport mysql_secure_installation pg_resetwal pg_ctl initdb pg_ctlcluster pg_dropcluster pg_upgrade pg_rewind pg_basebackup myisamchk reindexdb clusterdb vacuumdb":
    always("database"),
  dbt: verbRule({
    valued: "s select m models t target profiles-dir project-dir",
    allow: "compile, test, parse, ls, list, docs, debug, deps, show, source",
    other: "database",
  }),
  flyway: verbRule({ valued: "url user password locations", allow: "info, validate, migrate", other: "database" }),
  liquibase: verbRule({ allow: "status, validate, history, diff, update-sql, list-locks", other: "database" }),
  alembic: verbRule({
    valued: "c n x",
    allow: "current, history, heads, branches, show, revision, upgrade, check, init",
    other: "database",
  }),
  prisma: verbRule({
    valued: "schema name n",
    allow:
      "generate, validate, format, studio, version, init, db pull, migrate dev, migrate status, migrate diff, migrate deploy, db seed",
    other: "database",
    askOn: ["force-reset accept-data-loss force", "database"],
  }),
  "sequelize sequelize-cli knex typeorm mikro-orm drizzle-kit": verbRule({
    valued: "d config env",
    allow:
      "db:create, db:migrate, db:migrate:status, db:seed, db:seed:all, migration:generate, migration:create, model:generate, migrate:latest, migrate:up, migrate:make, migrate:status, migrate:list, migrate:currentversion, seed:make, migration:run, migration:show, generate, migrate, check, studio, introspect, up",
    other: "database",
  }),
};
