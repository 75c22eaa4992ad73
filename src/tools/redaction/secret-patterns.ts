// Defines what keys with unknown values look like, both complete and unfinished at the end of the text. Takes linear time: a match starts only at the
// beginning of a run of letters, and a cheap search for a word skips most text.
import { once } from "../declared/once.ts";
import { TOKENS } from "./secret-tokens.ts";

export type SecretPattern = {
  /** Text that does not contain this hint cannot contain the secret. */
  readonly hint: string;
  /** Compiled when the hint first occurs, because most processes see few of the hints. */
  readonly pattern: () => RegExp;
};

const secret = (hint: string, source: string, flags = "g"): SecretPattern => ({
  hint,
  pattern: once(() => new RegExp(source, flags)),
});

const WORD = "[A-Za-z0-9_-]";
const START = `(?<!${WORD})`;
/** A token matches only at the beginning of a run of its letters, so that a long run is read once. */
const startOf = (letters: string): string => (letters.includes(".") ? "(?<![A-Za-z0-9_.-])" : START);
const literal = (prefix: string): string => prefix.replaceAll(/[.?]/g, "\\$&");
const PEM = String.raw`(?:[A-Za-z0-9+/=\s\\:,.]|-(?!----))`;
const PEM_BEGIN = "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";

/** One character of the user, the password or the host in a URL. */
const ADDRESS = "[^\\s/?#\"'<>]";
/** Requires a long value with a digit, so that words and names of variables do not match. */
const KEY_VALUE = "(?=[A-Za-z_.~+/-]{0,512}[0-9])[A-Za-z0-9+/=_.~-]{20,512}";
/** Fields with credentials that have no prefix, and the shape of the credentials. Every spelling of a name contains one of the `hints`. */
const NAMED = [
  { hints: ["ecret", "ECRET"], names: ["secret_access_key", "secretaccesskey"], value: "[A-Za-z0-9/+]{40}" },
  {
    hints: ["ession", "ESSION", "ecurity", "ECURITY"],
    names: ["session_token", "sessiontoken", "security_token", "security-token"],
    value: "[A-Za-z0-9/+=%_-]{80,4096}",
  },
  {
    hints: ["ccountKey", "ccesskey", "ccessKey"],
    names: ["accountkey", "sharedaccesskey"],
    value: "[A-Za-z0-9/+]{40,128}={0,2}",
  },
  { hints: ["_auth"], names: ["_authtoken"], value: "[A-Za-z0-9/+=_.-]{16,512}" },
  { hints: ["uthorization", "UTHORIZATION"], names: ["authorization"], value: "Basic [A-Za-z0-9/+]{8,512}={0,2}" },
  // Headers, settings and variables of any provider. Not every name that ends in "token" counts, because lists use page tokens.
  {
    hints: ["_key", "_KEY", "-key", "-Key", "-KEY"],
    names: ["api_key", "api-key", "secret_key", "admin_key", "write_key"],
    value: KEY_VALUE,
  },
  {
    hints: ["oken", "OKEN"],
    names: [
      "access_token",
      "refresh_token",
      "auth_token",
      "authtoken",
      "api_token",
      "bot_token",
      "access-token",
      "auth-token",
    ],
    value: KEY_VALUE,
  },
  { hints: ["ecret", "ECRET"], names: ["client_secret", "clientsecret", "app_secret"], value: KEY_VALUE },
  // Parameters in the query of a URL.
  { hints: ["sig="], names: ["&sig", "?sig"], value: "[A-Za-z0-9%/+]{40,80}=?" },
  {
    hints: ["assword=", "_token=", "_secret=", "api_key=", "ignature="],
    names: ["password", "access_token", "client_secret", "api_key", "x-amz-signature"].flatMap((name) => [
      `&${name}`,
      `?${name}`,
    ]),
    value: "[A-Za-z0-9/+=%_.~!*-]{8,512}",
  },
];
/** Between the name of a field and its value, including in JSON nested in JSON. */
const GAP = String.raw`["'\\]{0,2}\s{0,4}[:=]\s{0,4}["'\\]{0,2}`;

