// Judges clients of hosting platforms, secret stores, queues, backups and virtual machines. Reading is allowed;
// changing needs approval.
import { NONE, type Rule, type RuleTable } from "../../model.ts";
import { hasWord, readOptions, wordsOf } from "../../parse/options.ts";
import { always, askOnArg, askOnWord, askUnlessFirst, askUnlessWord } from "../conditions.ts";
import { type Verbs, verbRule } from "../verbs.ts";

export const reading = (
  allow: string,
  other: "infrastructure" | "publish" | "outward" | "database" = "infrastructure",
  secret = "",
): Rule =>
  verbRule({
    credentials: secret,
    valued: "p project e env environment a app r remote t token s scope c config region f file team profile stack",
    allow,
    other,
    dry: "dry-run dryrun",
  });

/** Creates the rule for programs that deploy the working folder if no verb is given. */
const deploysByDefault =
  (allow: string): Rule =>
  (command, context) =>
    command.args.every((arg) => arg.value.startsWith("-")) && !hasWord(command.args, "--version -v --help -h")
      ? ["infrastructure"]
      : reading(allow)(command, context);

const ADB_READS =
  /^(?:devices|logcat|version|get-state|get-serialno|bugreport|help|start-server|forward|reverse|wait-for-device)$/;
const adb: Rule = (command, context) => {
  const words = readOptions(command.args, "s t H P").operands;
  if (words[0]?.value === "shell") {
    if (words.some((arg) => !arg.known)) return ["not_literal"];
    const text = wordsOf(words.slice(1)).join(" ");
    if (text !== "") context.contained().runScript(text, "bash", command);
    return NONE;
  }
  return ADB_READS.test(words[0]?.value ?? "help") ? NONE : ["outward"];
};

/** Creates the rule for backup programs, which may send the files to a repository on another machine. */
const toRemote = (verbs: Verbs): Rule => {
  const rule = verbRule(verbs);
  const remote = /^(?:s3|sftp|rest|b2|azure|gs|swift|rclone|ssh):|^[\w.-]+@[\w.-]+:/i;
  return (command, context) =>
    command.args.some((arg) => remote.test(arg.value.replace(/^--?[\w-]+=/, "")))
      ? ["outward"]
      : rule(command, context);
};

