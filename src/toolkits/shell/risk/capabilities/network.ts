// Detects network risks in the arguments of any command: link-local services, URLs of other hosts, servers open to
// other machines, and computed data that a request would send.

import { type Arg, type SimpleCommand, wordSet } from "../model.ts";
import { anyWord, wordAt } from "../parse/options.ts";
import type { RiskCode } from "../reasons.ts";
import { isUrl, namesLinkLocal, reachOf } from "./addresses.ts";

// Programs whose arguments are text or file names, never addresses.
const NOT_ADDRESSES = wordSet(
  "echo printf : true false test [ [[ grep egrep fgrep rg ripgrep ag ack sed awk gawk jq yq cat head tail say notify-send figlet cowsay export declare local readonly read expr basename dirname git-grep case",
);
// Programs with their own rules about addresses.
const HAS_ADDRESS_RULE = wordSet(
  "curl curlie httpstat wget http https xh git npm npx pnpm yarn bun bunx pip uv poetry gem cargo go docker podman gh glab brew terraform kubectl helm psql mysql mongosh mongo redis-cli sqlite3 ssh scp rsync node deno python python3 env sudo timeout xargs start-server-and-test wait-on ab wrk hey siege vegeta autocannon oha bombardier locust k6 cookiecutter copier composer mvn gradle gradlew code skopeo crane aws gsutil s3cmd s5cmd rclone mc lighthouse lhci pa11y playwright",
);
// Programs that send a name or URL argument over the network, with any command output that it contains.
const SENDS_ADDRESSES = wordSet(
  "dig host nslookup ping ping6 fping traceroute tracepath mtr whois drill kdig doggo dog delv resolvectl systemd-resolve avahi-resolve getent openssl curl curlie httpstat wget http https xh nc ncat netcat ssh-keyscan open xdg-open lychee linkchecker lighthouse newman hurl pa11y finger telnet",
);
// Programs that send a name to a package registry or a search service. The name must not contain text from a file.
const ASKS_REGISTRY = wordSet(
  "npm pnpm yarn bun pip pip3 pipx uv poetry gem cargo go brew apt apt-get apt-cache dnf yum pacman composer conda mamba docker podman skopeo crane gh glab helm",
);
const LOOKUP_VERBS = wordSet(
  "view v info show search s find docs home repo bugs index download pull fetch install i add get require query api list",
);
// Clients that send every argument to a server, such as a host, a namespace or a query.
const SENDS_ARGUMENTS = wordSet(
  "ssh mosh rsync kubectl oc aws gcloud az doctl hcloud oci ibmcloud aliyun gsutil bq s3cmd s5cmd rclone vault consul nomad etcdctl heroku fly flyctl vercel netlify wrangler railway supabase stripe psql mysql mariadb mongosh redis-cli influx curl curlie wget http https xh",
);

export function networkWordRisks(command: SimpleCommand): readonly RiskCode[] {
  const { name, args } = command;
  if (NOT_ADDRESSES.has(name)) return [];
  const words = args.flatMap((arg) => [arg.value, arg.value.replace(/^--?[\w-]+=/, "")]);
  if (words.some(namesLinkLocal)) return ["outward"];
  if (namesCluster(command)) return ["environment"];
  if (listensPublicly(command) || sendsCredentials(command)) return ["outward"];
  if (anyWord(args, /\b169\.254\.\d+\.\d+\b/)) return ["outward"];
  // With -p, the packets carry the given pattern.
  if (/^f?ping6?$/.test(name) && anyWord(args, /^-p/)) return ["outward"];
  if (SENDS_ADDRESSES.has(name) && sendsOutput(command)) return ["outward"];
  if (sendsContent(command)) return ["outward"];
  if (args.some((arg) => arg.computed && isComputedName(arg.value))) return ["outward"];
  if (args[0]?.value === "login" && args.some((arg) => arg.computed)) return ["outward"];
  if (HAS_ADDRESS_RULE.has(name) && args.some((arg) => arg.computed && COMPUTED_HOST.test(arg.value)))
    return ["outward"];
  if (args.some((arg) => arg.computed && isUrl(arg.value) && reachOf(literalHost(arg.value)) === "elsewhere"))
    return ["outward"];
  if (HAS_ADDRESS_RULE.has(name)) return [];
  return words.some((word) => isUrl(word) && !word.startsWith("file:") && reachOf(word) !== "loopback")
    ? ["outward"]
    : [];
}

// Programs that connect to an address instead of listening on it.
const CLIENTS = wordSet("curl wget http https xh nc ncat telnet psql mysql redis-cli mongosh pg_isready dig ping nmap");
const ANY_ADDRESS = /^(?:0\.0\.0\.0|\[::\]|::)(?::\d+)?$/;

/** True if other machines can reach the started server, as with `--host 0.0.0.0` or `--host` without a value. */
const listensPublicly = ({ name, args }: SimpleCommand): boolean =>
  servesByDefault(args) ||
  (!CLIENTS.has(name) &&
    args.some(({ value }, at) => {
      const before = wordAt(args, at - 1);
      if (ANY_ADDRESS.test(value.replace(/^--?[\w-]+=/, "")) && (value.startsWith("-") || before.startsWith("-")))
        return true;
      return value === "--host" && (args[at + 1]?.value ?? "-").startsWith("-");
    }));

/** True if Python's server is not bound to a loopback address. By default, it listens on all interfaces. */
const servesByDefault = (args: readonly Arg[]): boolean =>
  args.some(({ value }, at) => value === "http.server" && args[at - 1]?.value === "-m") &&
  !args.some(
    ({ value }, at) =>
      /^--?h(?:elp)?$/.test(value) ||
      (/^(?:--bind|-b)(?:$|=)/.test(value) && reachOf(value.split("=")[1] ?? wordAt(args, at + 1)) === "loopback"),
  );

