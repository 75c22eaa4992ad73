// Programs that read and print, except under some options: a table of those options.
import type { Rule } from "../../model.ts";
import { NONE, sameRule } from "../../model.ts";
import { has, hasWord, readOptions } from "../../parse/options.ts";
import { isDiscardedOutput } from "../../parse/paths.ts";
import type { RiskCode } from "../../reasons.ts";
import { awk, sed } from "./sed-awk.ts";

// ImageMagick reads `name:` before a file as its format: these are image formats, others delete, run or fetch.
const PICTURE =
  /^(?:png\d*|jpe?g|gif|webp|bmp|tiff?|svg|ico|avif|heic|jxl|info|null|xc|gradient|radial-gradient|plasma|pattern|canvas|histogram|rgba?|gray|cmyka?|mpc|miff|p[pgbna]m|json|rose|logo|label|caption|[a-z]):/i;
const pictures: Rule = (command) => {
  if (hasWord(command.args, "mogrify")) return ["edit_in_place"];
  const odd = command.args.some((arg) => /^[a-z][\w-]*:(?!\/\/)/i.test(arg.value) && !PICTURE.test(arg.value));
  return odd ? ["code"] : NONE;
};

/** name, options that take a value, options that need approval, why. */
const EXCEPT: readonly (readonly [string, string, string, RiskCode])[] = [
  [
    "sort gsort",
    "t k S T o output field-separator key buffer-size temporary-directory batch-size parallel sort",
    "o output compress-program",
    "overwrite",
  ],
  ["shuf", "n i o head-count input-range output random-source", "o output", "overwrite"],
  ["iconv", "f t o from-code to-code output", "o output", "overwrite"],
  ["tree", "L P I o charset filelimit timefmt sort", "o", "overwrite"],
  ["xmllint", "xpath schema dtdvalid encode output shell", "output o shell", "overwrite"],
  ["yq", "p o P I indent input-format output-format", "i inplace in-place", "edit_in_place"],
  [
    "rg ripgrep",
    "A B C e f g m t T j M r E d glob type max-count regexp file replace colors sort max-depth pre pre-glob hostname-bin context after-context before-context",
    "pre hostname-bin",
    "code",
  ],
  ["ag ack", "A B C G m", "pager", "code"],
  ["man", "k f S M P s pager", "P pager H html", "code"],
  ["bat batcat", "l r H language line-range style theme pager", "pager", "code"],
  ["split csplit", "l b n a d C lines bytes number filter suffix-length prefix", "filter", "code"],
  ["base64", "w i o d D wrap input output", "o output", "overwrite"],
  ["ctags etags", "f o R", "exec", "code"],
  ["cloc tokei scc", "f", "out report-file", "overwrite"],
  [
    "pandoc",
    "f t o F L from to output filter lua-filter template css pdf-engine metadata variable",
    "F filter L lua-filter",
    "code",
  ],
  ["latexmk", "e r outdir jobname", "e r", "code"],
  ["mlr miller", "n c f", "I", "edit_in_place"],
  ["ghc", "o e i odir hidir", "e", "code"],
  ["nvidia-smi", "q i l d", "r gpu-reset", "raw_device"],
  ["file", "f m P magic-file files-from", "C compile", "overwrite"],
  [
    "gdb lldb",
    "x ex eval-command command p pid o s",
    "x ex ix eval-command iex init-command command p pid batch o s",
    "code",
  ],
];

const uniq: Rule = (command) =>
  readOptions(command.args, "f s w skip-fields skip-chars check-chars").operands.length > 1 ? ["overwrite"] : NONE;

const xxd: Rule = (command) => {
  const options = readOptions(command.args, "c g l o s");
  return options.operands.length > 1 &&
    !isDiscardedOutput(options.operands[1]?.value ?? "") &&
    options.operands[1]?.value !== "-"
    ? ["overwrite"]
    : NONE;
};

/** Editors open files for a person; commands given on the line run by themselves. */
const vim: Rule = (command) => {
  const odd = command.args.some(
    (arg) =>
      /^-(?:c|s|S|es|Es|e|u|W|w|-cmd|-startuptime|l)$|^--(?:cmd|headless|remote-expr|remote-send)|^-[ces][^a-z-]/.test(
        arg.value,
      ) || /^\+(?!\d*$|\/)/.test(arg.value),
  );
  return odd ? ["code"] : NONE;
};

