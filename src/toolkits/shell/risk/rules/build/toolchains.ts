// Judges managers of language versions and toolchains. Listing and choosing are allowed, and removing needs approval. A
// command that they start is judged separately.
import { literal, NONE, type Rule, type RuleTable } from "../../model.ts";
import { afterOptions, readOptions, wordAt } from "../../parse/options.ts";
import { always } from "../conditions.ts";
import { verbRule } from "../verbs.ts";
import { runner } from "./packages.ts";

const VERSIONS = verbRule({
  allow:
    "use, ls, list, ls-remote, list-remote, install, current, which, alias, default, version, versions, global, local, shell, rehash, pin, enable, prepare, env, activate, where, plugin list, plugin add, latest, reshim, trust, init, doctor",
  package: "uninstall, remove, rm, prune, implode, plugin remove, disable, unalias, cache",
  other: "allow",
});

/** Judges the command after `mise exec --` or `nvm exec 20`. */
const versionManager: Rule = (command, context) => {
  const first = wordAt(command.args, 0);
  if (/^(?:npm|npx|pnpm|pnpx|yarn|yarnpkg)$/.test(first)) context.runWords(command.args, command);
  if (!/^(?:exec|x|run)$/.test(first)) return VERSIONS(command, context);
  const dashes = command.args.findIndex((arg) => arg.value === "--");
  const rest = dashes >= 0 ? command.args.slice(dashes + 1) : afterOptions(command.args.slice(1), "using");
  const inner = rest.filter((arg, i) => i > 0 || !/^v?\d[\d.]*$|^lts/.test(arg.value));
  if (inner.length > 0) context.runWords(inner, command);
  return NONE;
};

const nixVerbs = verbRule({
  valued: "f I",
  allow:
    "build, develop, shell, run, flake, search, show-config, eval, fmt, log, repl, why-depends, path-info, store ls, store path-info, hash, doctor, derivation, print-dev-env",
  delete: "store gc, store delete, profile remove, profile wipe-history, collect-garbage",
});

/** `nix develop -c x` starts x, and `nix run github:a/b` downloads and runs the program of that repository. */
const nix: Rule = (command, context) => {
  const starts = command.args.findIndex((arg) => /^(?:-c|--command)$/.test(arg.value));
  if (starts >= 0) context.runWords(command.args.slice(starts + 1), command);
  const [verb, target] = readOptions(starts < 0 ? command.args : command.args.slice(0, starts), "f I").operands;
  if (verb?.value === "run" && /^[\w+-]+:|^[\w-]+\//.test(target?.value ?? "")) return ["remote_code"];
  // A target such as `nixpkgs#jq` names a program of the package collection.
  const named = /^[\w-]+#([\w.-]+)$/.exec(target?.value ?? "")?.[1];
  if (verb?.value === "run" && named) context.runWords([literal(named.replace(/^.*\./, ""))], command);
  return nixVerbs(command, context);
};

export const toolchainRules: RuleTable = {
  rustup: runner(
    "run",
    "",
    {
      allow:
        "show, update, target list, target add, component list, component add, toolchain list, toolchain install, default, which, doc, check, install, override list, override set",
      package:
        "self uninstall, toolchain uninstall, toolchain remove, target remove, component remove, uninstall, override unset",
    },
    1,
  ),
  "nvm fnm volta nodenv n asdf mise pyenv rbenv jenv sdk goenv tfenv rtx corepack": versionManager,
  opam: runner("exec", "switch color root", {
    allow:
      "list, install, update, upgrade, env, switch list, switch show, show, search, init, config, var, lint, pin list",
    other: "package",
  }),
  nix,
  "nix-collect-garbage": always("delete"),
};
