// Judges programs that only read and print unless one of the options listed here is present.
import { NONE, type Rule, type RuleTable } from "../../model.ts";
import { anyWord, has, hasWord, readOptions, valuesOf, wordAt } from "../../parse/options.ts";
import { isStreamDevice } from "../../parse/paths.ts";
import type { RiskCode } from "../../reasons.ts";
import { always, askOnArg, askOnOption, askOnWord, askUnlessOption } from "../conditions.ts";
import { awk, sed } from "./sed-awk.ts";

// Prefixes that select an image format, as in `png:file`. Other prefixes delete, run or fetch something.
const PICTURE =
  /^(?:png\d*|jpe?g|gif|webp|bmp|tiff?|svg|ico|avif|heic|jxl|info|null|xc|gradient|radial-gradient|plasma|pattern|canvas|histogram|rgba?|gray|cmyka?|mpc|miff|p[pgbna]m|json|rose|logo|label|caption|[a-z]):/i;
const pictures: Rule = (command) => {
  if (hasWord(command.args, "mogrify")) return ["edit_in_place"];
  const odd = command.args.some((arg) => /^[a-z][\w-]*:(?!\/\/)/i.test(arg.value) && !PICTURE.test(arg.value));
  return odd ? ["code"] : NONE;
};

/** Reports `code` for one of the `asking` options. With `overwrite`, /dev/null and standard output are exempt. */
const askOnRiskyOption =
  (asking: string, code: RiskCode, valued: string): Rule =>
  (command) => {
    const options = readOptions(command.args, valued);
    if (!has(options, asking)) return NONE;
    const [target] = valuesOf(options, asking);
    return code === "overwrite" && target !== undefined && (isStreamDevice(target) || target === "-") ? NONE : [code];
  };

const uniq: Rule = (command) =>
  readOptions(command.args, "f s w skip-fields skip-chars check-chars").operands.length > 1 ? ["overwrite"] : NONE;

const xxd: Rule = (command) => {
  const options = readOptions(command.args, "c g l o s");
  const output = options.operands[1]?.value;
  return output !== undefined && !isStreamDevice(output) && output !== "-" ? ["overwrite"] : NONE;
};

/** The rule for vi and vim. Opening a file is allowed; options and `+…` arguments that run commands need approval. */
const vim: Rule = (command) => {
  const odd = command.args.some(
    (arg) =>
      /^-(?:c|s|S|es|Es|e|u|W|w|-cmd|-startuptime|l)$|^--(?:cmd|headless|remote-expr|remote-send)|^-[ces][^a-z-]/.test(
        arg.value,
      ) || /^\+(?!\d*$|\/)/.test(arg.value),
  );
  return odd ? ["code"] : NONE;
};

const dc: Rule = (command) =>
  command.args.some((arg) => arg.value.includes("!")) ||
  command.stdin.kind === "opaque" ||
  (command.stdin.kind === "text" && command.stdin.text.includes("!"))
    ? ["code"]
    : NONE;

/** The rule for fzf, which runs its preview and its key bindings. */
const fzf: Rule = (command, context) => {
  const options = readOptions(command.args, "preview bind q query f filter d delimiter n m height prompt header");
  for (const text of options.values.get("preview") ?? [])
    context.runScript(text.replace(/\{[^}]*\}/g, "x"), "bash", command);
  return options.values.get("bind")?.some((text) => /execute|become|reload|transform/.test(text)) ? ["code"] : NONE;
};

const pager: Rule = (command) => {
  if (anyWord(command.args, /^\+.*!/)) return ["code"];
  return has(readOptions(command.args, "p P t j b h x y z o O log-file"), "o O log-file") ? ["overwrite"] : NONE;
};

