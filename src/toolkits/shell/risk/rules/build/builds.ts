// Judges build and task tools. Building and testing are allowed; tasks whose names suggest lasting harm or publishing
// need approval.

import { type Arg, NONE, type Rule, type RuleTable } from "../../model.ts";
import { has, hasWord, readOptions, valuesOf, wordsOf } from "../../parse/options.ts";
import { isLocal, isTemporary } from "../../parse/paths.ts";
import { always, askOnLine, askOnWord } from "../conditions.ts";
import { scriptRisks, taskRisks } from "../scripts.ts";
import { isPlainTool, isToolVariable } from "../shell/environment.ts";
import { verbRule } from "../verbs.ts";
import { jvmRules } from "./jvm-builds.ts";

/** Creates the rule for programs that take every operand as a task name. */
const tasks =
  (valued = ""): Rule =>
  (command) => {
    const options = readOptions(command.args, valued);
    const { operands } = options;
    if (operands.some((arg) => arg.wild !== "no")) return ["not_literal"];
    // The files and folders that may define the tasks. Operands are included, because a task name never looks like a
    // temporary path. In a world-writable folder, anyone may have added tasks.
    const places = [...valuesOf(options, "C d f file directory justfile taskfile"), ...wordsOf(operands)];
    if (places.some(isTemporary)) return ["script"];
    const named = [...valuesOf(options, "t target targets"), ...wordsOf(operands)];
    return named.flatMap((task) => taskRisks(task, command));
  };

