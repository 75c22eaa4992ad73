// Reads SQL text just far enough to distinguish queries from changes. Any statement that is not a known query is a
// change.
import { NONE, wordSet } from "../../model.ts";
import type { RiskCode } from "../../reasons.ts";

// The first words of statements that describe objects or control transactions. Such a statement may contain a keyword
// for a change, as in SHOW CREATE TABLE.
const DESCRIBING_VERBS = wordSet(
  "show describe desc use help status list exists commit rollback start begin end checkpoint",
);
const READING_VERBS = wordSet("select explain with values table analyze");
const CREATES =
  /^create\s+(?:(?:unique|temp|temporary|unlogged|local|global|materialized|virtual|if|not|exists|clustered)\s+)*(?:table|index|database|schema|view|keyspace|sequence)\b/;
const CHANGING_WORD =
  /\b(?:insert|update|delete|drop|truncate|alter|grant|revoke|merge|replace\s+into|create|call|execute|exec|into\s+(?:outfile|dumpfile)|for\s+update)\b/;
const REACHES =
  /\b(?:load_extension|writefile|readfile|edit|fts3_tokenizer|pg_(?:terminate|cancel)_backend|pg_read_(?:binary_)?file|pg_ls_dir|pg_reload_conf|pg_rotate_logfile|pg_switch_wal|lo_(?:import|export|unlink|from_bytea)|dblink\w*|sys_(?:exec|eval)|xp_\w+|sp_\w+|load_file|setval|set_config|query_to_xml|system|shell|sleep)\s*\(/;

/** Removes comments and quoted text from SQL. /*! … is code in MySQL and is kept. */
function bareSql(text: string): string {
  return text
    .replace(/'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S])*"|`[^`]*`|\[[^\]\n]*\]/g, " '' ")
    .replace(/\/\*(?!!)[^*]*(?:\*(?!\/)[^*]*)*\*\//g, " ")
    .replace(/\/\*!\d*|\*\//g, " ")
    .replace(/--[^\n]*|#[^\n]*/g, " ")
    .toLowerCase();
}

export function sqlRisks(text: string): readonly RiskCode[] {
  const lines = text.split("\n");
  const isMeta = (line: string): boolean => line.trim().startsWith("\\");
  const meta = lines.filter(isMeta).flatMap((line) => metaRisks(line.trim()));
  const plain = lines.filter((line) => !isMeta(line)).join("\n");
  const statements = bareSql(plain)
    .split(";")
    .map((part) => part.trim())
    .filter(Boolean);
  return [...meta, ...statements.flatMap(statementRisks)];
}

function statementRisks(statement: string): readonly RiskCode[] {
  if (REACHES.test(statement)) return ["database"];
  const first = /^\(*\s*([a-z_]+)/.exec(statement)?.[1] ?? "";
  if (DESCRIBING_VERBS.has(first)) return NONE;
  if (READING_VERBS.has(first)) {
    const dangerous = CHANGING_WORD.test(statement) || (first === "select" && /\binto\b/.test(statement));
    return dangerous ? ["database"] : NONE;
  }
  if (first === "pragma") return /=|writable_schema/.test(statement) ? ["database"] : NONE;
  if (first === "set")
    return /\b(?:global|persist|password|role|session\s+authorization)\b|@@global/.test(statement)
      ? ["database"]
      : NONE;
  if (first === "insert")
    return /\b(?:on\s+duplicate|on\s+conflict\b.*\bupdate|or\s+replace|overwrite)\b/.test(statement)
      ? ["database"]
      : NONE;
  if (first === "create" && CREATES.test(statement) && !/\bor\s+replace\b/.test(statement)) return NONE;
  return ["database"];
}

const META_SHOWS =
  /^\\(?:d\w*[+S]*|l[+]?|z|sf\+?|sv\+?|x|timing|conninfo|c|connect|q|pset|echo|encoding|h|help|\?|a|t|f|H|C|set|errverbose|watch|bind|g|gx|;)(?:\s|$)/;

/** Judges psql's own commands. Those that only show something are allowed; shells and files need approval. */
function metaRisks(line: string): readonly RiskCode[] {
  if (/^\\!/.test(line)) return ["code"];
  if (!META_SHOWS.test(line) || /[|>]/.test(line)) return ["database"];
  return /^\\g\w*\s+\S/.test(line) ? ["overwrite"] : NONE;
}

const DOT_SHOWS =
  /^(?:tables?|schema|dump|headers?|mode|databases|dbinfo|indexes|indices|help|quit|exit|show|width|stats|timer|explain|nullvalue|separator|echo|fullschema|bail|changes|eqp|limit|lint|print|version|sha3sum|vfslist|prompt)$/;

/** Judges sqlite3's dot commands. */
export function dotRisks(line: string): readonly RiskCode[] {
  const verb = /^\.([a-z]*)/i.exec(line.trim())?.[1]?.toLowerCase() ?? "";
  if (/^(?:shell|system|load|read|excel|www)$/.test(verb)) return ["code"];
  return DOT_SHOWS.test(verb) ? NONE : ["database"];
}
