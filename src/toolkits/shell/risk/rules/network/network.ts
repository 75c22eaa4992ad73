// Judges programs that talk to other machines. Printing a response is allowed; sending, overwriting files and other
// actions need approval.
import { reachOf } from "../../capabilities/addresses.ts";
import { NONE, type Rule, type RuleTable, type SimpleCommand, wordSet } from "../../model.ts";
import { anyWord, has, hasWord, type Options, readOptions, valuesOf, wordAt, wordsOf } from "../../parse/options.ts";
import { isStreamDevice } from "../../parse/paths.ts";
import type { RiskCode } from "../../reasons.ts";
import { allowed, always, askOnOption, askOnWord, askUnlessWord } from "../conditions.ts";

// Matches protocols of curl other than those that only fetch. telnet sends nothing unless input is piped to it.
const OTHER_PROTOCOL = /^(?!https?:|ftps?:|file:|telnet:)[a-z][\w+.-]*:\/\//i;
const SAFE_METHOD = /^(?:get|head)$/i;

const CURL =
  "A b c C d D e E F H K m o P Q r t T u U w x X y Y z request header data data-raw data-binary data-urlencode data-ascii json form form-string output user url url-query cookie cookie-jar upload-file proxy proxy-user max-time connect-timeout retry retry-delay retry-max-time config user-agent referer cacert capath cert key resolve write-out limit-rate range dump-header unix-socket abstract-unix-socket interface output-dir stderr trace trace-ascii connect-to oauth2-bearer aws-sigv4 ciphers proxy-header variable preproxy socks5 socks5-hostname socks4 socks4a max-redirs quote etag-save hsts alt-svc libcurl";

