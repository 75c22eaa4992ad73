// Judges short program text in Python and JavaScript, which is harmless if every name in it is. The text is split into
// tokens, not parsed.
import { wordSet } from "../model.ts";

// The names that a harmless program may use. A program can do harm only through names, so those that can do it, such as
// open and exec, are missing.
const PYTHON = wordSet(
  "print import from as sys version version_info platform executable argv path stdin stdout read readlines maxsize byteorder getsizeof json dumps loads load indent sort_keys ensure_ascii math pi e tau sqrt floor ceil log log2 log10 sin cos tan pow gcd factorial comb isclose datetime date time timezone utc now today isoformat strftime timedelta timestamp utcnow fromtimestamp days hours random randint choice randrange sample shuffle uniform seed string ascii_letters digits punctuation hexdigits re match search findall sub compile group groups IGNORECASE collections Counter defaultdict most_common itertools chain combinations permutations product islice functools reduce statistics mean median stdev mode uuid uuid4 hashlib md5 sha1 sha256 sha512 hexdigest digest base64 b64encode b64decode urllib parse quote unquote urlencode urlparse secrets token_hex token_urlsafe token_bytes textwrap dedent fill decimal Decimal fractions Fraction calendar zlib crc32 unicodedata name normalize struct pack unpack binascii hexlify html escape unescape secrets pprint len sum min max abs round sorted reversed range enumerate zip map filter list dict set tuple str int float bool bytes chr ord hex bin oct repr format type isinstance any all divmod iter next key value lambda if else elif for in not and or is True False None while break continue pass return def assert yield exit join split rsplit strip lstrip rstrip upper lower title replace startswith endswith count find index append extend items keys values get encode decode utf8 isdigit isalpha zfill ljust rjust center splitlines numpy np pandas pd torch tensorflow tf django flask sklearn read_csv head shape columns describe dtypes fastapi pydantic pytest scipy matplotlib cuda is_available get_version __version__ __file__ __doc__ sysconfig get_paths site getsitepackages python_version system machine processor node data row line lines item result total res out val word words text num nums end sep flush file obj ast literal_eval",
);
const JAVASCRIPT = wordSet(
  "console log error table info dir require process version versions node v8 platform arch argv memoryUsage uptime cwd pid JSON stringify parse Math PI sqrt floor ceil round random max min pow abs Date now toISOString getTime toString toLocaleString Object keys values entries assign fromEntries Array from isArray of Number String Boolean parseInt parseFloat isNaN isInteger map filter reduce forEach join split slice concat includes indexOf find some every sort reverse flat flatMap push length replace replaceAll trim padStart padEnd toUpperCase toLowerCase startsWith endsWith repeat charCodeAt fromCharCode match test Buffer base64 hex utf8 encodeURIComponent decodeURIComponent crypto randomUUID randomBytes createHash update digest URL searchParams hostname host pathname href origin os cpus totalmem freemem hostname type release path basename dirname extname resolve dependencies devDependencies scripts name main engines license description const let var return if else for of in new exit true false null undefined typeof async await Promise all then Set Map has get size RegExp test Symbol BigInt Infinity NaN util inspect depth features performance Intl DateTimeFormat resolvedOptions timeZone data item key value row line res out val obj acc cur sum pkg exports workspaces config version_info",
);

export function isHarmlessCode(code: string, language: "python" | "javascript"): boolean {
  if (code.length > 4000) return false;
  const names = language === "python" ? PYTHON : JAVASCRIPT;
  // Opening a file named by a literal for reading does no more than cat.
  const text =
    language === "python" ? code.replace(/\bopen\(\s*(['"])[^'"\\]*\1\s*(?:,\s*(['"])rb?\2\s*)?\)/g, "0") : code;
  const bare = withoutStrings(text, language);
  if (bare === undefined) return false;
  if (language === "javascript" && !plainJavaScript(bare, code)) return false;
  for (const [name] of bare.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    if (name.length === 1 || names.has(name)) continue;
    return false;
  }
  return true;
}

/**
 * Replaces every string with a placeholder. Returns undefined if a string could hide code or a name: a template
 * literal, a character escape, or an unclosed string.
 */
function withoutStrings(code: string, language: "python" | "javascript"): string | undefined {
  // Template literals may contain code. The expressions in f-strings are kept below.
  if (language === "javascript" && code.includes("`")) return undefined;
  if (/\\(?:x|u|N|[0-7])/.test(code)) return undefined;
  const strings = /'''[\s\S]*?'''|"""[\s\S]*?"""|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
  let bare = "";
  let at = 0;
  for (const match of code.matchAll(strings)) {
    const before = code.slice(at, match.index);
    const prefix = /[a-zA-Z]{1,2}$/.exec(before)?.[0] ?? "";
    const formatted = language === "python" && /^(?:f|rf|fr)$/i.test(prefix);
    if (formatted) bare += before.slice(0, -prefix.length) + fStringExpressions(match[0]);
    else bare += /^(?:r|b|u|rb|br)$/i.test(prefix) ? before.slice(0, -prefix.length) : before;
    bare += " § ";
    at = match.index + match[0].length;
  }
  bare += code.slice(at);
  return /['"]/.test(bare) ? undefined : bare;
}

/** Returns the expressions inside an f-string. */
const fStringExpressions = (text: string): string =>
  ` ${[...text.matchAll(/\{([^{}]*)\}/g)].map((hole) => hole[1]).join(" ")} `;

/** True if the code has no computed members, and uses `require` only for data and for modules without side effects. */
function plainJavaScript(bare: string, code: string): boolean {
  const computed = bare.matchAll(/[\w$)\]]\s*\[([^\]]*)\]/g);
  for (const [, inside] of computed) if (!/^\s*(?:\d+|[\w.]*\.length\s*-\s*1)\s*$/.test(inside ?? "")) return false;
  if (/\]\s*\(/.test(bare)) return false;
  const wanted = [...code.matchAll(/require\s*\(\s*([^)]*)\)/g)].map((match) => match[1] ?? "");
  const calls = code.match(/require/g)?.length ?? 0;
  return (
    calls === wanted.length &&
    wanted.every((text) =>
      /^(['"])(?:(?:node:)?(?:os|path|url|util|crypto)|\.{0,2}\/?[\w@./-]+\.json)\1$/.test(text.trim()),
    )
  );
}

// Matches a call of a print function of any language with numbers, signs, plain strings and constants.
const PRINT_STATEMENT =
  /^\s*(?:print|puts|p|pp|echo|say|println|cat|io\.write|write)[\s(]+(?:[\d\s+*%().,/-]|'[^'\\]*'|"(?:[^"\\$@#`]|\\[nt])*"|[A-Z][A-Z_]+\b)*\s*\)*\s*;?\s*$/;

/** True for one statement that prints a constant, such as `puts 1 + 1` or `echo PHP_VERSION;`. */
export const onlyPrints = (code: string): boolean => code.length < 500 && PRINT_STATEMENT.test(code);
