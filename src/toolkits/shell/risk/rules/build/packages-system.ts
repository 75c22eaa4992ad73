// Judges system package managers. Queries are allowed; installing and removing need approval.
import { NONE, type Rule, type RuleTable } from "../../model.ts";
import { has, readOptions } from "../../parse/options.ts";
import { allowed, askUnlessFirst } from "../conditions.ts";
import { verbRule } from "../verbs.ts";

const systemManager: Rule = verbRule({
  valued: "t o c target-release option config-file R root",
  allow:
    "list, search, show, info, policy, depends, rdepends, madison, pkgnames, stats, check, changelog, download, source, repolist, installed, outdated, provides, whatprovides, history, check-update, repoquery, query, status, view, version, deplist, files, contents, what-provides, update-info, index",
  package:
    "remove, purge, autoremove, erase, del, uninstall, autoclean, clean, install, upgrade, dist-upgrade, full-upgrade, add, update, fix, reinstall, downgrade",
  other: "package",
  dry: "s simulate dry-run just-print",
});

export const systemPackageRules: RuleTable = {
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