// Programs that send their credentials to whatever server an option names.
const AUTHENTICATES = wordSet("aws kubectl oc helm docker podman nerdctl gcloud az vault consul nomad etcdctl argocd");
const SERVER = /^(?:-H|--(?:endpoint(?:-url|s)?|server|api-server|kube-apiserver|host|address))(?:=(.*))?$/;

/** True for a kubeconfig outside its usual folder, because it may name any program to run for the credentials. */
const namesCluster = ({ name, args }: SimpleCommand): boolean =>
  /^(?:kubectl|oc|helm|k9s|stern|kustomize|flux|argocd|helmfile|velero|istioctl)$/.test(name) &&
  args.some(({ value }, at) => {
    const path = value === "--kubeconfig" ? (args[at + 1]?.value ?? "?") : /^--kubeconfig=(.*)$/.exec(value)?.[1];
    return path !== undefined && !/^(?:~|\$\{?HOME\}?)\/\.kube\//.test(path);
  });

const sendsCredentials = ({ name, args }: SimpleCommand): boolean =>
  AUTHENTICATES.has(name) &&
  args.some(({ value }, at) => {
    const option = SERVER.exec(value);
    const server = option && (option[1] ?? args[at + 1]?.value);
    return (
      Boolean(server) &&
      isUrl(server ?? "") &&
      !/^(?:unix|npipe):/.test(server ?? "") &&
      reachOf(server ?? "") !== "loopback"
    );
  });

/** Matches `host.example/$(…)` and `$(…).host.example`, the usual forms of image, package and module names. */
const COMPUTED_HOST = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d+)?\/.*(?:\$\(|`)|(?:\)|`)\.[\w-]+\.[a-z]{2,}/;

/** True for `$(…).host.example`, unless it ends like a file name. */
const isComputedName = (word: string): boolean =>
  /(?:\)|`)\.(?:[\w-]+\.)*[a-z]{2,}$/i.test(word) &&
  !/\//.test(word.replace(/\$\([^)]*\)|`[^`]*`/g, "")) &&
  !FILE_NAME.test(word);
const FILE_NAME =
  /\.(?:[cm]?[jt]sx?|[ct]sv|json[lc5]?|ya?ml|toml|ini|conf|cfg|env|xml|html?|css|scss|md|mdx|rst|tex|txt|log|out|err|tmp|bak|old|orig|diff|patch|lock|pid|sock|t?[gx]z|zst|bz2|zip|tar|7z|jar|war|whl|gem|deb|rpm|apk|dmg|iso|img|qcow2|bin|exe|dll|so|dylib|wasm|py|rb|rs|go|java|kt|swift|php|lua|sh|bash|zsh|fish|ps1|bat|sql|sqlite3?|db|dump|parquet|pdf|png|jpe?g|gif|svg|webp|ico|mp[34]|wav|webm|mov|csr|crt|cer|pem|key|pub|asc|sig|sha\d+|md5|hpp|cpp|map|snap|trace|prof|heapsnapshot|har)$/i;

/** Replaces substitutions with a letter, so that the host can still be parsed. */
const literalHost = (word: string): string => word.replace(/\$\([^)]*\)|`[^`]*`|\$\{?\w+\}?/g, "x");

/**
 * True if a request may send computed data to another host. A request to this machine may contain such data, except in
 * its host.
 */
function sendsOutput({ args, name }: SimpleCommand): boolean {
  const dataArguments = args.filter(containsData);
  if (dataArguments.length === 0) return false;
  const operands = args.filter((arg) => !arg.value.startsWith("-")).map((arg) => literalHost(arg.value));
  const local = operands.some(
    (word) => reachOf(word) === "loopback" && /localhost|127|::1|^:\d|\.(?:test|local)/.test(word),
  );
  if (!local || !/^(?:curl|wget|http|xh|nc)/.test(name)) return true;
  return dataArguments.some(
    (arg) =>
      /^[^/]*(?:\$\(|`)/.test(arg.value.replace(/^[a-z]+:\/\//, "")) &&
      /[.:]/.test(arg.value.replace(/\$\([^)]*\)/g, "")),
  );
}

/** True if an argument that the program sends contains text from a file or the environment. */
const sendsContent = ({ name, args }: SimpleCommand): boolean =>
  (SENDS_ARGUMENTS.has(name) ||
    (ASKS_REGISTRY.has(name) && args.slice(0, 3).some((arg) => LOOKUP_VERBS.has(arg.value)))) &&
  args.some((arg) => arg.computed === "content" || (arg.computed && READS_CONTENT.test(arg.value)));

/** Matches a substitution that prints file content, the environment or data of the machine, not only names or times. */
const READS_CONTENT =
  /(?:\$\(|`)\s*(?:<|(?:cat|bat|head|tail|base64|base32|xxd|od|hexdump|strings|sed|awk|cut|tr|rev|jq|yq|env|printenv|whoami|id|hostname|openssl|gpg|md5sum|sha\d+sum)\b)/;

const SECRET_NAME = /\$\{?\w*(?:TOKEN|SECRET|PASSW|API_?KEY|PRIVATE|CREDENTIAL)\w*/i;
const containsData = (arg: Arg): boolean =>
  arg.computed !== undefined ||
  arg.wild !== "no" ||
  (!arg.known && arg.value.includes("{}")) ||
  (isUrl(arg.value) && SECRET_NAME.test(arg.value));
