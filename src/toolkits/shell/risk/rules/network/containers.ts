// Judges Docker and Kubernetes. Reading and building are allowed; running as root, stopping, removing, and mounting
// folders of the host need approval.
import { isUrl } from "../../capabilities/addresses.ts";
import { literal, NONE, type RiskContext, type Rule, type RuleTable, type SimpleCommand } from "../../model.ts";
import { afterOptions, has, readOptions, valuesOf, wordAt } from "../../parse/options.ts";
import type { RiskCode } from "../../reasons.ts";
import { isDry, verbRule } from "../verbs.ts";

const GLOBAL = "H c l context host log-level config url connection";
const RUN =
  "a c e h l m p u v w name env env-file publish volume mount network net user workdir entrypoint hostname label memory cpus platform restart expose link add-host cap-add cap-drop security-opt device dns gpus ip log-driver log-opt pid ipc uts userns shm-size ulimit tmpfs cidfile detach-keys index project-name file f n scale pull cpu-shares group-add stop-timeout volumes-from runtime";

const HOST_MOUNT =
  /^(?:type=bind,)?(?:source=|src=)?(?:\/|\/(?:etc|root|home|var|usr|boot|dev|proc|sys)(?:\/[^:,]*)?|~|\$HOME|\/var\/run\/docker\.sock|\/run\/docker\.sock)(?::|,|$)/;

function runRisks(command: SimpleCommand, args: SimpleCommand["args"], context: RiskContext): readonly RiskCode[] {
  const inner = afterOptions(args, RUN, 0);
  const options = readOptions(args.slice(0, args.length - inner.length), RUN);
  // The first word is the image or the container.
  const words = inner.slice(1);
  if (inner[0] && !inner[0].known && inner[0].wild !== "no") return ["not_literal"];
  const codes: RiskCode[] = [];
  if (has(options, "privileged device")) codes.push("privilege");
  if (
    valuesOf(options, "pid ipc userns uts net network").some((value) => value === "host") &&
    has(options, "pid ipc userns")
  )
    codes.push("privilege");
  // A container that shares a network reaches services that listen only on this machine, such as this server's API.
  if (valuesOf(options, "net network").some((value) => /^(?:host|container:|ns:)/.test(value))) codes.push("outward");
  // The program of the image receives a URL, and what it does with the URL is unknown.
  if (words[0]?.value.startsWith("-") && words.some((word) => isUrl(word.value))) codes.push("outward");
  if (valuesOf(options, "cap-add security-opt").length > 0) codes.push("privilege");
  if (valuesOf(options, "v volume mount").some((value) => HOST_MOUNT.test(value))) codes.push("privilege");
  const [entry] = valuesOf(options, "entrypoint");
  const runsWords = valuesOf(options, "entrypoint").some((value) => /^(?:rm|sh|bash|python\d?|node|perl)$/.test(value));
  if (runsWords && words.length > 0) {
    runInside([literal(entry ?? ""), ...words], command, context);
  } else if (words.length > 0 && !words[0]?.value.startsWith("-")) runInside(words, command, context);
  return codes;
}

/** The Docker daemon and most images run as root, but podman runs as the calling user. */
function runsAsRoot(program: string, args: SimpleCommand["args"]): boolean {
  const options = readOptions(args.slice(0, args.length - afterOptions(args, RUN, 0).length), RUN);
  return program !== "podman" && !valuesOf(options, "u user").some((user) => !/^(?:0|root)(?::|$)/.test(user));
}

/** Judges a command inside a container, where root has power only over the container and programs may be unknown. */
const runInside = (words: SimpleCommand["args"], command: SimpleCommand, context: RiskContext): void =>
  context.contained().runWords(words, command);

const DOCKER = verbRule({
  valued: `${GLOBAL} f t n filter format tail since until file tag build-arg target platform project-name profile progress o output`,
  allow:
    "ps, ls, images, logs, build, pull, inspect, stats, top, version, info, search, history, events, port, diff, tag, start, load, import, wait, attach, container ls, container list, container ps, container inspect, container logs, container stats, container top, container port, container start, container diff, image ls, image list, image inspect, image history, image pull, image build, image tag, image load, volume ls, volume list, volume inspect, volume create, network ls, network list, network inspect, network create, network connect, system df, system info, system events, context ls, context show, context inspect, buildx ls, buildx inspect, buildx build, buildx create, buildx use, buildx du, buildx version, buildx bake, builder ls, manifest inspect, compose ps, compose ls, compose logs, compose config, compose build, compose pull, compose images, compose top, compose port, compose version, compose events, compose convert, scout, plugin ls, node ls, service ls, service ps, service logs, service inspect, stack ls, stack ps, stack services, secret ls, config ls, trust inspect, checkpoint ls, machine ls, machine list, machine inspect, machine info, pod ps, pod ls, pod inspect, generate kube, healthcheck run, init, config",
  delete:
    "rm, rmi, container rm, container prune, image rm, image prune, volume rm, volume remove, volume prune, network rm, network prune, system prune, builder prune, buildx prune, buildx rm, compose rm, compose down, secret rm, config rm, stack rm, service rm, node rm, context rm, plugin rm, system reset, machine rm, pod rm, down, container remove, image remove, network remove, manifest rm, plugin remove, stack down",
  container:
    "stop, kill, restart, pause, unpause, update, rename, commit, cp, container stop, container kill, container restart, container pause, container update, container cp, container commit, compose stop, compose kill, compose restart, compose pause, compose cp, network disconnect, swarm, service update, service scale, service create, stack deploy, node update, machine stop, machine start, compose exec, compose scale, compose up, compose start, compose create, compose watch, up",
  credentials: "login, logout",
  // Verbs that send later commands to another machine.
  environment: "context use",
  publish: "push, image push, compose push, manifest push, compose publish, buildx imagetools, trust sign",
});

