// Judges clients of clouds, deployments and hosted services. Reading is allowed; any change needs approval.
import { NONE, type Rule, type RuleTable, type SimpleCommand } from "../../model.ts";
import { hasWord, readOptions, wordsOf } from "../../parse/options.ts";
import { allowed, askUnlessWord } from "../conditions.ts";
import { readingVerbRule, verbRule } from "../verbs.ts";
import { reading } from "./platforms.ts";

const aws: Rule = (command) => {
  const options = readOptions(
    command.args,
    "region profile output query filters instance-ids bucket key endpoint-url max-items cli-input-json",
  );
  const [service, verb] = options.operands.map((arg) => arg.value.toLowerCase());
  if (service === undefined) return NONE;
  if (options.longs.some((long) => /^dry-?run$/.test(long))) return NONE;
  if (service === "s3") {
    if (verb === "ls" || verb === "presign" || verb === undefined) return NONE;
    return verb === "cp" && options.operands.at(-1)?.value === "-" ? NONE : ["infrastructure"];
  }
  if (service === "configure")
    return verb === "list" || verb === "get" || verb === "list-profiles" ? NONE : ["credentials"];
  if (
    /^(?:get-secret-value|get-session-token|get-login-password)$/.test(verb ?? "") ||
    options.longs.includes("with-decryption")
  )
    return ["credentials"];
  if (service === "logs" && verb === "tail") return NONE;
  if (service === "sso" || service === "help") return NONE;
  const looks =
    /^(?:describe|list|get|head|lookup|search|select|batch-get|filter|view|scan|query|help|validate|simulate|test|estimate|preview|wait)(?:-|$)/;
  return looks.test(verb ?? "help") ? NONE : ["infrastructure"];
};

const READING_VERB =
  /^(?:list|ls|describe|show|get|get-value|info|status|version|help|view|read|tail|browse|whoami|search|top|diff|preview|validate|lint|inspect|print-.*|list-.*|describe-.*|get-.*|test-iam-permissions)$/;
const GCLOUD = "project zone region format filter limit account configuration cluster instance database location";

const operandsOf = (args: SimpleCommand["args"]): readonly string[] =>
  wordsOf(args).filter((word) => !word.startsWith("-"));

/** True if the output is a credential, as with `auth print-access-token` or `keyvault secret show`. */
const printsSecret = ({ args }: SimpleCommand): boolean =>
  /\bprint-(?:access|identity)-token\b|\bget-access-token\b|\bsecrets? (?:versions )?(?:show|access|download)\b|\bkeys? list\b.*--show|\bget-credentials\b/.test(
    operandsOf(args).join(" "),
  );

const gh: Rule = (command, context) => {
  const options = readOptions(
    command.args,
    "R repo L limit S search s state B base H head t title b body l label a assignee json q jq template X method f F H header field raw-field input hostname",
  );
  const words = options.operands.map((arg) => arg.value.toLowerCase());
  if (words[0] === "api") {
    const method = options.values.get("X")?.[0] ?? options.values.get("method")?.[0];
    const fields =
      options.shorts.match(/[fF]/) || options.longs.some((long) => /^(?:field|raw-field|input)$/.test(long));
    return (method === undefined && !fields) || /^get$/i.test(method ?? "") ? NONE : ["outward"];
  }
  return ghVerbs(command, context);
};
const ghVerbs = verbRule({
  valued: "R repo L limit S search s state B base H head t title b body l label a assignee json q jq template",
  allow:
    "pr list, pr view, pr status, pr checks, pr diff, pr checkout, pr create, issue list, issue view, issue status, issue create, repo view, repo list, repo clone, run list, run view, run watch, run download, release list, release view, release download, workflow list, workflow view, auth status, search, browse, gist list, gist view, label list, status, cache list, secret list, variable list, ssh-key list, extension list, ruleset, org list, project list, project view, config get, config list, completion, co",
  delete:
    "repo delete, release delete, issue delete, gist delete, run delete, cache delete, label delete, secret delete, secret remove, variable delete, ssh-key delete, project delete, codespace delete",
  publish: "release create, release edit, release upload, repo create, gist create",
  credentials: "secret set, auth login, auth logout, auth token, auth refresh, auth setup-git, ssh-key add",
  other: "outward",
});

const terraform: Rule = (command) => {
  const words = operandsOf(command.args);
  if (command.args.some((arg) => arg.wild !== "no")) return ["not_literal"];
  if (TERRAFORM_READS.test(words.slice(0, 2).join(" "))) return NONE;
  if (words[0] === "init")
    return hasWord(command.args, "-migrate-state -force-copy -reconfigure") ? ["infrastructure"] : NONE;
  return words.length === 0 ? NONE : ["infrastructure"];
};
const TERRAFORM_READS =
  /^(?:plan|validate|fmt|show|output|version|providers|graph|console|get|test|metadata|state (?:list|show|pull)|workspace (?:list|show|select|new)|help|hclfmt|render-json|graph-dependencies|run-all plan|run-all validate)\b/;

export const cloudRules: RuleTable = {
  aws,
  "gcloud az doctl linode-cli hcloud oci ibmcloud aliyun scw civo exo vultr-cli eksctl gcloud-beta tencentcloud yc openstack digitalocean":
    (command, context) =>
      printsSecret(command) ? ["credentials"] : readingVerbRule(GCLOUD, READING_VERB)(command, context),
  gsutil: verbRule({ valued: "o h", allow: "ls, cat, du, stat, version, hash, help", other: "infrastructure" }),
  bq: verbRule({ valued: "project_id format location", allow: "ls, show, head, version", other: "database" }),
  "s3cmd s5cmd mc rclone b2 azcopy": verbRule({
    valued: "c config p profile endpoint-url",
    allow:
      "ls, la, lsd, lsf, lsl, lsjson, du, cat, info, tree, stat, find, diff, size, check, version, about, listremotes, md5sum, sha1sum, head, list, ncdu",
    other: "infrastructure",
    dry: "dry-run n",
  }),
  gh,
  glab: ghVerbs,
  hub: verbRule({ allow: "browse, issue, pr list, status, ci-status, clone, version", other: "outward" }),
  "terraform tofu terragrunt tf": terraform,
  "ansible ansible-playbook ansible-pull": askUnlessWord(
    "--check -C --syntax-check --list-hosts --list-tasks --list-tags --version --graph --list",
    "infrastructure",
  ),
  "ansible-galaxy": reading(
    "install, list, search, info, init, collection install, collection list, role install, role list, role init",
  ),
  "ansible-vault": reading("create, encrypt", "infrastructure", "view, decrypt, edit, rekey"),
  "ansible-inventory ansible-doc": allowed,
  pulumi: reading(
    "preview, stack ls, stack!, whoami, config!, config get, about, logs, version, stack output, plugin ls, new",
  ),
  cdk: reading("synth, synthesize, diff, ls, list, doctor, init, docs, notices, metadata"),
  sam: reading("build, validate, local, init, logs, list"),
  "serverless sls": reading("offline, info, logs, package, print, metrics, plugin list, deploy list"),
  vagrant: reading("status, up, ssh-config, global-status, validate, version, box list, port, snapshot list, init"),
  packer: reading("validate, fmt, inspect, version, init"),
};
