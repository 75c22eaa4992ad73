// Clouds, deployments and hosted services: looking is quiet, everything that changes them asks.
import type { Rule } from "./model.ts";
import { always, NONE, sameRule } from "./model.ts";
import { hasWord, readOptions } from "./options.ts";
import { readingVerbRule, verbRule } from "./verbs.ts";

const aws: Rule = (command, scope) => {
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
  return readingVerbRule(
    "region profile output query",
    /^(?:describe|list|get|head|lookup|search|select|batch-get|filter|view|scan|query|help|validate|simulate|test|estimate|preview|wait)(?:-|$)/,
  )(command, scope);
};

const READS =
  /^(?:list|ls|describe|show|get|get-value|info|status|logs|log|version|help|view|read|tail|browse|open|whoami|search|top|diff|preview|plan|validate|lint|inspect|account|regions|zones|print-.*|list-.*|describe-.*|get-.*|test-iam-permissions)$/;
const GCLOUD = "project zone region format filter limit account configuration cluster instance database location";

const gh: Rule = (command, scope) => {
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
  return ghVerbs(command, scope);
};
const ghVerbs = verbRule({
  valued: "R repo L limit S search s state B base H head t title b body l label a assignee json q jq template",
  quiet:
    "pr list, pr view, pr status, pr checks, pr diff, pr checkout, pr create, issue list, issue view, issue status, issue create, repo view, repo list, repo clone, run list, run view, run watch, run download, release list, release view, release download, workflow list, workflow view, auth status, search, browse, gist list, gist view, label list, status, cache list, secret list, variable list, ssh-key list, extension list, ruleset, org list, project list, project view, config get, config list, completion, co",
  risky: {
    delete:
      "repo delete, release delete, issue delete, gist delete, run delete, cache delete, label delete, secret delete, secret remove, variable delete, ssh-key delete, project delete, codespace delete",
    publish: "release create, release edit, release upload, repo create, gist create",
    credentials: "secret set, auth login, auth logout, auth token, auth refresh, auth setup-git, ssh-key add",
  },
  other: "outward",
});

const terraform: Rule = (command) => {
  const words = command.args.filter((arg) => !arg.value.startsWith("-")).map((arg) => arg.value);
  const line = words.slice(0, 2).join(" ");
  if (command.args.some((arg) => arg.wild !== "no")) return ["not_literal"];
  if (
    /^(?:plan|validate|fmt|show|output|version|providers|graph|console|get|test|metadata|state (?:list|show|pull)|workspace (?:list|show|select|new)|help|hclfmt|render-json|graph-dependencies|run-all plan|run-all validate)\b/.test(
      line,
    )
  )
    return NONE;
  if (words[0] === "init")
    return hasWord(command.args, "-migrate-state -force-copy -reconfigure") ? ["infrastructure"] : NONE;
  return words.length === 0 ? NONE : ["infrastructure"];
};

const ansible: Rule = (command) =>
  hasWord(command.args, "--check -C --syntax-check --list-hosts --list-tasks --list-tags --version --graph --list")
    ? NONE
    : ["infrastructure"];

const reading = (
  quiet: string,
  other: "infrastructure" | "publish" | "outward" | "database" = "infrastructure",
): Rule =>
  verbRule({
    valued: "p project e env environment a app r remote t token s scope c config region f file team profile stack",
    quiet,
    other,
    dry: "dry-run dryrun",
  });

