// Package managers: installing what a project asks for is ordinary; removing, publishing and foreign sources ask.
import type { Rule, Scope, SimpleCommand } from "./model.ts";
import { always, literal, NONE, sameRule } from "./model.ts";
import { afterOptions, has, readOptions } from "./options.ts";
import type { RiskCode } from "./reasons.ts";
import { taskRisks } from "./scripts.ts";
import { verbRule } from "./verbs.ts";
import { runsPackage } from "./wrappers.ts";

// A package named by address runs whatever lies there.
const ADDRESS =
  /^(?:https?:|git\+|git:|git@|ssh:|github:|gitlab:|bitbucket:|gist:)|^[\w-]+\/[\w.-]+(?:#|$)(?<!\.(?:txt|whl|gz|tgz|toml))/;
const NODE = "C prefix filter F w workspace registry loglevel cwd dir scope userconfig cache tag otp";

const JS_QUIET =
  "test, t, start, stop-not, ls, list, la, ll, outdated, audit, view, info, show, v, search, find, version, pack, link, init, create, ping, whoami, root, prefix, bin, doctor, fund, explain, why, dedupe, rebuild, rb, help, completion, query, sbom, diff, docs, repo, home, bugs, browse, config get, config list, config ls, get, cache verify, cache ls, cache dir, cache list, shrinkwrap, import, set version, stage, workspaces list, workspaces info, versions, licenses, licenses list, check, policies, pm ls, pm bin, pm cache, env list, store path, store status, fetch, install-test, it, ci-test, build, upgrade --check";
const JS_RISKY: Readonly<Partial<Record<RiskCode, string>>> = {
  publish:
    "publish, unpublish, deprecate, dist-tag add, dist-tag rm, dist-tags add, dist-tags rm, owner add, owner rm, npm publish, npm tag add, npm tag remove, access, team, org, hook, star, unstar",
  package:
    "uninstall, un, unlink, remove, rm, r, prune, cache clean, cache clear, cache rm, store prune, cache delete, autoclean, pm cache rm, patch-remove, global remove, env remove, env rm",
  credentials: "login, logout, adduser, add-user, token, profile, npm login, npm logout, set-script",
  environment: "config set, config delete, config rm, config edit, config fix, set, edit, config unset, c set",
};

function jsManager(scriptsWithoutRun: boolean): Rule {
  const verbs = verbRule({ valued: NODE, quiet: JS_QUIET, risky: JS_RISKY, other: "unknown_command" });
  return (command, scope) => {
    const words = afterOptions(command.args, NODE).filter((arg) => !/^-/.test(arg.value));
    const [verb, next] = words;
    if (!verb) return NONE;
    if (!verb.known) return ["not_literal"];
    const name = verb.value.toLowerCase();
    if (/^(?:run|run-script|rum|urn|task|workspace)$/.test(name))
      return runTask(name === "workspace" ? (words[2]?.value === "run" ? words[3] : words[2]) : next, command);
    if (/^(?:exec|x|dlx)$/.test(name)) return runsPackage({ ...command, args: after(command, verb.value) }, scope);
    if (/^(?:install|i|in|ins|add|ci|clean-install|update|up|upgrade|isntall|global)$/.test(name))
      return addRisks(command);
    if (
      /^(?:build|dev|lint|format|check|typecheck|watch|serve|preview|clean|coverage)$/.test(name) &&
      scriptsWithoutRun
    )
      return NONE;
    const risks = verbs(command, scope);
    return scriptsWithoutRun && risks[0] === "unknown_command" ? scriptOrTool(verb.value, command, scope) : risks;
  };
}

const after = (command: SimpleCommand, verb: string): SimpleCommand["args"] => {
  const rest = command.args.slice(command.args.findIndex((arg) => arg.value === verb) + 1);
  return rest[0]?.value === "--" ? rest.slice(1) : rest;
};

/** `yarn build` is a script of the project; `yarn rimraf x` is a program: both readings must be quiet. */
function scriptOrTool(verb: string, command: SimpleCommand, scope: Scope): readonly RiskCode[] {
  if (
    /^(?:rimraf|del-cli|trash|kill-port|fkill|prisma|wrangler|vercel|netlify|firebase|serverless|sls|cdk|sequelize|sequelize-cli|knex|typeorm|changeset|lerna|semantic-release|np|release-it|gh-pages|concurrently|cross-env|nodemon|node|tsx|ts-node|supabase|drizzle-kit|pm2|shx|eas|expo)$/.test(
      verb,
    )
  ) {
    scope.runWords([literal(verb), ...after(command, verb)], command);
    return NONE;
  }
  return taskRisks(verb, command);
}

const runTask = (task: SimpleCommand["args"][number] | undefined, command: SimpleCommand): readonly RiskCode[] => {
  if (!task) return NONE;
  return task.known ? taskRisks(task.value, command) : ["not_literal"];
};

function addRisks(command: SimpleCommand): readonly RiskCode[] {
  return command.args.some((arg) => ADDRESS.test(arg.value)) ? ["remote_code"] : NONE;
}

const PIP =
  "r c i e t target index-url extra-index-url find-links requirement constraint editable trusted-host python prefix root cache-dir proxy log f group extra only-group no-group p directory project with";
const pip: Rule = (command, scope) => {
  const options = readOptions(command.args, PIP);
  const [verb] = options.operands;
  if (!verb) return NONE;
  if (/^(?:install|download|wheel)$/.test(verb.value)) {
    const odd =
      options.longs.includes("trusted-host") ||
      [...options.values.values()].flat().some((value) => /^http:/.test(value) || /^git\+/.test(value));
    return odd || options.operands.some((arg) => /^(?:https?:|git\+|ssh:)|@ (?:https?|git\+)/.test(arg.value))
      ? ["remote_code"]
      : NONE;
  }
  return verbRule({
    valued: PIP,
    quiet:
      "list, show, freeze, check, search, index, inspect, help, debug, hash, completion, config list, config get, cache list, cache info, cache dir, compile, sync, tree",
    risky: {
      package: "uninstall, remove, cache purge, cache remove",
      environment: "config set, config unset, config edit",
    },
    other: "unknown_command",
  })(command, scope);
};

/** poetry run x, uv run x, bundle exec x: the rest is a command. */
const runner =
  (verbs: RegExp, valued: string, otherwise: Rule): Rule =>
  (command, scope) => {
    const words = afterOptions(command.args, valued);
    if (!verbs.test(words[0]?.value ?? "")) return otherwise(command, scope);
    const inner = afterOptions(words.slice(1), valued);
    if (/\.py$/.test(inner[0]?.value ?? "")) scope.runWords([literal("python"), ...inner], command);
    else if (inner.length > 0) scope.runWords(inner, command);
    return NONE;
  };

const UV =
  "p python with extra group package directory project env-file from index-url index with-requirements m module";
const uv: Rule = (command, scope) => {
  const words = readOptions(command.args, UV).operands;
  if (words[0]?.value === "pip") return pip({ ...command, args: after(command, "pip") }, scope);
  if (words[0]?.value === "tool" && words[1]?.value === "run")
    return runsPackage({ ...command, args: after(command, "run") }, scope);
  if (words[0]?.value === "run" && command.args.some((arg) => arg.value === "-m")) {
    scope.runWords(
      [literal("python"), ...command.args.slice(command.args.findIndex((arg) => arg.value === "-m"))],
      command,
    );
    return NONE;
  }
  return runner(
    /^run$/,
    UV,
    verbRule({
      valued: UV,
      quiet:
        "sync, add, lock, venv, init, tree, build, export, version, python list, python install, python find, python pin, tool list, tool install, tool upgrade, cache dir, self version, self update, format",
      risky: { package: "remove, tool uninstall, python uninstall, cache clean, cache prune", publish: "publish" },
      other: "unknown_command",
    }),
  )(command, scope);
};

const systemManager: Rule = verbRule({
  valued: "t o c target-release option config-file R root",
  quiet:
    "list, search, show, info, policy, depends, rdepends, madison, pkgnames, stats, check, changelog, download, source, repolist, provides, whatprovides, history, check-update, repoquery, query, status, view, version, deplist, files, contents, what-provides, update-info, index",
  risky: {
    package:
      "remove, purge, autoremove, erase, del, uninstall, autoclean, clean, install, upgrade, dist-upgrade, full-upgrade, add, update, fix, reinstall, downgrade",
  },
  other: "package",
  dry: "s simulate dry-run just-print",
});

export const packageRules: readonly [string, Rule][] = [
  ["npm", jsManager(false)],
  ...sameRule("yarn pnpm bun yarnpkg cnpm", jsManager(true)),
  ...sameRule("pip", pip),
  ["pip-compile", () => NONE],
  ["uv", uv],
  [
    "poetry",
    runner(
      /^run$/,
      "C directory",
      verbRule({
        valued: "C directory P project",
        quiet:
          "install, add, update, build, lock, show, check, shell, init, new, version, env info, env list, env use, config, search, export, about, list, self show, sync, source show, run",
        risky: { package: "remove, cache clear, env remove", publish: "publish" },
        other: "unknown_command",
      }),
    ),
  ],
  [
    "pipenv",
    runner(
      /^run$/,
      "python",
      verbRule({
        valued: "python",
        quiet: "install, sync, lock, graph, check, shell, update, verify, requirements, scripts",
        risky: { package: "uninstall, clean" },
        other: "unknown_command",
        askOn: ["rm", "package"],
      }),
    ),
  ],
  [
    "pdm",
    runner(
      /^run$/,
      "p project",
      verbRule({
        quiet: "install, sync, add, lock, list, info, show, build, init, update, use, venv",
        risky: { package: "remove, cache clear", publish: "publish" },
        other: "unknown_command",
      }),
    ),
  ],
  [
    "hatch",
    runner(
      /^run$/,
      "e env",
      verbRule({
        quiet: "build, test, fmt, version, env show, env create, shell, new, status, dep show, config show",
        risky: { package: "env prune, env remove, clean", publish: "publish" },
        other: "unknown_command",
      }),
    ),
  ],
  [
    "pipx",
    verbRule({
      quiet: "list, install, upgrade, upgrade-all, environment, ensurepath, inject, run",
      risky: { package: "uninstall, uninstall-all, uninject" },
      other: "unknown_command",
    }),
  ],
  ...sameRule(
    "conda mamba micromamba",
    runner(
      /^run$/,
      "n name p prefix",
      verbRule({
        valued: "n name p prefix c channel f file",
        quiet:
          "list, info, create, activate, deactivate, env list, env create, env export, env update, install, search, update, upgrade, config --show, init, doctor, compare",
        risky: { package: "remove, uninstall, env remove, clean" },
        other: "unknown_command",
      }),
    ),
  ),
  [
    "bundle",
    runner(
      /^exec$/,
      "",
      verbRule({
        quiet:
          "install, update, check, outdated, list, show, info, add, lock, config, init, open, platform, version, audit, doctor, package, cache, binstubs",
        risky: { package: "clean, remove", publish: "release" },
        other: "unknown_command",
      }),
    ),
  ],
  [
    "gem",
    verbRule({
      valued: "v version",
      quiet:
        "list, install, search, build, info, environment, env, outdated, update, which, contents, dependency, specification, fetch, sources",
      risky: { package: "uninstall, cleanup, pristine", publish: "push, yank, owner" },
      other: "unknown_command",
    }),
  ],
  [
    "composer",
    verbRule({
      valued: "d working-dir",
      quiet:
        "install, update, require, validate, dump-autoload, dumpautoload, show, outdated, audit, why, why-not, licenses, init, create-project, run, run-script, test, check-platform-reqs, diagnose, fund, about, search, depends, status, u, i, lint, format, analyse, phpstan, cs, stan",
      risky: { package: "remove, clear-cache, clearcache, global remove" },
      other: "unknown_command",
    }),
  ],
  ...sameRule(
    "apt apt-get aptitude dnf yum zypper apk microdnf tdnf pkg emerge xbps-install xbps-remove opkg port nix-env guix",
    systemManager,
  ),
  ...sameRule("apt-cache apt-file dpkg-query rpmquery apt-mark-show pkgutil xbps-query nix-store-q", () => NONE),
  [
    "dpkg",
    (command) =>
      has(
        readOptions(command.args),
        "l L s S p list listfiles status search print-avail get-selections print-architecture c contents I info",
      ) && !has(readOptions(command.args), "i r P install remove purge")
        ? NONE
        : ["package"],
  ],
  [
    "rpm",
    (command) =>
      has(readOptions(command.args), "q query V verify") && !has(readOptions(command.args), "e erase U i-upgrade F")
        ? NONE
        : ["package"],
  ],
  ...sameRule("pacman yay paru", (command) =>
    /^-(?:Q|Ss|Si|Sl|Sg|F|T)|^--(?:query|version)/.test(command.args[0]?.value ?? "-Q") ? NONE : ["package"],
  ),
  ["snap", verbRule({ quiet: "list, find, info, version, changes, services, connections", other: "package" })],
  ["flatpak", verbRule({ quiet: "list, search, info, remotes, history", other: "package" })],
  [
    "brew",
    verbRule({
      valued: "",
      quiet:
        "install, list, ls, info, search, update, upgrade, doctor, outdated, deps, uses, desc, home, log, config, tap, leaves, services list, services info, fetch, audit, livecheck, cat, commands, shellenv, bundle, bundle check, bundle list, missing, options, style, test, readall, cask list, --prefix, pin, reinstall, link",
      risky: {
        package: "uninstall, remove, rm, cleanup, autoremove, untap, unlink, bundle cleanup",
        service: "services start, services stop, services restart, services run, services cleanup",
      },
      other: "unknown_command",
    }),
  ],
  ...sameRule(
    "choco winget scoop",
    verbRule({
      quiet: "list, search, info, show, outdated, status, source list, export, find, which, bucket list",
      other: "package",
    }),
  ),
  [
    "rustup",
    verbRule({
      quiet:
        "show, update, target list, target add, component list, component add, toolchain list, toolchain install, default, which, doc, check, install, override list, override set, run",
      risky: {
        package:
          "self uninstall, toolchain uninstall, toolchain remove, target remove, component remove, uninstall, override unset",
      },
      other: "unknown_command",
    }),
  ],
  ...sameRule(
    "nvm fnm volta nodenv n asdf mise pyenv rbenv jenv sdk goenv tfenv rtx corepack",
    verbRule({
      quiet:
        "use, ls, list, ls-remote, list-remote, install, current, which, alias, default, version, versions, global, local, shell, rehash, pin, enable, prepare, env, activate, where, plugin list, plugin add, latest, reshim, trust, run, exec, init, doctor",
      risky: { package: "uninstall, remove, rm, prune, implode, plugin remove, disable, unalias, cache" },
      other: "quiet",
    }),
  ),
  ["twine", verbRule({ quiet: "check", other: "publish" })],
  ["npm-check-updates", () => NONE],
  ["ncu", () => NONE],
  ...sameRule("np semantic-release release-it gh-pages vsce ovsx jsr auto-publish", always("publish")),
  ["changeset", verbRule({ quiet: "add, status, version, init", other: "publish" })],
  [
    "lerna",
    verbRule({
      quiet: "run, bootstrap, ls, list, changed, diff, version, link, create, info, exec",
      risky: { publish: "publish", delete: "clean" },
      other: "unknown_command",
    }),
  ],
];