export const platformRules: RuleTable = {
  adb,
  "buildah skopeo crane oras": reading(
    "images, containers, inspect, version, list-tags, manifest, ls, digest, config, catalog, validate",
  ),
  heroku: reading(
    "logs, ps, apps, apps:info, info, releases, status, whoami, auth:whoami, pg:info, pg:ps, addons, domains, buildpacks, regions, version, local",
    "infrastructure",
    // Verbs that print the application's keys and database URLs.
    "config, config:get, pg:credentials:url",
  ),
  "fly flyctl": reading(
    "status, logs, list, apps list, info, releases, version, auth whoami, machine list, secrets list, regions list, volumes list, doctor, ips list, scale show, platform regions",
  ),
  vercel: deploysByDefault(
    "ls, list, inspect, logs, dev, whoami, env ls, build, teams ls, domains ls, project ls, dns ls, certs ls, link, pull",
  ),
  "netlify ntl": reading(
    "status, dev, build, open, sites:list, functions:list, watch, recipes",
    "infrastructure",
    "env:list, env:get",
  ),
  firebase: reading(
    "emulators:start, serve, projects:list, use, apps:list, functions:log, emulators:exec, hosting:sites:list",
  ),
  wrangler: reading(
    "dev, tail, whoami, types, init, d1 list, d1 info, kv namespace list, kv:namespace list, r2 bucket list, deployments list, docs, pages dev, check, versions list",
  ),
  railway: reading("status, logs, list, whoami, variables!"),
  supabase: verbRule({
    valued: "project-ref",
    allow:
      "status, start, db diff, db lint, db pull, gen types, migration list, migration new, projects list, functions serve, functions list, init, inspect db, db dump, test db, functions new",
    service: "stop",
    other: "database",
  }),
  stripe: reading("listen, logs tail, version, config, status, events list, customers list, products list", "outward"),
  vault: reading(
    "status, list, kv list, kv metadata get, version, secrets list, auth list, policy list, policy read, token lookup, path-help, operator raft list-peers",
    "infrastructure",
    "read, kv get, unwrap",
  ),
  consul: reading(
    "members, info, kv get, catalog, version, validate, monitor, operator raft list-peers, acl token list, intention list",
  ),
  nomad: reading(
    "status, node status, job status, alloc status, alloc logs, plan, job plan, version, server members, validate, job validate, fmt, ui",
  ),
  etcdctl: verbRule({
    valued: "endpoints cacert cert key",
    allow: "get, member list, endpoint health, endpoint status, version, watch, alarm list",
    other: "database",
  }),
  "kafka-topics kafka-topics.sh kafka-configs.sh kafka-consumer-groups kafka-consumer-groups.sh": askOnWord(
    "--delete --alter --reset-offsets --delete-offsets --create",
    "infrastructure",
  ),
  "kafka-console-consumer kafka-console-consumer.sh kcat kafkacat": askOnWord("-P", "outward"),
  rabbitmqctl: (command) =>
    /^(?:list_|status|cluster_status|environment|report|ping|version|help|node_health_check)/.test(
      command.args.find((arg) => !arg.value.startsWith("-"))?.value ?? "status",
    )
      ? NONE
      : ["service"],
  flux: reading("get, check, version, logs, tree, diff, stats, events, trace"),
  argocd: reading(
    "app list, app get, app diff, app history, app manifests, app logs, version, cluster list, repo list, proj list, context",
  ),
  istioctl: reading(
    "analyze, version, proxy-status, proxy-config, ps, pc, validate, verify-install, dashboard, describe",
  ),
  velero: reading(
    "get, backup get, backup describe, backup logs, restore get, restore describe, version, schedule get",
  ),
  restic: toRemote({
    valued: "r repo p password-file",
    allow: "snapshots, ls, find, check, stats, diff, version, list, cat",
    outward: "backup, copy",
    other: "delete",
    dry: "dry-run n",
  }),
  borg: toRemote({
    valued: "remote-path",
    allow: "list, info, create, check, diff, key export",
    other: "delete",
    dry: "dry-run n",
  }),
  // The next three rules are for programs that send results or the code itself to a service.
  "sentry-cli": reading("info, releases list, projects list, organizations list, issues list, help", "outward"),
  snyk: reading("test, code test, iac test, container test, config get, whoami, help, version", "outward"),
  "codecov sonar-scanner": askUnlessWord("--help --version --dry-run -d", "outward"),
  "gitleaks trivy grype syft semgrep hadolint tfsec checkov tflint kubeval kubeconform kube-linter infracost conftest opa dive cosign-verify":
    askOnWord("delete remove", "infrastructure"),
  "cosign cap capistrano kamal dokku caprover eb copilot amplify chalice zappa apex up-deploy surge now shuttle deta encore sst clasp":
    askUnlessFirst(
      /^(?:list|ls|status|logs|version|info|show|dev|verify|--version|help|synth|diff|local)$/,
      "infrastructure",
    ),
  "ceph rados gluster drbdadm crm pcs hdfs hadoop yarn-admin hbase zkcli.sh zookeeper-shell nodetool influx": askOnArg(
    /^-{0,2}(?:rm|rmr|delete|remove|drop|destroy|purge|format|decommission|kill|truncate|stop|start|set|create|put|mv|chmod|chown|skipTrash|repair|out|down|reweight)/i,
    "infrastructure",
  ),
  tmutil: askUnlessFirst(/^(?:list|latest|destinationinfo|status|machinedirectory|uniquesize)/, "delete"),
  multipass: reading("list, ls, info, find, version, networks"),
  virsh: askUnlessFirst(
    /^(?:list|dominfo|domstate|net-list|pool-list|vol-list|version|nodeinfo|dumpxml)/,
    "infrastructure",
  ),
  "vboxmanage qm pct lxc lxd incus xe govc prlctl vmrun limactl colima orb": askUnlessFirst(
    /^(?:list|ls|info|showvminfo|config|status|version|show|--version)$/,
    "infrastructure",
  ),
  multipassd: always("infrastructure"),
};