export const readerRules: RuleTable = {
  "sort gsort": askOnRiskyOption(
    "o output compress-program",
    "overwrite",
    "t k S T o output field-separator key buffer-size temporary-directory batch-size parallel sort",
  ),
  shuf: askOnRiskyOption("o output", "overwrite", "n i o head-count input-range output random-source"),
  iconv: askOnRiskyOption("o output", "overwrite", "f t o from-code to-code output"),
  tree: askOnRiskyOption("o", "overwrite", "L P I o charset filelimit timefmt sort"),
  xmllint: askOnRiskyOption("output o shell", "overwrite", "xpath schema dtdvalid encode output shell"),
  yq: askOnRiskyOption("i inplace in-place", "edit_in_place", "p o P I indent input-format output-format"),
  "rg ripgrep": askOnRiskyOption(
    "pre hostname-bin",
    "code",
    "A B C e f g m t T j M r E d glob type max-count regexp file replace colors sort max-depth pre pre-glob hostname-bin context after-context before-context",
  ),
  "ag ack": askOnRiskyOption("pager", "code", "A B C G m"),
  man: askOnRiskyOption("P pager H html", "code", "k f S M P s pager"),
  "bat batcat": askOnRiskyOption("pager", "code", "l r H language line-range style theme pager"),
  "split csplit": askOnRiskyOption("filter", "code", "l b n a d C lines bytes number filter suffix-length prefix"),
  base64: askOnRiskyOption("o output", "overwrite", "w i o d D wrap input output"),
  "ctags etags": askOnRiskyOption("exec", "code", "f o R"),
  "cloc tokei scc": askOnRiskyOption("out report-file", "overwrite", "f"),
  pandoc: askOnRiskyOption(
    "F filter L lua-filter",
    "code",
    "f t o F L from to output filter lua-filter template css pdf-engine metadata variable",
  ),
  latexmk: askOnRiskyOption("e r", "code", "e r outdir jobname"),
  "mlr miller": askOnRiskyOption("I", "edit_in_place", "n c f"),
  ghc: askOnRiskyOption("e", "code", "o e i odir hidir"),
  "nvidia-smi": askOnRiskyOption("r gpu-reset", "raw_device", "q i l d"),
  file: askOnRiskyOption("C compile", "overwrite", "f m P magic-file files-from"),
  "gdb lldb": askOnRiskyOption(
    "x ex ix eval-command iex init-command command p pid batch o s",
    "code",
    "x ex eval-command command p pid o s",
  ),
  "sed gsed": sed,
  "awk gawk mawk nawk": awk,
  uniq,
  xxd,
  "vim vi nvim view vimdiff gvim": vim,
  "emacs emacsclient": askOnWord("--batch -batch --eval -eval --execute -l --load -f --funcall --script", "code"),
  // Line editors take their commands from standard input and write files.
  "ed ex red": always("edit_in_place"),
  sd: (command) =>
    readOptions(command.args, "f n").operands.length > 2 && !has(readOptions(command.args), "p preview")
      ? ["edit_in_place"]
      : NONE,
  "ast-grep sg": askOnOption("U update-all i interactive", "edit_in_place", "p r l"),
  exiftool: askOnArg(/^-[\w:]+[+-]?<?=|^-(?:overwrite_original|delete_original|restore_original)/, "edit_in_place"),
  qpdf: askOnWord("--replace-input", "edit_in_place"),
  jscodeshift: askUnlessOption("d dry", "edit_in_place", "t"),
  jq: askOnWord("-i --in-place", "edit_in_place"),
  less: pager,
  fzf,
  // TeX runs shell commands with one of these options.
  "pdflatex xelatex lualatex tex latex": askOnArg(/shell-escape|write18/, "code"),
  m4: (command) => (command.stdin.kind === "none" ? NONE : ["code"]),
  dasel: askOnWord("put delete", "edit_in_place"),
  ar: (command) => (/^-?[a-z]*d/.test(wordAt(command.args, 0)) ? ["delete"] : NONE),
  xcrun: askOnWord("erase delete shutdown uninstall", "delete"),
  crystal: askOnWord("eval", "code"),
  "magick convert identify compare composite montage gm": pictures,
  dc,
};
