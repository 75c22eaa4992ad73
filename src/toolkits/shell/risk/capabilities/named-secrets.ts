// Secrets that a command prints by name: a token of a program's configuration, a file of environment variables, the clipboard.
import type { SimpleCommand } from "../model.ts";
import { wordSet } from "../model.ts";
import type { RiskCode } from "../reasons.ts";

const HAS_CONFIGURATION = wordSet(
  "git npm pnpm yarn bun pip pip3 uv poetry composer gem bundle cargo conda gh glab gcloud az aws kubectl oc helm docker podman heroku vercel netlify flyctl fly doppler stripe supabase firebase terraform pulumi",
);
const SECRET_NAME =
  /token|secret|passw|api_?key|access_?key|private_?key|oauth|extraheader|http-basic|(?:^|[.:_])auth(?:$|[.:_])/i;

const PRINTS = wordSet(
  "cat head tail less more bat batcat nl od xxd hexdump hd strings base64 base32 grep egrep fgrep rg ag sed awk gawk cut sort uniq tac rev paste fold diff cmp",
);
const GIT_PRINTS = /^(?:show|cat-file|diff|log|blame|grep)$/;
/** `.env` and `.env.production`, also as `HEAD:.env`; not the examples that projects publish. */
const VARIABLES_FILE =
  /(?:^|[/:])\.env(?:\.(?!(?:example|sample|template|tmpl|dist|defaults?|schema|test|ci)(?:$|\.))[\w-]+)*$/i;

function printsVariables({ name, args }: SimpleCommand): boolean {
  const words = args.map((arg) => arg.value);
  const prints =
    PRINTS.has(name) || (name === "git" && GIT_PRINTS.test(words.find((word) => !word.startsWith("-")) ?? ""));
  return prints && words.some((word) => !word.startsWith("-") && VARIABLES_FILE.test(word));
}

/** What a person copied last is often a password. */
function printsClipboard({ name, args, stdin }: SimpleCommand): boolean {
  if (name === "pbpaste" || name === "wl-paste") return true;
  const writes =
    stdin.kind !== "none" || args.some(({ value }) => /^(?:-i\w*|--input|--clear|-c|--delete|-d)$/.test(value));
  return /^(?:xclip|xsel)$/.test(name) && (!writes || args.some(({ value }) => /^-{1,2}o(?:ut\w*)?$/.test(value)));
}

export function namedSecretRisks(command: SimpleCommand): readonly RiskCode[] {
  if (printsVariables(command) || printsClipboard(command)) return ["credentials"];
  const { name, args } = command;
  if (!HAS_CONFIGURATION.has(name)) return [];
  const words = args.map((arg) => arg.value);
  const at = words.findIndex((word) => /^config(?:ure)?$/.test(word));
  if (at < 0) return [];
  const after = words.slice(at + 1);
  return after.some((word) => SECRET_NAME.test(word)) || after.includes("--raw") ? ["credentials"] : [];
}