const docker: Rule = (command, context) => {
  const rest = afterOptions(command.args, GLOBAL);
  const words = rest.map((arg) => arg.value.toLowerCase());
  const compose = words[0] === "compose";
  const offset = compose || words[0] === "container" ? 1 : 0;
  const composeRest = compose
    ? afterOptions(rest.slice(1), "f p file project-name profile env-file project-directory ansi")
    : rest.slice(offset);
  const verb = composeRest[0]?.value.toLowerCase();
  if (verb === "exec") return runRisks(command, composeRest.slice(1), context);
  if (verb === "run" || (verb === "create" && !compose)) {
    const inner = composeRest.slice(1);
    const root = runsAsRoot(command.name, inner) ? (["container"] as const) : NONE;
    return [...root, ...runRisks(command, inner, context)];
  }
  if (words.some((word) => word === "--push")) return ["publish"];
  // An export without a file name is written to the screen or to a pipe.
  if (/^(?:save|export)$/.test(verb ?? ""))
    return words.some((word) => /^(?:-o|--output)/.test(word)) ? ["overwrite"] : NONE;
  const clean = compose ? [literal("compose"), ...composeRest] : rest;
  return DOCKER({ ...command, args: clean }, context);
};

const compose: Rule = (command, context) =>
  docker({ ...command, args: [literal("compose"), ...command.args] }, context);

const KUBE =
  "n namespace l selector o output f filename context cluster user kubeconfig c container tail since as s server field-selector k kustomize request-timeout sort-by template p patch type replicas image dry-run timeout";
const KUBECTL = verbRule({
  valued: KUBE,
  allow:
    "get, describe, logs, top, explain, version, api-resources, api-versions, cluster-info, diff, auth can-i, auth whoami, wait, rollout status, rollout history, config view, config current-context, config get-contexts, config get-clusters, config get-users, kustomize, events, completion, options, plugin list, whoami, status, projects",
  // Verbs that open a connection into the cluster or use its credentials.
  outward: "port-forward, proxy",
  infrastructure:
    "delete, apply, create, replace, patch, edit, scale, drain, cordon, uncordon, taint, label, annotate, set, autoscale, expose, run, rollout undo, rollout restart, rollout pause, rollout resume, cp, attach, debug, certificate, config set-context, config use-context, config delete-context, config set, config unset, config delete-cluster, adm, login, logout, project, new-project, new-app, start-build",
});

const kubectl: Rule = (command, context) => {
  const options = readOptions(command.args, KUBE);
  if (isDry(options, "dry-run") && !options.operands.some((arg) => arg.wild !== "no")) return NONE;
  const verb = options.operands[0]?.value;
  // A plain list shows only the names of secrets. Other output formats show their values.
  const kind = wordAt(options.operands, 1);
  if (
    verb === "get" &&
    /(?:^|,)secrets?(?:[,/]|$)/i.test(kind) &&
    valuesOf(options, "o output template").some((form) => !/^(?:name|wide)$/.test(form))
  )
    return ["credentials"];
  if (verb !== "exec") return KUBECTL(command, context);
  const dashes = command.args.findIndex((arg) => arg.value === "--");
  const words = dashes >= 0 ? command.args.slice(dashes + 1) : options.operands.slice(2);
  if (words.length > 0) runInside(words, command, context);
  return NONE;
};

export const containerRules: RuleTable = {
  "docker podman nerdctl": docker,
  "docker-compose podman-compose": compose,
  "kubectl oc k3s-kubectl microk8s.kubectl": kubectl,
  helm: verbRule({
    valued: "n namespace f values set set-string version kube-context kubeconfig repo o output timeout",
    allow:
      "list, ls, status, get, template, lint, show, inspect, search, repo add, repo update, repo list, repo index, dependency, dep, version, history, hist, diff, env, pull, fetch, package, create, verify, plugin list, test, completion",
    infrastructure: "install, upgrade, uninstall, delete, del, un, rollback",
    publish: "push, registry",
    delete: "repo remove, repo rm, plugin uninstall",
    dry: "dry-run",
  }),
  helmfile: verbRule({
    valued: "f e l",
    allow: "list, status, template, lint, diff, deps, build, fetch, repos, version",
    other: "infrastructure",
  }),
  kind: verbRule({ valued: "name", allow: "get, create, version, load, export, build", other: "infrastructure" }),
  minikube: verbRule({
    valued: "p profile",
    allow:
      "status, start, ip, logs, version, service, dashboard, addons list, profile list, docker-env, kubectl, image ls, tunnel",
    other: "infrastructure",
  }),
  k3d: verbRule({ allow: "cluster list, cluster create, version, node list, image import", other: "infrastructure" }),
  skaffold: verbRule({ allow: "build, dev, diagnose, render, version, config, schema", other: "infrastructure" }),
  crictl: verbRule({ allow: "ps, images, logs, inspect, pods, info, stats, version", other: "container" }),
};