const make: Rule = (command, context) => {
  const options = readOptions(
    command.args,
    "f C I j o W file makefile directory include-dir jobs eval old-file what-if",
  );
  const files = valuesOf(options, "f file makefile");
  if (has(options, "E eval")) return ["code"];
  if (valuesOf(options, "C directory").some(isTemporary)) return ["code"];
  if (files.some((file) => /^(?:-$|<\()/.test(file) || !isLocal(file) || isTemporary(file))) return ["code"];
  if (command.args.some(setsProgram)) return ["code"];
  if (has(options, "n just-print dry-run q question p print-data-base")) return NONE;
  context.seen.script = command.text;
  return tasks("f C I j o W file directory jobs")(command, context);
};

// Variables whose value is a program that recipes run.
const PROGRAM_VARIABLE = /^(?:\.?SHELL\w*|MAKE\w*|\w*(?:CMD|COMMAND|EXEC|TOOL|WRAPPER|LAUNCHER|RUNNER|EDITOR|PAGER))$/;
const FLAGS = /^(?:-{1,2}[\w.=:,+/@-]+(?:\s+|$))+$/;
const CODE_FLAG = /-(?:wrapper|fplugin|specs|B|load|Xclang|exec|toolexec)/;

/** True if a value becomes part of what the recipes run, as in `make CC='sh -c id'`. */
function setsProgram({ value, known }: Arg): boolean {
  const match = /^(\.?[A-Za-z_]\w*)[:+?!]?=(.*)$/s.exec(value);
  if (!match) return false;
  const [, name = "", text = ""] = match;
  if (PROGRAM_VARIABLE.test(name)) return true;
  if (isToolVariable(name)) return !isPlainTool(text);
  if (!known) return /\$\(|`/.test(text);
  return !(/^[\w.,:+@%/=-]*$/.test(text) || FLAGS.test(text)) || CODE_FLAG.test(text);
}

/** In `bazel run //tools:deploy`, the name of the target is the name of the task. */
const bazel: Rule = (command, context) =>
  hasWord(command.args, "--expunge --expunge_async") ? ["delete"] : tasks()(command, context);

const cargo: Rule = (command, context) => {
  const words = readOptions(
    command.args,
    "p j Z F package features target manifest-path bin example config color profile",
  ).operands;
  const verb = (words[0]?.value.startsWith("+") ? words[1] : words[0])?.value;
  if (
    valuesOf(readOptions(command.args, "config"), "config").some((value) => /runner|linker|rustc|wrapper/.test(value))
  )
    return ["code"];
  if (verb === "run") context.seen.script = command.text;
  if (verb === "install" && has(readOptions(command.args), "git")) return ["remote_code"];
  const rest = words[0]?.value.startsWith("+") ? command.args.filter((arg) => arg !== words[0]) : command.args;
  const dashes = rest.findIndex((arg) => arg.value === "--");
  const own = { ...command, args: dashes < 0 ? rest : rest.slice(0, dashes) };
  return cargoVerbs(own, context);
};
const cargoVerbs = verbRule({
  valued: "p j Z F package features target manifest-path bin example config color profile",
  allow:
    "build, b, test, t, check, c, run, r, clippy, fmt, doc, d, add, update, tree, bench, new, init, metadata, version, search, fetch, vendor, expand, nextest, watch, audit, outdated, install, clean, fix, generate-lockfile, info, locate-project, pkgid, read-manifest, rustc, rustdoc, verify-project, deny, llvm-cov, tarpaulin, machete, udeps, criterion, miri, package, make, component, bloat, hack, leptos, tauri, wasm-pack, sort, msrv, mutants, insta, binstall, license, geiger, flamegraph, zigbuild, cross, ndk, lambda build, lambda watch, shuttle run, sqlx migrate run, sqlx prepare",
  publish: "publish, yank, owner, release, lambda deploy, shuttle deploy",
  credentials: "login, logout",
  package: "remove, rm, uninstall, cache",
  dry: "dry-run",
});

// Publishers of widely used tools.
const GO_KNOWN =
  /^(?:golang\.org|github\.com\/(?:golang|golangci|google|swaggo|vektra|air-verse|cosmtrek|a-h|sqlc-dev|pressly|onsi))\//;
const GO_VERBS = /^(?:build|test|vet|fmt|mod|get|install|list|version|doc|generate|tool|work|bug|fix|help|telemetry)$/;
const go: Rule = (command, context) => {
  const words = wordsOf(command.args);
  const [verb] = words;
  if (hasWord(command.args, "-exec -toolexec -overlay -vettool --exec --toolexec --vettool")) return ["code"];
  if (verb === "run") {
    context.seen.script = command.text;
    const target = words.slice(1).find((word) => !word.startsWith("-")) ?? "";
    return /^[\w-]+\.[\w.-]+\/.*@/.test(target) && !GO_KNOWN.test(target) ? ["remote_code"] : NONE;
  }
  if (verb === "env") return hasWord(command.args, "-w -u") ? ["environment"] : NONE;
  if (verb === "clean") return hasWord(command.args, "-modcache -cache -fuzzcache") ? ["delete"] : NONE;
  return GO_VERBS.test(verb ?? "help") ? NONE : ["unknown_command"];
};

const cmake: Rule = (command, context) => {
  const words = wordsOf(command.args);
  const [first, action = ""] = words;
  if (first === "-E") {
    if (action === "env" || action === "time") return ["code"];
    const changes = /^(?:rm|remove|remove_directory|rename|copy|copy_directory|tar|create_symlink|touch)$/.test(action);
    return changes ? ["delete"] : NONE;
  }
  const script = words.indexOf("-P");
  if (script >= 0) return scriptRisks(words[script + 1] ?? "", command, context);
  return words.includes("--install") ? ["overwrite"] : NONE;
};

const dotnet: Rule = (command, context) => {
  const words = readOptions(command.args, "p c f o r v project configuration framework output").operands.map((arg) =>
    arg.value.toLowerCase(),
  );
  const line = words.slice(0, 3).join(" ");
  if (/^nuget (?:push|delete)/.test(line)) return ["publish"];
  if (/^(?:ef database drop|ef migrations remove)/.test(line)) return ["database"];
  if (DOTNET_PACKAGES.test(line)) return ["package"];
  if (/\.dll$/.test(words[0] ?? "")) return scriptRisks(words[0] ?? "", command, context);
  return NONE;
};
const DOTNET_PACKAGES =
  /^(?:remove|tool uninstall|workload uninstall|nuget locals|nuget remove|sln .* remove|user-secrets (?:clear|remove))/;

const outputs =
  (names: string, valued: string): Rule =>
  (command) =>
    has(readOptions(command.args, valued), names) ? ["overwrite"] : NONE;

export const buildRules: RuleTable = {
  "make gmake": make,
  "just task lein rake-task gulp grunt invoke inv doit mage npm-run-all run-s run-p turbo nx moon rush wireit earthly pants buck tup scons ant waf please":
    tasks("C d f j p t"),
  ...jvmRules,
  cargo,
  go,
  cmake,
  dotnet,
  "bazel bazelisk": bazel,
  mkdocs: verbRule({ allow: "build, serve, new, get-deps", other: "publish" }),
  flutter: askOnLine(/^(?:pub publish|pub cache clean|downgrade)/, "publish"),
  dart: askOnLine(/^(?:pub publish|pub cache clean)/, "publish"),
  swift: (command) => {
    if (/^package (?:reset|purge-cache)/.test(wordsOf(command.args).join(" "))) return ["delete"];
    return hasWord(command.args, "-e --disable-sandbox") ? ["code"] : NONE;
  },
  stack: askOnWord("upload purge", "publish"),
  cabal: askOnWord("upload", "publish"),
  nuget: verbRule({ allow: "list, restore, search, pack, sources, help", other: "publish" }),
  pod: verbRule({
    allow: "install, update, list, search, outdated, init, lib lint, spec lint, repo update",
    other: "publish",
  }),
  fastlane: always("publish"),
  "eas expo": verbRule({
    allow:
      "start, build:list, whoami, doctor, install, export, prebuild, run:ios, run:android, config, lint, build:view",
    other: "publish",
  }),
  eslint: outputs("o output-file", "o c f rule ext config format output-file"),
  "pre-commit": verbRule({
    valued: "c config",
    allow: "run, autoupdate, validate-config, sample-config, try-repo, install-hooks, migrate-config",
    delete: "clean, gc",
    environment: "uninstall",
    startup: "install, init-templatedir",
  }),
  coverage: verbRule({
    valued: "m",
    allow: "run, report, html, xml, json, lcov, combine, annotate, debug, erase",
  }),
  ffmpeg: (command) => {
    // These inputs are the screen, a camera or a microphone.
    if (hasWord(command.args, "x11grab kmsgrab gdigrab avfoundation dshow v4l2 video4linux2 alsa pulse jack"))
      return ["raw_device"];
    return hasWord(command.args, "-y") ? ["overwrite"] : NONE;
  },
  "protoc buf swagger openapi-generator openapi-generator-cli": askOnWord("push publish", "publish"),
};
