// Judges language interpreters. Script files of the project and text that can be analyzed as harmless are allowed.
import {
  type Arg,
  literal,
  NONE,
  type RiskContext,
  type Rule,
  type RuleTable,
  type SimpleCommand,
} from "../../model.ts";
import { isHarmlessCode, onlyPrints } from "../../parse/inline-code.ts";
import { anyWord, has, readOptions, valuesOf, wordAt } from "../../parse/options.ts";
import { isLocal, isTemporary } from "../../parse/paths.ts";
import type { RiskCode } from "../../reasons.ts";
import { always } from "../conditions.ts";
import { isHarmlessProgram } from "../harmless-programs.ts";
import { scriptRisks, taskRisks } from "../scripts.ts";
import { djangoRisks } from "./frameworks.ts";

type Language = "python" | "javascript" | undefined;

function codeRisks(code: Arg | undefined, language: Language): readonly RiskCode[] {
  if (code?.known && language && isHarmlessCode(code.value, language)) return NONE;
  return ["code"];
}

function stdinRisks(command: SimpleCommand, language: Language, context: RiskContext): readonly RiskCode[] {
  // An interpreter in a container without input waits for a user, so it runs nothing.
  if (command.stdin.kind === "none" && context.inContainer) return NONE;
  if (command.stdin.kind === "text") return codeRisks(literal(command.stdin.text), language);
  return command.stdin.kind === "opaque" && command.stdin.network ? ["remote_code"] : ["code"];
}

