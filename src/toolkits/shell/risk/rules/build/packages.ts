// Judges package managers of systems and of languages other than JavaScript. Installing the dependencies of a project is allowed;
// removing, publishing, and packages from other sources need approval.
import { literal, NONE, type Rule, type RuleTable } from "../../model.ts";
import { afterOptions, anyWord, has, readOptions, valuesOf, wordAt } from "../../parse/options.ts";
import { allowed, always, askUnlessFirst } from "../conditions.ts";
import { runsPackage } from "../shell/run-package.ts";
import { type Verbs, verbRule } from "../verbs.ts";
import { wordsAfter } from "./packages-js.ts";

const PIP =
  "r c i e t target index-url extra-index-url find-links requirement constraint editable trusted-host python prefix root cache-dir proxy log f group extra only-group no-group p directory project with";
const KNOWN_INDEX =
  /^https:\/\/(?:(?:test\.)?pypi\.org|download\.pytorch\.org|pypi\.nvidia\.com)(?:\/|$)|^https?:\/\/(?:localhost|127\.)/;
const pip: Rule = (command, context) => {
  const options = readOptions(command.args, PIP);
  const [verb] = options.operands;
  if (!verb) return NONE;
  if (/^(?:install|download|wheel)$/.test(verb.value)) {
    const odd =
      options.longs.includes("trusted-host") ||
      valuesOf(options, "i index-url extra-index-url").some((value) => !KNOWN_INDEX.test(value)) ||
      [...options.values.values()].flat().some((value) => /^(?:http:|git\+)/.test(value)) ||
      valuesOf(options, "r requirement c constraint e editable f find-links").some((value) => /^https?:/.test(value));
    return odd || anyWord(options.operands, /^(?:https?:|git\+|ssh:)|@ (?:https?|git\+)/) ? ["remote_code"] : NONE;
  }
  return verbRule({
    valued: PIP,
    allow:
      "list, show, freeze, check, search, index, inspect, help, debug, hash, completion, config list, config get, cache list, cache info, cache dir, compile, sync, tree",
    package: "uninstall, remove, cache purge, cache remove",
    environment: "config set, config unset, config edit",
  })(command, context);
};

/** The rule for programs that run a command after a verb, as in `poetry run x`, `uv run x` and `bundle exec x`. */
export const runner =
  (verb: string, valued: string, verbs: Verbs, skip = 0): Rule =>
  (command, context) => {
    const words = afterOptions(command.args, valued);
    if (words[0]?.value !== verb) return verbRule(verbs)(command, context);
    const inner = afterOptions(words.slice(1), valued, skip);
    if (/\.py$/.test(wordAt(inner, 0))) context.runWords([literal("python"), ...inner], command);
    else if (inner.length > 0) context.runWords(inner, command);
    return NONE;
  };

const UV =
  "p python with extra group package directory project env-file from index-url index with-requirements m module";
const uv: Rule = (command, context) => {
  const words = readOptions(command.args, UV).operands;
  if (words[0]?.value === "pip") return pip({ ...command, args: wordsAfter(command, "pip") }, context);
  if (words[0]?.value === "tool" && words[1]?.value === "run")
    return runsPackage({ ...command, args: wordsAfter(command, "run") }, context);
  const module = words[0]?.value === "run" ? command.args.findIndex((arg) => arg.value === "-m") : -1;
  if (module >= 0) {
    context.runWords([literal("python"), ...command.args.slice(module)], command);
    return NONE;
  }
  return runner("run", UV, {
    valued: UV,
    allow:
      "sync, add, lock, venv, init, tree, build, export, version, python list, python install, python find, python pin, tool list, tool install, tool upgrade, cache dir, self version, self update, format",
    package: "remove, tool uninstall, python uninstall, cache clean, cache prune",
    publish: "publish",
  })(command, context);
};

const PIPX = verbRule({
  allow: "list, install, upgrade, upgrade-all, environment, ensurepath, inject",
  package: "uninstall, uninstall-all, uninject",
});

const systemManager: Rule = verbRule({
  valued: "t o c target-release option config-file R root",
  allow:
    "list, search, show, info, policy, depends, rdepends, madison, pkgnames, stats, check, changelog, download, source, repolist, installed, outdated, provides, whatprovides, history, check-update, repoquery, query, status, view, version, deplist, files, contents, what-provides, update-info, index",
  package:
    "remove, purge, autoremove, erase, del, uninstall, autoclean, clean, install, upgrade, dist-upgrade, full-upgrade, add, update, fix, reinstall, downgrade",
  other: "package",
  dry: "s simulate dry-run just-print",
});

