// Determines whether a command reads or writes. If a program is in none of the lists below, its access is unknown.

import { type SimpleCommand, wordSet } from "../model.ts";
import { wordAt, wordsOf } from "../parse/options.ts";
import type { Access, RiskCode } from "../reasons.ts";
import { isReadingProgram } from "../rules/harmless-programs.ts";

// Programs that only read unless their own rule finds a risk, and wrappers, whose inner command is judged separately.
const READERS = wordSet(
  "sort gsort shuf iconv tree yq rg ripgrep ag ack man bat batcat file sed gsed awk gawk mawk nawk uniq xxd jq less fzf dig host nslookup ping ping6 traceroute whois drill getent date hostname find gfind fd fdfind cd pushd export declare typeset local readonly unset set shopt history last lsof ss env command type time timeout nice xargs ip ifconfig dmesg journalctl crontab apt-cache dpkg-query curl curlie httpstat http https xh cloc tokei scc base64 ansible-doc sysctl fuser openssl nc findstr ipconfig tasklist systeminfo",
);
const GIT_READS = wordSet(
  "status log show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file name-rev merge-base for-each-ref show-ref show-branch diff diff-tree diff-index diff-files range-diff cherry whatchanged check-ignore check-attr check-mailmap count-objects fsck verify-commit verify-tag var version help grep ls-remote reflog",
);
const GIT_LISTING_VERB = /^(?:branch|tag|remote|stash|worktree|config|submodule|notes|bisect|lfs)$/;
const LISTING_ARGUMENT =
  /^(?:-[varl]+|--list|--get(?:-all)?|--show-current|list|show|get-url|status|log|summary|--merged|--no-merged|--contains|--points-at|--sort=.*|--format=.*)$/;
const WRITING_PROGRAMS = wordSet(
  "mkdir touch cp gcp mv gmv ln tee sponge tar unzip zip gzip gunzip bzip2 xz zstd 7z chmod mktemp tempfile split csplit patch truncate mkfifo wget install rsync dd",
);
const HAS_VERBS = wordSet(
  "npm pnpm yarn docker podman kubectl gh glab pip pip3 helm brew apt cargo aws systemctl uv gem composer terraform tofu",
);
const VERB_READS =
  /^(?:ls|list|la|ll|ps|images|logs|inspect|stats|top|info|search|history|events|port|get|describe|view|show|outdated|why|explain|status|whoami|tree|metadata|freeze|cluster-info|api-resources|validate|fund)$/;
const NOUN =
  /^(?:container|image|volume|network|compose|system|context|pr|issue|repo|release|workflow|gist|label|s3|state|workspace|config|cache|secret|node)$/;
const INTERPRETERS = /^(?:node|nodejs|python\d?|sh|bash|dash|zsh)$/;

/** True if a command only reads, provided that the rule for its program finds no risk. */
export const isReader = (command: SimpleCommand): boolean =>
  isReadingProgram(command.name) || READERS.has(command.name) || (command.name === "git" && gitReads(command));

/** Returns the access of a command without findings. */
export function accessOf(command: SimpleCommand): Access {
  const { name, args } = command;
  const [first] = args;
  if (name === "git") return gitReads(command) ? "read" : "write";
  if (WRITING_PROGRAMS.has(name)) return archiveLists(command) ? "read" : "write";
  if (args.length === 1 && /^(?:--version|--help|-V)$/.test(first?.value ?? "")) return "read";
  if (HAS_VERBS.has(name)) return verbReads(command) ? "read" : "unknown";
  // Inline program text without findings contains no name that could write. Text for a shell is judged as commands.
  if (INTERPRETERS.test(name)) return args.length === 2 && /^-[epc]$/.test(first?.value ?? "") ? "read" : "unknown";
  return isReader(command) ? "read" : "unknown";
}

function gitReads({ args }: SimpleCommand): boolean {
  const words = wordsOf(args);
  const at = words.findIndex((word, i) => !word.startsWith("-") && !/^-[Cc]$/.test(words[i - 1] ?? ""));
  const verb = words[at] ?? "version";
  const rest = words.slice(at + 1);
  if (GIT_READS.has(verb)) return verb !== "reflog" || !/^(?:expire|delete)$/.test(rest[0] ?? "");
  if (!GIT_LISTING_VERB.test(verb)) return false;
  if (rest.length === 0) return !/^(?:stash|notes|bisect|config)$/.test(verb);
  return (
    LISTING_ARGUMENT.test(rest[0] ?? "") && rest.every((word) => !word.startsWith("-") || LISTING_ARGUMENT.test(word))
  );
}

const archiveLists = ({ name, args }: SimpleCommand): boolean => {
  const first = wordAt(args, 0);
  if (/tar$/.test(name)) return /^-?[a-zA-Z]*t[a-zA-Z]*$|^--list$/.test(first) && !/[xcru]/.test(first);
  return name === "unzip" && /^-[lvtZ]/.test(first);
};

/** True if the verb only reads, as in `docker ps` or `gh run view`. `npm run list` runs a script instead. */
function verbReads({ name, args }: SimpleCommand): boolean {
  const [verb, next] = wordsOf(args).filter((word) => !word.startsWith("-"));
  if (verb === undefined) return false;
  if (VERB_READS.test(verb)) return true;
  const noun = NOUN.test(verb) || (verb === "run" && /^(?:gh|glab)$/.test(name));
  return noun && VERB_READS.test(next ?? "");
}

const READING: ReadonlySet<RiskCode> = new Set<RiskCode>(["closed_path", "other_process", "credentials"]);
const WRITING: ReadonlySet<string> = wordSet(
  "system_delete disk_write disk_format fork_bomb system_halt system_permission kill_all delete overwrite edit_in_place discard_changes history_rewrite force_push permission raw_device database process service container infrastructure package publish traces startup outside_workspace detach outward",
);

export function accessOfCode(code: RiskCode): Access {
  if (WRITING.has(code)) return "write";
  return READING.has(code) ? "read" : "unknown";
}
