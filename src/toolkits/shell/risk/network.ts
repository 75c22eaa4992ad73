// Programs that talk to other machines: reading to the screen is quiet; sending, saving over files and acting asks.
import type { Arg, Rule } from "./model.ts";
import { always, NONE, sameRule } from "./model.ts";
import { has, readOptions, valuesOf } from "./options.ts";
import { isQuietSink } from "./paths.ts";
import type { RiskCode } from "./reasons.ts";

const LOCAL =
  /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|::1|host\.docker\.internal|[\w.-]+\.(?:test|localhost|local))(?::|\/|\?|$)|^:\d+/i;
const SAFE_METHOD = /^(?:get|head|options)$/i;

const CURL =
  "A b c C d D e E F H K m o P Q r t T u U w x X y Y z request header data data-raw data-binary data-urlencode data-ascii json form form-string output user url url-query cookie cookie-jar upload-file proxy proxy-user max-time connect-timeout retry retry-delay retry-max-time config user-agent referer cacert capath cert key resolve write-out limit-rate range dump-header unix-socket abstract-unix-socket interface output-dir stderr trace trace-ascii connect-to oauth2-bearer aws-sigv4 ciphers max-redirs quote etag-save hsts alt-svc libcurl";

const curl: Rule = (command, scope) => {
  const options = readOptions(command.args, CURL);
  const codes: RiskCode[] = [];
  const outputs = valuesOf(
    options,
    "o output D dump-header c cookie-jar trace trace-ascii etag-save libcurl hsts stderr",
  );
  const saves =
    has(options, "O remote-name remote-name-all J remote-header-name") ||
    outputs.some((path) => path !== "-" && !isQuietSink(path));
  if (saves) {
    scope.seen.fetched = true;
    codes.push("overwrite");
  }
  if (has(options, "K config")) codes.push("code");
  if (has(options, "unix-socket abstract-unix-socket")) codes.push("service");
  if (has(options, "Q quote")) codes.push("outward");
  if (has(options, "T upload-file")) codes.push("outward");
  const data = valuesOf(options, "d data data-raw data-binary data-urlencode data-ascii json F form");
  // A file's content leaves the machine wherever it goes.
  if (data.some((text) => /^@|^[^=&{}"\s]*=[@<]|^[\w-]+@/.test(text))) codes.push("outward");
  const urls = [...options.operands.map((arg) => arg.value), ...valuesOf(options, "url")];
  const local = urls.length > 0 && urls.every((url) => LOCAL.test(url));
  const method = valuesOf(options, "X request")[0] ?? (data.length > 0 && !has(options, "G get") ? "POST" : "GET");
  if (/^delete$/i.test(method)) codes.push("outward");
  else if (!SAFE_METHOD.test(method) && !local) codes.push("outward");
  if (!local && carriesOutput(command.args)) codes.push("outward");
  return codes;
};

/** `https://x/?k=$(cat secret)`: what a program prints goes out. */
const carriesOutput = (args: readonly Arg[]): boolean =>
  args.some((arg) => arg.wild !== "no" && /\$\(|`/.test(arg.value));

const WGET =
  "O o a i P t T w Q U e B output-document output-file append-output input-file directory-prefix tries timeout wait quota user-agent header post-data post-file method body-data body-file execute user password base ca-certificate referer level l A R D accept reject domains";

const wget: Rule = (command, scope) => {
  const options = readOptions(command.args, WGET);
  const codes: RiskCode[] = [];
  const [output] = valuesOf(options, "O output-document");
  const toScreen = output === "-" || (output !== undefined && isQuietSink(output)) || has(options, "spider");
  if (!toScreen) scope.seen.fetched = true;
  if (output !== undefined && !toScreen) codes.push("overwrite");
  if (valuesOf(options, "o output-file").some((path) => path !== "-" && !isQuietSink(path))) codes.push("overwrite");
  if (has(options, "e execute use-askpass")) codes.push("code");
  const local = options.operands.length > 0 && options.operands.every((arg) => LOCAL.test(arg.value));
  if (has(options, "post-file body-file")) codes.push("outward");
  if (has(options, "post-data method body-data") && !local) codes.push("outward");
  if (!local && carriesOutput(command.args)) codes.push("outward");
  return codes;
};

/** HTTPie: the method is a word, or follows from fields. */
const httpie: Rule = (command) => {
  const options = readOptions(
    command.args,
    "a A o auth output session session-read-only verify timeout p print s style",
  );
  if (valuesOf(options, "o output").length > 0 || has(options, "d download")) return ["overwrite"];
  const words = options.operands.map((arg) => arg.value);
  const local = words.some((word) => LOCAL.test(word));
  const method =
    words.find((word) => /^[A-Z]{3,7}$/.test(word)) ??
    (words.some((word) => /^[\w-]+(?::?=|@)/.test(word) && !/==/.test(word)) ? "POST" : "GET");
  if (method === "DELETE" || words.some((word) => /^[\w-]+@/.test(word) && !word.includes("://"))) return ["outward"];
  return SAFE_METHOD.test(method) || local ? NONE : ["outward"];
};

const netcat: Rule = (command) => {
  const options = readOptions(command.args, "w p s i q X x e c");
  if (has(options, "e c exec sh-exec")) return ["remote_code"];
  return has(options, "z") ? NONE : ["outward"];
};

const keygen: Rule = (command) => {
  const options = readOptions(command.args, "t b C f N P m a E F H s I n O D V");
  if (has(options, "R p c")) return ["credentials"];
  return NONE;
};

const loadTest: Rule = (command) =>
  command.args.some((arg) => LOCAL.test(arg.value)) || command.args.length === 0 ? NONE : ["outward"];

const fetchesFile: Rule = (command, scope) => {
  scope.seen.fetched = true;
  return command.args.some((arg) => /^--(?:exec|on-|exec-before|allow-overwrite)/.test(arg.value)) ? ["code"] : NONE;
};

const openssl: Rule = (command) => {
  // An empty line or Q only ends the talk; more than that is sent.
  const said = command.stdin.kind === "text" ? command.stdin.text.trim().length > 1 : command.stdin.kind === "opaque";
  if (said && command.args[0]?.value === "s_client") return ["outward"];
  const out = command.args.findIndex((arg) => /^-(?:out|keyout|writerand)$/.test(arg.value));
  const target = out >= 0 ? (command.args[out + 1]?.value ?? "") : undefined;
  if (command.args.some((arg) => arg.value === "-engine" || arg.value === "-provider-path")) return ["code"];
  return target === undefined || isQuietSink(target) || target === "-" ? NONE : ["overwrite"];
};

const gpg: Rule = (command) => {
  const options = readOptions(
    command.args,
    "o u r output recipient local-user homedir keyserver default-key passphrase",
  );
  if (
    options.longs.some((long) =>
      /^(?:delete|export-secret|edit-key|gen-revoke|sign-key|lsign|passwd|import-ownertrust)/.test(long),
    )
  )
    return ["credentials"];
  if (options.longs.some((long) => /^send-keys/.test(long))) return ["outward"];
  return valuesOf(options, "o output").some((path) => path !== "-" && !isQuietSink(path)) ? ["overwrite"] : NONE;
};

export const networkRules: readonly [string, Rule][] = [
  ...sameRule("curl curlie httpstat", curl),
  ["wget", wget],
  ...sameRule("http https xh", httpie),
  ...sameRule("nc ncat netcat", netcat),
  ...sameRule(
    "scp sftp ftp lftp tftp telnet socat rsh rlogin rcp rexec mail mailx sendmail mutt swaks ngrok cloudflared bore localtunnel croc magic-wormhole wormhole nmap masscan hydra sqlmap msfconsole tcpdump tshark ettercap arpspoof nikto gobuster proxytunnel chisel bitsadmin certutil",
    always("outward"),
  ),
  ["ssh-keygen", keygen],
  ["ssh-add", (command) => (has(readOptions(command.args), "D d x X e") ? ["credentials"] : NONE)],
  ...sameRule("ab wrk hey siege vegeta autocannon oha bombardier locust", loadTest),
  ...sameRule("aria2c axel yt-dlp youtube-dl", fetchesFile),
  // A name looked up can carry what a program printed.
  ...sameRule("dig host nslookup ping ping6 traceroute whois drill", (command) =>
    carriesOutput(command.args) ? ["outward"] : NONE,
  ),
  ["openssl", openssl],
  ...sameRule("gpg gpg2", gpg),
];
