// Judges archive and compression programs. Creating and listing are allowed; running helpers, removing sources and
// forcing need approval.
import { NONE, type Rule, type RuleTable } from "../../model.ts";
import { has, readOptions, valuesOf, wordsOf } from "../../parse/options.ts";
import { isDevice, isStartup, isStreamDevice, isSystemTree } from "../../parse/paths.ts";
import { askUnlessFirst } from "../conditions.ts";

const COMPRESSORS = /^(?:gzip|pigz|bzip2|pbzip2|xz|pixz|zstd|lz4|lzop|lzip|brotli)(?: -[\w-]+)*$/;

const tar: Rule = (command, context) => {
  // The first word may be an option cluster without its dash: `tar xzf a.tgz`.
  const [first, ...rest] = command.args;
  const dashed =
    first && /^[a-zA-Z]+$/.test(first.value) ? [{ ...first, value: `-${first.value}` }, ...rest] : command.args;
  const options = readOptions(
    dashed,
    "f C T X I b F K L N V g H file directory files-from exclude exclude-from use-compress-program to-command checkpoint-action info-script new-volume-script rsh-command rmt-command transform strip-components owner group mode mtime",
  );
  const runs = has(options, "to-command checkpoint-action info-script new-volume-script rsh-command rmt-command F");
  if (runs || valuesOf(options, "I use-compress-program").some((value) => !COMPRESSORS.test(value))) return ["code"];
  if (has(options, "remove-files delete recursive-unlink")) return ["delete"];
  const extracts = has(options, "x extract get");
  if (valuesOf(options, "f file").some(isDevice))
    return valuesOf(options, "f file").every((file) => file === "/dev/stdin" || isStreamDevice(file))
      ? NONE
      : ["raw_device"];
  if (!extracts) return NONE;
  context.seen.fetched = true;
  if (command.stdin.kind === "opaque" && command.stdin.network) return ["outward"];
  const into = valuesOf(options, "C directory");
  if (into.some((path) => isSystemTree(path) || isStartup(path) || /^\/(?:etc|usr|bin|lib|opt)\b/.test(path)))
    return ["overwrite"];
  return has(options, "P absolute-names overwrite overwrite-dir U unlink-first") ? ["overwrite"] : NONE;
};

const unzip: Rule = (command, context) => {
  const options = readOptions(command.args, "d x P");
  if (has(options, "l v t p Z z c")) return NONE;
  context.seen.fetched = true;
  return has(options, "o") || valuesOf(options, "d").some((path) => isSystemTree(path)) ? ["overwrite"] : NONE;
};

const zip: Rule = (command) => {
  const options = readOptions(command.args, "x i b t n s P TT unzip-command");
  if (options.longs.includes("unzip-command") || command.args.some((arg) => arg.value.startsWith("-TT")))
    return ["code"];
  return has(options, "m move d delete") ? ["delete"] : NONE;
};

/** These programs replace the file with its compressed form. Only forcing or removing the source needs approval. */
const compress: Rule = (command) => {
  const options = readOptions(command.args, "S o T suffix");
  if (has(options, "c stdout to-stdout l list t test")) return NONE;
  if (valuesOf(options, "o").some((path) => !isStreamDevice(path) && path !== "-")) return ["overwrite"];
  return has(options, "f force") ? ["overwrite"] : has(options, "rm") ? ["delete"] : NONE;
};

const sevenZip: Rule = (command) => {
  const [verb, ...rest] = wordsOf(command.args);
  if (verb === "d") return ["delete"];
  if (verb === "rn") return ["edit_in_place"];
  if (rest.some((value) => value === "-sdel")) return ["delete"];
  return rest.some((value) => value === "-y" || value === "-aoa") ? ["overwrite"] : NONE;
};

const cpio: Rule = (command) => {
  const options = readOptions(command.args, "F I O D H C file rsh-command");
  if (has(options, "rsh-command")) return ["code"];
  if (valuesOf(options, "F I O file").some((file) => /^[^/]+:/.test(file))) return ["outward"];
  return has(options, "i extract p pass-through u unconditional") && !has(options, "t list") ? ["overwrite"] : NONE;
};

export const archiveRules: RuleTable = {
  "tar gtar bsdtar": tar,
  unzip,
  zip,
  "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 lzma brotli pigz compress uncompress": compress,
  "7z 7za 7zr": sevenZip,
  cpio,
  unrar: askUnlessFirst(/^(?:l|lb|lt|v|vb|vt|t|p)$/, "overwrite"),
};