function fileRisks(file: Arg, command: SimpleCommand, context: RiskContext): readonly RiskCode[] {
  if (file.value.startsWith("<(")) return ["code"];
  if (!file.known) return file.wild === "no" && !/\$\(|`/.test(file.value) ? NONE : ["not_literal"];
  if (/^(?:https?|data):/.test(file.value)) return ["remote_code"];
  return scriptRisks(file.value, command, context);
}

const python: Rule = (command, context) => {
  const args = command.args;
  for (let i = 0; i < args.length; i++) {
    const value = wordAt(args, i);
    if (value === "-") return stdinRisks(command, "python", context);
    if (/^-(?:W|X)$/.test(value) || value === "--check-hash-based-pycs") {
      i++;
      continue;
    }
    // After -i, Python continues with its standard input.
    if (/^-\w*i/.test(value) && command.stdin.kind !== "none") return ["code"];
    if (/^-[bBdEhiIOPqRsSuvVx]*c/.test(value)) {
      const inline = value.slice(value.indexOf("c") + 1);
      return codeRisks(inline ? literal(inline) : args[i + 1], "python");
    }
    if (/^-[bBdEiIOPqRsSuvx]*m/.test(value)) {
      const inline = value.slice(value.indexOf("m") + 1);
      return moduleRisks(inline ? literal(inline) : args[i + 1], args.slice(inline ? i + 1 : i + 2), command, context);
    }
    if (value.startsWith("-")) continue;
    const file = args[i] as Arg;
    if (/(?:^|\/)manage\.py$/.test(value)) return djangoRisks(args.slice(i + 1));
    if (/(?:^|\/)setup\.py$/.test(value) && anyWord(args, /^(?:upload|register)$/)) return ["publish"];
    return fileRisks(file, { ...command, args: args.slice(i + 1) }, context);
  }
  if (anyWord(args, /^-V+$|^--version$|^-h$|^--help$/)) return NONE;
  return stdinRisks(command, "python", context);
};

const MODULES =
  /^(?:unittest|venv|virtualenv|http\.server|json\.tool|compileall|py_compile|site|sysconfig|this|pstats|build|ensurepip|base64|calendar|ast|dis|tokenize|pydoc|platform|webbrowser|ipykernel|grpc_tools\.protoc|pip_audit|piptools|json|textwrap|spacy|nltk|mimetypes|uuid|locale|inspect|difflib|filecmp|idlelib|pyflakes|pycodestyle|pydocstyle|vulture|radon|xdist)$/;
// Modules that run the program of the same name.
const RUNS_TOOL =
  /^(?:pip|twine|poetry|coverage|flask|celery|alembic|django|uv|pre_commit|mkdocs|hatch|pipx|pdm|ansible|awscli|black|pytest|mypy|ruff|flake8|pylint|isort|tox|nox|jupyter|uvicorn|gunicorn|streamlit|sphinx|bandit|pyright|rich|IPython|cookiecutter|locust|httpie|yt_dlp)$/;

function moduleRisks(
  module: Arg | undefined,
  rest: readonly Arg[],
  command: SimpleCommand,
  context: RiskContext,
): readonly RiskCode[] {
  if (!module?.known) return ["not_literal"];
  const name = module.value;
  if (name === "timeit") {
    const [broken] = rest.filter((arg) => !/^-/.test(arg.value) && codeRisks(arg, "python").length > 0);
    return broken ? ["code"] : NONE;
  }
  // These modules run the file that they are given.
  if (/^(?:trace|cProfile|profile|pdb|doctest)$/.test(name)) {
    const file = rest.find((arg) => /\.py$/.test(arg.value));
    if (name === "pdb" && rest.some((arg) => arg.value === "-c")) return ["code"];
    return file ? fileRisks(file, command, context) : NONE;
  }
  if (/^(?:zipfile|tarfile)$/.test(name)) {
    const target = rest.at(-1)?.value ?? "";
    return /^(?:-e|--extract)$/.test(wordAt(rest, 0)) && !isLocal(target) && !isTemporary(target)
      ? ["overwrite"]
      : NONE;
  }
  if (MODULES.test(name)) return NONE;
  if (RUNS_TOOL.test(name)) {
    const tool = name === "django" ? "django-admin" : name === "pre_commit" ? "pre-commit" : name.toLowerCase();
    if (!isHarmlessProgram(tool)) context.runWords([literal(tool), ...rest], command);
    return NONE;
  }
  context.seen.script = command.text;
  return [
    ...taskRisks(name, { ...command, args: rest }),
    ...rest.slice(0, 1).flatMap((arg) => taskRisks(arg.value, { ...command, args: rest })),
  ];
}

const NODE_VALUED =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--env-file|-C|--conditions|--tsconfig|--project|-P)$/;
const node: Rule = (command, context) => {
  const args = command.args;
  for (let i = 0; i < args.length; i++) {
    const value = wordAt(args, i);
    if (value === "-") return stdinRisks(command, "javascript", context);
    const code = /^(?:-e|-p|-pe|-ep|--eval|--print)(?:=(.*))?$/s.exec(value);
    if (code) return codeRisks(code[1] === undefined ? args[i + 1] : literal(code[1]), "javascript");
    if (/^(?:-v|--version|-h|--help|--v8-options|-c|--check)$/.test(value)) return NONE;
    if (value === "--run") return args[i + 1] ? taskRisks(wordAt(args, i + 1), command) : NONE;
    if (value === "--test") return NONE;
    if (NODE_VALUED.test(value)) {
      const target = wordAt(args, ++i);
      if (/^(?:\/|~|https?:|data:)/.test(target)) return ["script"];
      continue;
    }
    if (/^--(?:require|import|loader|experimental-loader)=(?:\/|~|https?:|data:)/.test(value)) return ["script"];
    if (value.startsWith("-")) continue;
    return fileRisks(args[i] as Arg, { ...command, args: args.slice(i + 1) }, context);
  }
  return stdinRisks(command, "javascript", context);
};

const DENO_HARMLESS =
  /^(?:test|fmt|lint|check|info|doc|cache|bench|types|add|install|init|upgrade|completions|coverage|lsp|outdated|jupyter|help)$/;

const deno: Rule = (command, context) => {
  const [verb, file] = readOptions(command.args, "c config").operands;
  const name = verb?.value ?? "";
  if (!verb) return NONE;
  if (/^(?:install|add|cache)$/.test(name) && /^https?:/.test(file?.value ?? "")) return ["remote_code"];
  if (name === "task") return taskRisks(file?.value ?? "", command);
  if (name === "repl") return stdinRisks(command, undefined, context);
  if (DENO_HARMLESS.test(name)) return NONE;
  if (name === "eval") return codeRisks(file, "javascript");
  if (name === "publish" || name === "deploy") return ["publish"];
  if (name === "uninstall" || name === "remove" || name === "clean") return ["package"];
  const target = /^(?:run|serve|compile|bundle)$/.test(name) ? file : verb;
  if (/^(?:npm|jsr):/.test(target?.value ?? "")) return ["remote_code"];
  return target ? fileRisks(target, command, context) : NONE;
};

// Matches plain substitutions and prints without evaluated parts.
const PLAIN_PERL =
  /^\s*(?:print\s+(?:if|unless)\s+\/(?:[^/\\]|\\.)*\/[imsx]*|s\/(?:[^/\\]|\\.)*\/(?:[^/\\`@]|\\.)*\/[gimsx]*|tr\/(?:[^/\\]|\\.)*\/(?:[^/\\]|\\.)*\/[cdsr]*)\s*;?\s*$/;