export const cloudRules: readonly [string, Rule][] = [
  ["aws", aws],
  ...sameRule(
    "gcloud az doctl linode-cli hcloud oci ibmcloud aliyun scw civo exo vultr-cli eksctl gcloud-beta tencentcloud yc openstack digitalocean",
    readingVerbRule(GCLOUD, READS),
  ),
  ["gsutil", verbRule({ valued: "o h", quiet: "ls, cat, du, stat, version, hash, help", other: "infrastructure" })],
  ["bq", verbRule({ valued: "project_id format location", quiet: "ls, show, head, version", other: "database" })],
  ...sameRule(
    "s3cmd s5cmd mc rclone b2 azcopy",
    verbRule({
      valued: "c config p profile endpoint-url",
      quiet:
        "ls, la, lsd, lsf, lsl, lsjson, du, cat, info, tree, stat, find, diff, size, check, version, about, listremotes, md5sum, sha1sum, head, list, ncdu",
      other: "infrastructure",
      dry: "dry-run n",
    }),
  ),
  ["gh", gh],
  ["glab", ghVerbs],
  ["hub", verbRule({ quiet: "browse, issue, pr list, status, ci-status, clone, version", other: "outward" })],
  ...sameRule("terraform tofu terragrunt tf", terraform),
  ...sameRule("ansible ansible-playbook ansible-pull", ansible),
  [
    "ansible-galaxy",
    reading(
      "install, list, search, info, init, collection install, collection list, role install, role list, role init",
    ),
  ],
  ["ansible-vault", reading("view, create")],
  ["ansible-inventory", () => NONE],
  ["ansible-doc", () => NONE],
  [
    "pulumi",
    reading("preview, stack ls, stack, whoami, config, config get, about, logs, version, stack output, plugin ls, new"),
  ],
  ["cdk", reading("synth, synthesize, diff, ls, list, doctor, init, docs, notices, metadata")],
  ["sam", reading("build, validate, local, init, logs, list")],
  ...sameRule("serverless sls", reading("offline, info, logs, package, print, metrics, plugin list, deploy list")),
  ["vagrant", reading("status, up, ssh-config, global-status, validate, version, box list, port, snapshot list, init")],
  ["packer", reading("validate, fmt, inspect, version, init")],
  [
    "heroku",
    reading(
      "logs, ps, apps, apps:info, config, config:get, info, releases, status, whoami, auth:whoami, pg:info, pg:ps, addons, domains, buildpacks, regions, version, local",
    ),
  ],
  ...sameRule(
    "fly flyctl",
    reading(
      "status, logs, list, apps list, info, releases, version, auth whoami, machine list, secrets list, regions list, volumes list, doctor, ips list, scale show, platform regions",
    ),
  ),
  [
    "vercel",
    reading(
      "ls, list, inspect, logs, dev, whoami, env ls, build, teams ls, domains ls, project ls, dns ls, certs ls, link, pull",
    ),
  ],
  ...sameRule("netlify ntl", reading("status, dev, build, open, sites:list, env:list, functions:list, watch, recipes")),
  [
    "firebase",
    reading("emulators:start, serve, projects:list, use, apps:list, functions:log, emulators:exec, hosting:sites:list"),
  ],
  [
    "wrangler",
    reading(
      "dev, tail, whoami, types, init, d1 list, d1 info, kv namespace list, kv:namespace list, r2 bucket list, deployments list, docs, pages dev, check, versions list",
    ),
  ],
  ["railway", reading("status, logs, list, whoami, variables, run")],
  [
    "supabase",
    verbRule({
      valued: "project-ref",
      quiet:
        "status, start, db diff, db lint, db pull, gen types, migration list, migration new, projects list, functions serve, functions list, init, inspect db, db dump, test db, functions new",
      risky: { service: "stop" },
      other: "database",
    }),
  ],
  [
    "stripe",
    reading("listen, logs tail, version, config, status, events list, customers list, products list", "outward"),
  ],
  [
    "vault",
    reading(
      "status, read, list, kv get, kv list, kv metadata get, version, secrets list, auth list, policy list, policy read, token lookup, path-help, operator raft list-peers",
    ),
  ],
  [
    "consul",
    reading(
      "members, info, kv get, catalog, version, validate, monitor, operator raft list-peers, acl token list, intention list",
    ),
  ],
  [
    "nomad",
    reading(
      "status, node status, job status, alloc status, alloc logs, plan, job plan, version, server members, validate, job validate, fmt, ui",
    ),
  ],
  [
    "etcdctl",
    verbRule({
      valued: "endpoints cacert cert key",
      quiet: "get, member list, endpoint health, endpoint status, version, watch, alarm list",
      other: "database",
    }),
  ],
  ...sameRule(
    "kafka-topics kafka-topics.sh kafka-configs.sh kafka-consumer-groups kafka-consumer-groups.sh",
    (command) =>
      hasWord(command.args, "--delete --alter --reset-offsets --delete-offsets --create") ? ["infrastructure"] : NONE,
  ),
  ...sameRule("kafka-console-consumer kafka-console-consumer.sh kcat kafkacat", (command) =>
    hasWord(command.args, "-P") ? ["outward"] : NONE,
  ),
  [
    "rabbitmqctl",
    (command) =>
      /^(?:list_|status|cluster_status|environment|report|ping|version|help|node_health_check)/.test(
        command.args.find((arg) => !arg.value.startsWith("-"))?.value ?? "status",
      )
        ? NONE
        : ["service"],
  ],
  ["flux", reading("get, check, version, logs, tree, diff, stats, events, trace")],
  [
    "argocd",
    reading(
      "app list, app get, app diff, app history, app manifests, app logs, version, cluster list, repo list, proj list, context",
    ),
  ],
  [
    "istioctl",
    reading("analyze, version, proxy-status, proxy-config, ps, pc, validate, verify-install, dashboard, describe"),
  ],
  [
    "velero",
    reading("get, backup get, backup describe, backup logs, restore get, restore describe, version, schedule get"),
  ],
  [
    "restic",
    verbRule({
      valued: "r repo p password-file",
      quiet: "snapshots, ls, find, check, stats, backup, diff, version, list, cat",
      other: "delete",
      dry: "dry-run n",
    }),
  ],
  [
    "borg",
    verbRule({
      valued: "remote-path",
      quiet: "list, info, create, check, diff, key export",
      other: "delete",
      dry: "dry-run n",
    }),
  ],
  ...sameRule(
    "sentry-cli snyk sonar-scanner codecov gitleaks trivy grype syft semgrep hadolint tfsec checkov tflint kubeval kubeconform kube-linter infracost conftest opa dive cosign-verify",
    (command) => (hasWord(command.args, "delete remove") ? ["infrastructure"] : NONE),
  ),
  ...sameRule(
    "cosign cap capistrano kamal dokku caprover eb copilot amplify chalice zappa apex up-deploy surge now shuttle deta encore sst clasp",
    (command) =>
      /^(?:list|ls|status|logs|version|info|show|dev|verify|--version|help|synth|diff|local)$/.test(
        command.args[0]?.value ?? "help",
      )
        ? NONE
        : ["infrastructure"],
  ),
  ...sameRule(
    "ceph rados gluster drbdadm crm pcs hdfs hadoop yarn-admin hbase zkcli.sh zookeeper-shell nodetool influx",
    (command) =>
      command.args.some((arg) =>
        /^-{0,2}(?:rm|rmr|delete|remove|drop|destroy|purge|format|decommission|kill|truncate|stop|start|set|create|put|mv|chmod|chown|skipTrash|repair|out|down|reweight)/i.test(
          arg.value,
        ),
      )
        ? ["infrastructure"]
        : NONE,
  ),
  [
    "tmutil",
    (command) =>
      /^(?:list|latest|destinationinfo|status|machinedirectory|uniquesize)/.test(command.args[0]?.value ?? "status")
        ? NONE
        : ["delete"],
  ],
  ["multipass", reading("list, ls, info, find, version, networks")],
  [
    "virsh",
    (command) =>
      /^(?:list|dominfo|domstate|net-list|pool-list|vol-list|version|nodeinfo|dumpxml)/.test(
        command.args[0]?.value ?? "list",
      )
        ? NONE
        : ["infrastructure"],
  ],
  ...sameRule("vboxmanage qm pct lxc lxd incus xe govc prlctl vmrun limactl colima orb", (command) =>
    /^(?:list|ls|info|showvminfo|config|status|version|show|--version)$/.test(command.args[0]?.value ?? "list")
      ? NONE
      : ["infrastructure"],
  ),
  ["multipassd", always("infrastructure")],
];
