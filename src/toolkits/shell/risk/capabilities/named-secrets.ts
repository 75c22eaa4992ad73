// Detects commands that print secrets: tokens in a program's configuration, secret files, the environment, dumps of all
// databases, or the clipboard.

import { type RiskContext, type SimpleCommand, wordSet } from "../model.ts";
import { anyWord, wordsOf } from "../parse/options.ts";
import type { RiskCode } from "../reasons.ts";

const HAS_CONFIGURATION = wordSet(
  "git npm pnpm yarn bun pip pip3 uv poetry composer gem bundle cargo conda gh glab gcloud az aws kubectl oc helm docker podman heroku vercel netlify flyctl fly doppler stripe supabase firebase terraform pulumi",
);
const SECRET_NAME =
  /token|secret|passw|api_?key|access_?key|private_?key|oauth|extraheader|http-basic|(?:^|[.:_])auth(?:$|[.:_])/i;

const PRINTING_PROGRAMS = wordSet(
  "cat head tail less more bat batcat nl od xxd hexdump hd strings base64 base32 grep egrep fgrep rg ag sed awk gawk cut sort uniq tac rev paste fold diff cmp",
);
const GIT_PRINTS = /^(?:show|cat-file|diff|log|blame|grep)$/;
/** Matches private keys, key stores, Terraform states, and settings files with names such as credentials.json. */
const SECRET_FILE =
  /(?:^|[/:])(?:[\w.-]+\.(?:key|p12|pfx|jks|keystore|kdbx|ppk|tfstate(?:\.backup)?)|(?:[\w.-]*[-_.])?(?:priv(?:ate)?[-_]?)?key\.pem|(?:[\w.-]*[-_.])?private[\w-]*\.pem|\.htpasswd|(?:[\w.-]*[-_.])?(?:service[-_]?account|client[-_]secrets?|credentials?|secrets?)(?:[-_.][\w.-]*)?\.(?:json|ya?ml|toml|ini|properties|txt))$/i;
/** Matches the files in which package managers, cloud tools and databases keep tokens and passwords. */
const TOOL_SETTINGS =
  /(?:^|[/:])(?:\.npmrc|\.yarnrc\.yml|\.my\.cnf|\.s3cfg|\.boto|\.dockerconfigjson|\.envrc|\.terraformrc|(?:[\w.-]+\.)?tfvars(?:\.json)?|\.gem\/credentials|\.m2\/settings(?:-security)?\.xml|\.composer\/auth\.json|kubeconfig|local\.settings\.json|wp-config\.php)$/i;
/** Matches templates that projects publish instead of the real file. */
const EXAMPLE =
  /(?:^|[-_./])(?:example|sample|template|tmpl|dist|defaults?|schema|mock|fixtures?|test|tests|enc)(?:$|[-_./])/i;
/** Matches `.env` and `.env.production`, also as `HEAD:.env` or `.env*`, but not the examples that projects publish. */
const VARIABLES_FILE =
  /(?:^|[/:])\.env(?:\.(?!(?:example|sample|template|tmpl|dist|defaults?|schema|test|ci)(?:$|\.))[\w-]+)*(?:\.?\*)?$/i;

/** True for files of a project that usually contain secrets. */
export const isProjectSecret = (path: string): boolean =>
  VARIABLES_FILE.test(path) || ((SECRET_FILE.test(path) || TOOL_SETTINGS.test(path)) && !EXAMPLE.test(path));

function printsFile({ name, args }: SimpleCommand, seen: RiskContext["seen"]): boolean {
  const words = wordsOf(args);
  if ((name === "source" || name === ".") && VARIABLES_FILE.test(words[0] ?? "")) seen.secrets = true;
  // Once such a file was sourced, later commands can print or send its values from variables.
  if (
    seen.secrets &&
    /^(?:echo|printf|curl|wget|git)$/.test(name) &&
    args.some((arg) => !arg.known && arg.value.includes("$"))
  )
    return true;
  const prints =
    PRINTING_PROGRAMS.has(name) ||
    (name === "git" && GIT_PRINTS.test(words.find((word) => !word.startsWith("-")) ?? ""));
  return prints && words.some((word) => !word.startsWith("-") && isProjectSecret(word));
}

const NO_NAMES: Readonly<Record<string, RegExp>> = {
  env: /^(?:-.*|\w+=.*)$/,
  printenv: /^-/,
  export: /^-p?$/,
  declare: /^[-+][a-z]*$/i,
  typeset: /^[-+][a-z]*$/i,
  set: /^$/,
};
/** Matches jq programs that use the whole environment rather than one variable of it. */
const WHOLE_ENVIRONMENT = /(?:\$ENV\b|(?<![.\w$"])env\b)(?!\.[a-z])/i;
const namesSecretVariable = (program: string): boolean =>
  [...program.matchAll(/(?:\$ENV|(?<![.\w$"])env)\.(\w+)/gi)].some(([, variable = ""]) => SECRET_NAME.test(variable));

/** True for commands that print all variables, a variable that is named like a secret, or all databases. */
function printsEverything({ name, args }: SimpleCommand): boolean {
  const words = wordsOf(args);
  if (name === "jq")
    return words.some((word) => !/\.json$/.test(word) && (WHOLE_ENVIRONMENT.test(word) || namesSecretVariable(word)));
  if (name === "printenv" && words.some((word) => SECRET_NAME.test(word))) return true;
  // A dump of all databases includes the accounts of the server and their password hashes.
  if (
    name === "pg_dumpall" ||
    (/^(?:mysqldump|mariadb-dump)$/.test(name) && words.some((word) => /^(?:-A|--all-databases)$/.test(word)))
  )
    return true;
  if (name === "cmake") return words.join(" ") === "-E environment";
  if ((name === "declare" || name === "typeset") && words.some((word) => /^[-+]\w*[fF]/.test(word))) return false;
  if (name === "env" && words.some((word) => /^-\w*S|^--split-string/.test(word))) return false;
  const listed = NO_NAMES[name];
  return (
    listed !== undefined && words.every((word) => listed.test(word)) && !/^env -{1,2}(?:h|v)/.test(`env ${words[0]}`)
  );
}

/** True if the command prints the clipboard, which often contains a password. */
function printsClipboard({ name, args, stdin }: SimpleCommand): boolean {
  if (name === "pbpaste" || name === "wl-paste") return true;
  const writes = stdin.kind !== "none" || anyWord(args, /^(?:-i\w*|--input|--clear|-c|--delete|-d)$/);
  return /^(?:xclip|xsel)$/.test(name) && (!writes || anyWord(args, /^-{1,2}o(?:ut\w*)?$/));
}

export function namedSecretRisks(command: SimpleCommand, { seen }: RiskContext): readonly RiskCode[] {
  if (printsFile(command, seen) || printsEverything(command) || printsClipboard(command)) return ["credentials"];
  const { name, args } = command;
  if (!HAS_CONFIGURATION.has(name)) return [];
  const words = wordsOf(args);
  const at = words.findIndex((word) => /^config(?:ure)?$/.test(word));
  if (at < 0) return [];
  const after = words.slice(at + 1);
  return after.some((word) => SECRET_NAME.test(word)) || after.includes("--raw") ? ["credentials"] : [];
}