export const packageRules: RuleTable = {
  pip,
  "pip-compile npm-check-updates ncu": allowed,
  uv,
  poetry: runner("run", "C directory", {
    valued: "C directory P project",
    allow:
      "install, add, update, build, lock, show, check, shell, init, new, version, env info, env list, env use, config!, search, export, about, list, self show, sync, source show, run",
    package: "remove, cache clear, env remove",
    publish: "publish",
    dry: "dry-run",
  }),
  pipenv: runner("run", "python", {
    valued: "python",
    allow: "install, sync, lock, graph, check, shell, update, verify, requirements, scripts",
    package: "uninstall, clean",
    askOn: ["rm", "package"],
  }),
  pdm: runner("run", "p project", {
    allow: "install, sync, add, lock, list, info, show, build, init, update, use, venv",
    package: "remove, cache clear",
    publish: "publish",
    dry: "dry-run",
  }),
  hatch: runner("run", "e env", {
    allow: "build, test, fmt, version, env show, env create, shell, new, status, dep show, config show",
    package: "env prune, env remove, clean",
    publish: "publish",
    dry: "dry-run",
  }),
  pipx: (command, context) =>
    command.args[0]?.value === "run"
      ? runsPackage({ ...command, args: command.args.slice(1) }, context)
      : PIPX(command, context),
  "conda mamba micromamba": runner("run", "n name p prefix", {
    valued: "n name p prefix c channel f file",
    allow:
      "list, info, create, activate, deactivate, env list, env create, env export, env update, install, search, update, upgrade, config --show, init, doctor, compare",
    package: "remove, uninstall, env remove, clean",
  }),
  bundle: runner("exec", "", {
    allow:
      "install, update, check, outdated, list, show, info, add, lock, config, init, open, platform, version, audit, doctor, package, cache, binstubs",
    package: "clean, remove",
    publish: "release",
  }),
  gem: verbRule({
    valued: "v version",
    askOn: ["s source", "remote_code"],
    allow:
      "list, install, search, build, info, environment, env, outdated, update, which, contents, dependency, specification, fetch, sources",
    package: "uninstall, cleanup, pristine",
    publish: "push, yank, owner",
  }),
  composer: verbRule({
    valued: "d working-dir",
    allow:
      "install, update, require, validate, dump-autoload, dumpautoload, show, outdated, audit, why, why-not, licenses, init, create-project, run, run-script, test, check-platform-reqs, diagnose, fund, about, search, depends, status, u, i, lint, format, analyse, phpstan, cs, stan",
    package: "remove, clear-cache, clearcache, global remove",
  }),
  twine: verbRule({ allow: "check", other: "publish" }),
  "np semantic-release release-it gh-pages vsce ovsx jsr auto-publish": always("publish"),
  changeset: verbRule({ allow: "add, status, version, init", other: "publish" }),
  lerna: runner("exec", "scope ignore since concurrency", {
    allow: "run, bootstrap, ls, list, changed, diff, link, create, info",
    // `lerna version` pushes its commit and its tags.
    publish: "publish, version",
    delete: "clean",
  }),
  "apt apt-get aptitude dnf yum zypper apk microdnf tdnf pkg emerge xbps-install xbps-remove opkg port nix-env guix":
    systemManager,
  "apt-cache apt-file dpkg-query rpmquery apt-mark-show pkgutil xbps-query nix-store-q": allowed,
  dpkg: (command) =>
    has(
      readOptions(command.args),
      "l L s S p list listfiles status search print-avail get-selections print-architecture c contents I info",
    ) && !has(readOptions(command.args), "i r P install remove purge")
      ? NONE
      : ["package"],
  rpm: (command) =>
    has(readOptions(command.args), "q query V verify") && !has(readOptions(command.args), "e erase U i-upgrade F")
      ? NONE
      : ["package"],
  "pacman yay paru": askUnlessFirst(/^-(?:Q|Ss|Si|Sl|Sg|F|T)|^--(?:query|version)/, "package"),
  snap: verbRule({ allow: "list, find, info, version, changes, services, connections", other: "package" }),
  flatpak: verbRule({ allow: "list, search, info, remotes, history", other: "package" }),
  brew: verbRule({
    valued: "",
    allow:
      "install, list, ls, info, search, update, upgrade, doctor, outdated, deps, uses, desc, home, log, config, tap, leaves, services list, services info, fetch, audit, livecheck, cat, commands, shellenv, bundle, bundle check, bundle list, missing, options, style, test, readall, cask list, --prefix, pin, reinstall, link",
    package: "uninstall, remove, rm, cleanup, autoremove, untap, unlink, bundle cleanup",
    service: "services start, services stop, services restart, services run, services cleanup",
  }),
  "choco winget scoop": verbRule({
    allow: "list, search, info, show, outdated, status, source list, export, find, which, bucket list",
    other: "package",
  }),
};