const emacs: Rule = (command) =>
  hasWord(command.args, "--batch -batch --eval -eval --execute -l --load -f --funcall --script") ? ["code"] : NONE;

// Line editors take their commands from standard input and write files.
const lineEditor: Rule = () => ["edit_in_place"];

const jq: Rule = (command) => (hasWord(command.args, "-i --in-place") ? ["edit_in_place"] : NONE);

const dc: Rule = (command) =>
  command.args.some((arg) => arg.value.includes("!")) ||
  command.stdin.kind === "opaque" ||
  (command.stdin.kind === "text" && command.stdin.text.includes("!"))
    ? ["code"]
    : NONE;

/** TeX runs shell commands when an option says so. */
const tex: Rule = (command) => (command.args.some((arg) => /shell-escape|write18/.test(arg.value)) ? ["code"] : NONE);

/** fzf runs what its preview and bindings say. */
const fzf: Rule = (command, scope) => {
  const options = readOptions(command.args, "preview bind q query f filter d delimiter n m height prompt header");
  for (const text of options.values.get("preview") ?? [])
    scope.runScript(text.replace(/\{[^}]*\}/g, "x"), "bash", command);
  return options.values.get("bind")?.some((text) => /execute|become|reload|transform/.test(text)) ? ["code"] : NONE;
};

const pager: Rule = (command) => {
  if (command.args.some((arg) => /^\+.*!/.test(arg.value))) return ["code"];
  return has(readOptions(command.args, "p P t j b h x y z o O log-file"), "o O log-file") ? ["overwrite"] : NONE;
};

export const readerRules: readonly [string, Rule][] = [
  ...EXCEPT.flatMap(([names, valued, ask, code]) =>
    sameRule(names, (command) => {
      const options = readOptions(command.args, valued);
      if (!has(options, ask)) return NONE;
      const [target] = ask.split(" ").flatMap((name) => options.values.get(name) ?? []);
      return code === "overwrite" && target !== undefined && (isDiscardedOutput(target) || target === "-")
        ? NONE
        : [code];
    }),
  ),
  ...sameRule("sed gsed", sed),
  ...sameRule("awk gawk mawk nawk", awk),
  ["uniq", uniq],
  ["xxd", xxd],
  ...sameRule("vim vi nvim view vimdiff gvim", vim),
  ...sameRule("emacs emacsclient", emacs),
  ...sameRule("ed ex red", lineEditor),
  [
    "sd",
    (command) =>
      readOptions(command.args, "f n").operands.length > 2 && !has(readOptions(command.args), "p preview")
        ? ["edit_in_place"]
        : NONE,
  ],
  ...sameRule("ast-grep sg", (command) =>
    has(readOptions(command.args, "p r l"), "U update-all i interactive") ? ["edit_in_place"] : NONE,
  ),
  [
    "exiftool",
    (command) =>
      command.args.some((arg) =>
        /^-[\w:]+[+-]?<?=|^-(?:overwrite_original|delete_original|restore_original)/.test(arg.value),
      )
        ? ["edit_in_place"]
        : NONE,
  ],
  ["qpdf", (command) => (hasWord(command.args, "--replace-input") ? ["edit_in_place"] : NONE)],
  ["jscodeshift", (command) => (has(readOptions(command.args, "t"), "d dry") ? NONE : ["edit_in_place"])],
  ["jq", jq],
  ["less", pager],
  ["fzf", fzf],
  ...sameRule("pdflatex xelatex lualatex tex latex", tex),
  ["m4", (command) => (command.stdin.kind === "none" ? NONE : ["code"])],
  ["dasel", (command) => (hasWord(command.args, "put delete") ? ["edit_in_place"] : NONE)],
  ["ar", (command) => (/^-?[a-z]*d/.test(command.args[0]?.value ?? "") ? ["delete"] : NONE)],
  ["xcrun", (command) => (hasWord(command.args, "erase delete shutdown uninstall") ? ["delete"] : NONE)],
  ["crystal", (command) => (hasWord(command.args, "eval") ? ["code"] : NONE)],
  ...sameRule("magick convert identify compare composite montage gm", pictures),
  ["dc", dc],
];