const perl: Rule = (command, context) => {
  const args = command.args;
  for (let i = 0; i < args.length; i++) {
    const value = wordAt(args, i);
    if (value === "-") return stdinRisks(command, undefined, context);
    if (/^-[vVh]/.test(value) || value === "-c") return NONE;
    if (/^-[a-zA-Z0-9]*i/.test(value) && !/^-[IMm]/.test(value)) return ["edit_in_place"];
    const code = /^-[alnpswWtT0-9]*[eE]$/.test(value) ? args[i + 1] : undefined;
    if (code) {
      if (args.some((arg) => /^-[a-zA-Z0-9]*i/.test(arg.value) && !/^-[IMm]/.test(arg.value))) return ["edit_in_place"];
      if (code.known && onlyPrints(code.value)) return NONE;
      return code.known && PLAIN_PERL.test(code.value) && !/\(\?\??\{|[@$]\{/.test(code.value) ? NONE : ["code"];
    }
    if (/^-[alnpswWtTF0-9]*[eE]/.test(value)) return ["code"];
    if (value.startsWith("-")) continue;
    return fileRisks(args[i] as Arg, { ...command, args: args.slice(i + 1) }, context);
  }
  return stdinRisks(command, undefined, context);
};

/** Creates the rule for other languages. Code in one of the `evals` options needs approval unless it only prints. */
const language =
  (evals: string, valued = ""): Rule =>
  (command, context) => {
    const [only] = command.args;
    if (command.args.length === 1 && /^--?(?:version|v|V|help|h|m|i)$/.test(only?.value ?? "")) return NONE;
    const options = readOptions(command.args, valued);
    if (has(options, "v version V h help") && options.operands.length === 0 && !has(options, evals)) return NONE;
    if (has(options, "i in-place") && command.name === "ruby") return ["edit_in_place"];
    // `iex -S mix` starts a console of the project, and `php -S localhost:8000` starts a server of it.
    if (/^(?:iex|php)$/.test(command.name) && valuesOf(options, "S").length > 0 && !has(options, evals)) return NONE;
    if (has(options, evals)) {
      const [flag, code, ...more] = command.args;
      const prints =
        /^-{1,2}\w+$/.test(flag?.value ?? "") && more.length === 0 && code?.known && onlyPrints(code.value);
      return prints ? NONE : ["code"];
    }
    const [file] = options.operands;
    if (has(options, "c l") && /^(?:ruby|php)$/.test(command.name)) return NONE;
    if (!file || file.value === "-") return stdinRisks(command, undefined, context);
    const rest = command.args.slice(command.args.indexOf(file) + 1);
    if (/(?:^|\/)artisan$/.test(file.value) || /(?:^|\/)(?:rails|rake)$/.test(file.value)) {
      context.runWords([literal(file.value.replace(/^.*\//, "")), ...rest], command);
      return NONE;
    }
    return fileRisks(file, { ...command, args: rest }, context);
  };

/** Matches settings such as `-d auto_prepend_file=x`, which runs x whatever script is named. */
const RUNS_FIRST = /^(?:auto_\w+_file|\w*extension|opcache\.preload)=./;
const php: Rule = (command, context) =>
  valuesOf(readOptions(command.args, "d"), "d").some((set) => RUNS_FIRST.test(set))
    ? ["code"]
    : language("r R B E run F", "d c z f S t")(command, context);

export const interpreterRules: RuleTable = {
  "python python2 python3 pypy pypy3 py ipython bpython ptpython": python,
  "node nodejs tsx ts-node babel-node esno vite-node jiti": node,
  deno,
  perl,
  ruby: language("e", "r I E C x"),
  jruby: language("e", "r I"),
  php,
  "lua luajit luajit2": language("e l i", ""),
  "rscript julia": language("e E eval", ""),
  "elixir iex": language("e eval rpc-eval", "r S"),
  "erl escript ocaml ghci runghc runhaskell guile racket sbcl clisp clojure clj bb groovy scala kotlin swipl prolog tclsh wish expect gnuplot octave matlab maxima":
    language("e eval g r c x load", ""),
  psysh: always("code"),
  irb: (command, context) => stdinRisks(command, undefined, context),
};