export const SECRET_PATTERNS: readonly SecretPattern[] = [
  ...TOKENS.map(([hint, letters, min]) => secret(hint, `${startOf(letters)}${literal(hint)}${letters}{${min},4096}`)),
  // Matches only the password in a URL such as postgres://user:password@host.
  secret("://", `(?<=://[^\\s/?#:@"'<>]{0,128}:)${ADDRESS}{1,512}(?=@)`),
  ...NAMED.flatMap(({ hints, names, value }) =>
    hints.map((hint) => secret(hint, `(?<=(?:${names.map(literal).join("|")})${GAP})${value}`, "gi")),
  ),
  // Matches a token in place of the user, as in https://token@host.
  secret("://", `(?<=://)${WORD}{20,512}(?=@)`),
  // Matches a JSON Web Token.
  secret("eyJ", `(?<![A-Za-z0-9_.-])eyJ${WORD}{6,4096}\\.${WORD}{6,8192}\\.${WORD}{6,4096}`),
  secret("earer", `${START}[Bb]earer[ \\t]{1,8}[A-Za-z0-9._~+/-]{16,4096}=*`),
  // Matches a private key, complete or cut off. Inside JSON, its line breaks are written as \n.
  secret("PRIVATE KEY", `${PEM_BEGIN}${PEM}{0,16000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?`),
];

const prefixesOf = (prefix: string): string =>
  Array.from(prefix, (_, i) => literal(prefix.slice(0, i + 1)))
    .toReversed()
    .join("|");

/** A complete secret at the end of the text matches, too, because it may continue. */
const unfinishedPatterns = once((): readonly RegExp[] => [
  ...TOKENS.map(
    ([prefix, letters]) => new RegExp(`${startOf(letters)}(?:${literal(prefix)}${letters}*|${prefixesOf(prefix)})$`),
  ),
  /(?<![A-Za-z0-9_.-])(?:eyJ[A-Za-z0-9_.-]*|ey|e)$/,
  new RegExp(`${START}(?:[Bb]earer[ \\t]{1,8}[A-Za-z0-9._~+/=-]*|[Bb](?:e(?:a(?:r(?:e(?:r)?)?)?)?)?)$`),
]);
const BEFORE_WORD = 48;
const NAMES = NAMED.flatMap(({ names }) => names);
/** The name of a field, the separator, and as much of the value as has arrived. */
const openNamed = once(
  () =>
    new RegExp(
      `(?:(?:${NAMES.map(literal).join("|")})(?:["'\\\\]{0,2}\\s{0,4}|${GAP}(?:B(?:a(?:s(?:i(?:c ?)?)?)?)?)?[A-Za-z0-9/+=%_.~!*-]*)|${NAMES.map(prefixesOf).join("|")})$`,
      "i",
    ),
);
/** Matches text that may become `://user:password@`. */
const OPEN_ADDRESS = new RegExp(`:(?:/(?:/${ADDRESS}{0,640})?)?$`);
const ADDRESS_CHARS = 644;
const UNFINISHED_KEY = new RegExp(`^${PEM_BEGIN}${PEM}*(?:-----[A-Z0-9 ]{0,60}-{0,4})?$`);
const UNFINISHED_KEY_HEADER = /(?:-----(?:BEGIN [A-Z0-9 ]{0,60}-{0,4}|BEGIN|BEGI|BEG|BE|B)|-{1,5})$/;
const KEY_HEAD_CHARS = 80;

/** Returns where an unfinished secret may begin, or the length of the text if there is none. */
export function unfinishedPatternStart(text: string): number {
  const word = Math.max(0, lastWord(text) - BEFORE_WORD);
  const end = text.slice(word);
  let first = text.length;
  for (const open of unfinishedPatterns()) first = Math.min(first, word + (open.exec(end)?.index ?? end.length));
  first = Math.min(first, word + (openNamed().exec(end)?.index ?? end.length));
  const address = Math.max(0, text.length - ADDRESS_CHARS);
  first = Math.min(first, address + (OPEN_ADDRESS.exec(text.slice(address))?.index ?? text.length));
  const head = Math.max(0, text.length - KEY_HEAD_CHARS);
  first = Math.min(first, head + (UNFINISHED_KEY_HEADER.exec(text.slice(head))?.index ?? text.length));
  const key = text.lastIndexOf("-----BEGIN ");
  return key >= 0 && key < first && UNFINISHED_KEY.test(text.slice(key)) ? key : first;
}

function lastWord(text: string): number {
  let at = text.length;
  while (at > 0 && isWordUnit(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** True for letters, digits and any of % + - . / = _ ~ */
const isWordUnit = (unit: number): boolean =>
  (unit >= 0x2d && unit <= 0x39) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x61 && unit <= 0x7a) ||
  unit === 0x25 ||
  unit === 0x2b ||
  unit === 0x3d ||
  unit === 0x5f ||
  unit === 0x7e;