const curl: Rule = (command, context) => {
  const options = readOptions(command.args, CURL);
  const codes: RiskCode[] = [];
  const outputs = valuesOf(
    options,
    "o output D dump-header c cookie-jar trace trace-ascii etag-save libcurl hsts stderr",
  );
  const saves =
    has(options, "O remote-name remote-name-all J remote-header-name") ||
    outputs.some((path) => path !== "-" && !isStreamDevice(path));
  if (saves) {
    context.seen.fetched = true;
    codes.push("overwrite");
  }
  if (anyWord(options.operands, OTHER_PROTOCOL)) codes.push("outward");
  if (has(options, "K config engine")) codes.push("code");
  if (has(options, "unix-socket abstract-unix-socket")) codes.push("service");
  if (has(options, "Q quote")) codes.push("outward");
  if (has(options, "T upload-file")) codes.push("outward");
  const data = valuesOf(options, "d data data-raw data-binary data-urlencode data-ascii json F form");
  // A request that sends the content of a file needs approval, whatever its destination.
  if (data.some((text) => /^@|^[^=&{}"\s]*=[@<]|^[\w-]+@/.test(text))) codes.push("outward");
  if (sendsFile(options)) codes.push("outward");
  if (valuesOf(options, PROXIES).some((proxy) => proxy !== "" && reachOf(proxy) !== "loopback")) codes.push("outward");
  const method = valuesOf(options, "X request")[0] ?? (data.length > 0 && !has(options, "G get") ? "POST" : "GET");
  // The method also matters on this machine, because this server's API and other services listen there.
  if (!SAFE_METHOD.test(method)) codes.push("outward");
  return codes;
};

// Options that name a proxy, which receives the whole request.
const PROXIES = "x proxy preproxy socks4 socks4a socks5 socks5-hostname";

/** True if a header, cookie or variable is read from a file. The value of a shortened option is an operand here. */
const sendsFile = (options: Options): boolean =>
  options.operands.some((arg) => arg.value.startsWith("@")) ||
  valuesOf(options, "H header proxy-header url url-query").some((text) => /^@|^[\w-]*@[./~\w-]+$/.test(text)) ||
  valuesOf(options, "b cookie").some((text) => text !== "" && !text.includes("=")) ||
  valuesOf(options, "variable").some((text) => /^%|^[^=]*@/.test(text));

const WGET =
  "O o a i P t T w Q U e B output-document output-file append-output input-file directory-prefix tries timeout wait quota user-agent header post-data post-file method body-data body-file execute user password base ca-certificate referer level l A R D accept reject domains";

const wget: Rule = (command, context) => {
  const options = readOptions(command.args, WGET);
  const codes: RiskCode[] = [];
  const [output] = valuesOf(options, "O output-document");
  const toScreen = output === "-" || (output !== undefined && isStreamDevice(output)) || has(options, "spider");
  if (!toScreen) context.seen.fetched = true;
  if (output !== undefined && !toScreen) codes.push("overwrite");
  if (valuesOf(options, "o output-file").some((path) => path !== "-" && !isStreamDevice(path))) codes.push("overwrite");
  if (has(options, "e execute use-askpass")) codes.push("code");
  // The URLs are in a file, so the destination is unknown.
  if (has(options, "i input-file")) codes.push("outward");
  if (has(options, "post-file body-file post-data body-data")) codes.push("outward");
  if (valuesOf(options, "method").some((method) => !SAFE_METHOD.test(method))) codes.push("outward");
  return codes;
};

/** The rule for HTTPie, where the method is a word or follows from the fields. */
const httpie: Rule = (command) => {
  const options = readOptions(
    command.args,
    "a A o auth output session session-read-only verify timeout p print s style",
  );
  if (valuesOf(options, "o output").length > 0 || has(options, "d download")) return ["overwrite"];
  const words = wordsOf(options.operands);
  // HTTPie sends its standard input as the body of a POST.
  if (command.stdin.kind !== "none" && !has(options, "ignore-stdin") && words.length > 0) return ["outward"];
  const method =
    words.find((word) => /^(?:[A-Z]{3,7}|get|head|options|post|put|patch|delete)$/.test(word)) ??
    (words.some((word) => /^[\w-]+(?::?=|@)/.test(word) && !/==/.test(word)) ? "POST" : "GET");
  // Matches `field@file`, and `=@`, `:=@`, `==@` and `Header:@`, which read from a file.
  if (words.some((word) => /^[\w-]+(?:@|(?:==|:=|=|:)@)/.test(word) && !word.includes("://"))) return ["outward"];
  return SAFE_METHOD.test(method) ? NONE : ["outward"];
};

const netcat: Rule = (command) => {
  const options = readOptions(command.args, "w p s i q X x e c");
  if (has(options, "e c exec sh-exec")) return ["remote_code"];
  return has(options, "z") ? NONE : ["outward"];
};

const keygen: Rule = (command) => {
  const options = readOptions(command.args, "t b C f N P m a E F H s I n O D V");
  return has(options, "R p c") ? ["credentials"] : NONE;
};

const loadTest: Rule = (command) => {
  if (command.args.length === 0) return NONE;
  // A benchmark with a body, a method or a script does not only repeat GET requests. `-d 10s` is a duration.
  const sends = command.args.some(
    (arg, at) =>
      /^(?:-[pudbDmTsX]|--?(?:body|data|method|script|put|post)[\w-]*)(?:=|$)/.test(arg.value) &&
      !/^\d+[a-z]*$/.test(wordAt(command.args, at + 1)),
  );
  // siege takes a URL, the method and the body as one word.
  if (sends || anyWord(command.args, /\s(?:POST|PUT|PATCH|DELETE)\b/)) return ["outward"];
  return command.args.some((arg) => isAddress(arg.value) && reachOf(arg.value) === "loopback") ? NONE : ["outward"];
};

const isAddress = (word: string): boolean => /[.:]|localhost/.test(word);

// Well-known public resolvers. The operator of any other one could collect data from the requested names.
const PUBLIC_RESOLVERS = wordSet(
  "8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 149.112.112.112 208.67.222.222 208.67.220.220 2001:4860:4860::8888 2606:4700:4700::1111 dns.google one.one.one.one dns.quad9.net",
);

/**
 * The rule for `dig @server name` and `host name server`, where the name may carry data to the server. Names from a
 * file or a pipe may be any data.
 */
const lookup: Rule = (command) => {
  if (has(readOptions(command.args, "f"), "f") && command.name !== "host") return ["outward"];
  if (command.name === "nslookup" && command.stdin.kind === "opaque") return ["outward"];
  const options = readOptions(command.args, "t c p b k y f q x W R N m");
  const marked = command.args.filter((arg) => arg.value.startsWith("@")).map((arg) => arg.value.slice(1));
  const second = /^(?:host|nslookup)$/.test(command.name) ? wordsOf(options.operands.slice(1)) : [];
  const servers = [...marked, ...second].map((server) => server.replace(/^(?:https|tls|tcp|udp|quic):\/\//, ""));
  return servers.some((server) => !PUBLIC_RESOLVERS.has(server) && reachOf(server) !== "loopback") ? ["outward"] : NONE;
};

const fetchesFile: Rule = (command, context) => {
  context.seen.fetched = true;
  if (anyWord(command.args, /^(?:-[ia]$|--(?:input|batch)-file)/)) return ["outward"];
  return anyWord(command.args, /^--(?:exec|on-|exec-before|allow-overwrite)/) ? ["code"] : NONE;
};

const openssl: Rule = (command) => {
  // An empty line or Q only ends the session. Any other input is sent.
  const hasInput =
    command.stdin.kind === "text" ? command.stdin.text.trim().length > 1 : command.stdin.kind === "opaque";
  if (hasInput && command.args[0]?.value === "s_client") return ["outward"];
  const out = command.args.findIndex((arg) => /^-(?:out|keyout|writerand)$/.test(arg.value));
  const target = out >= 0 ? wordAt(command.args, out + 1) : undefined;
  if (command.args.some((arg) => arg.value === "-engine" || arg.value === "-provider-path")) return ["code"];
  if (target === undefined && printsKey(command)) return ["credentials"];
  return target === undefined || isStreamDevice(target) || target === "-" ? NONE : ["overwrite"];
};

/** True if openssl prints the key that it reads, unless only the public half or no output is requested. */
const printsKey = ({ args }: SimpleCommand): boolean =>
  /^(?:rsa|ec|dsa|pkey|pkcs8|pkcs12)$/.test(wordAt(args, 0)) &&
  hasWord(args, "-in") &&
  !hasWord(args, "-pubout -pubin -noout -nokeys -info");

const gpg: Rule = (command) => {
  const options = readOptions(
    command.args,
    "o u r output recipient local-user homedir keyserver default-key passphrase",
  );
  const secret = /^(?:delete|export-secret|edit-key|gen-revoke|sign-key|lsign|passwd|import-ownertrust|decrypt)/;
  if (options.shorts.includes("d") || options.longs.some((long) => secret.test(long))) return ["credentials"];
  if (options.longs.some((long) => /^send-keys/.test(long))) return ["outward"];
  return valuesOf(options, "o output").some((path) => path !== "-" && !isStreamDevice(path)) ? ["overwrite"] : NONE;
};

export const networkRules: RuleTable = {
  "curl httpstat": curl,
  wget,
  "http https xh curlie": httpie,
  "nc ncat netcat": netcat,
  "scp sftp ftp lftp tftp telnet socat rsh rlogin rcp rexec mail mailx sendmail mutt swaks ngrok cloudflared bore localtunnel croc magic-wormhole wormhole nmap masscan hydra sqlmap msfconsole tcpdump tshark ettercap arpspoof nikto gobuster proxytunnel chisel bitsadmin certutil":
    always("outward"),
  "ssh-keygen": keygen,
  "ssh-add": askOnOption("D d x X e", "credentials"),
  "ab wrk hey siege vegeta autocannon oha bombardier locust": loadTest,
  "aria2c axel yt-dlp youtube-dl": fetchesFile,
  "dig host nslookup drill kdig doggo dog delv": lookup,
  "ping ping6 traceroute": allowed,
  fping: (command) => (command.stdin.kind === "opaque" || anyWord(command.args, /^(?:-f|--file)/) ? ["outward"] : NONE),
  whois: askOnOption("h host", "outward", "h p host port"),
  finger: (command) => (command.args.some((arg) => arg.value.includes("@")) ? ["outward"] : NONE),
  getent: askOnWord("shadow gshadow", "credentials"),
  // grpcurl only reads with `list` or `describe`.
  grpcurl: askUnlessWord("list describe -version -help", "outward"),
  openssl,
  "gpg gpg2": gpg,
};
