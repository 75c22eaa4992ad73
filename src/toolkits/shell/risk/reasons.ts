// Defines why a command needs approval or is blocked. One row per code contains its verdict and its meaning.

export type RiskVerdict = "allow" | "confirm" | "block";
type RiskSpec = { readonly verdict: "confirm" | "block"; readonly meaning: string };

export const RISKS = {
  // These are blocked, and no approval can allow them.
  system_delete: { verdict: "block", meaning: "Deletes the root, a system folder or a whole home folder." },
  disk_write: { verdict: "block", meaning: "Writes to a disk device or to the kernel's memory." },
  disk_format: { verdict: "block", meaning: "Formats or wipes a disk." },
  fork_bomb: { verdict: "block", meaning: "Starts copies of itself endlessly." },
  system_halt: { verdict: "block", meaning: "Stops or restarts the machine." },
  system_permission: { verdict: "block", meaning: "Changes permissions or owners of the whole system." },
  kill_all: { verdict: "block", meaning: "Kills all processes." },
  // These need approval.
  delete: { verdict: "confirm", meaning: "Deletes files, branches, records or other data." },
  overwrite: { verdict: "confirm", meaning: "May replace the content of an existing file." },
  edit_in_place: { verdict: "confirm", meaning: "Edits files in place." },
  discard_changes: { verdict: "confirm", meaning: "Discards uncommitted work." },
  history_rewrite: { verdict: "confirm", meaning: "Rewrites or drops commits, refs or their history." },
  force_push: { verdict: "confirm", meaning: "Overwrites or deletes shared content of a remote repository." },
  privilege: { verdict: "confirm", meaning: "Runs with elevated privileges, or changes accounts." },
  permission: { verdict: "confirm", meaning: "Changes permissions, owners or attributes of files." },
  remote_code: { verdict: "confirm", meaning: "Runs code that comes from the network." },
  raw_device: { verdict: "confirm", meaning: "Works on devices, partitions, volumes or kernel modules." },
  database: { verdict: "confirm", meaning: "Changes or drops data or structure in a database." },
  process: { verdict: "confirm", meaning: "Stops or signals processes." },
  service: { verdict: "confirm", meaning: "Starts, stops or configures services, timers or the network." },
  container: {
    verdict: "confirm",
    meaning: "Runs a container as root, or stops, removes or publishes containers, images or volumes.",
  },
  infrastructure: { verdict: "confirm", meaning: "Changes machines, clusters, clouds or deployments." },
  package: { verdict: "confirm", meaning: "Removes packages, or installs them for the whole account or system." },
  publish: { verdict: "confirm", meaning: "Publishes or unpublishes something that others use." },
  outward: { verdict: "confirm", meaning: "Sends data to, or acts on, another machine." },
  credentials: { verdict: "confirm", meaning: "Reads or changes keys, passwords or tokens." },
  traces: { verdict: "confirm", meaning: "Removes traces of what was done." },
  environment: { verdict: "confirm", meaning: "Sets a variable or option that makes programs run other code." },
  closed_path: { verdict: "confirm", meaning: "Reads or changes protected files." },
  other_process: { verdict: "confirm", meaning: "Reads the environment or memory of another process." },
  outside_workspace: { verdict: "confirm", meaning: "May write outside the workspace." },
  detach: { verdict: "confirm", meaning: "Starts a process that outlives the command." },
  startup: { verdict: "confirm", meaning: "Changes what runs automatically later." },
  // These need approval because the check does not understand them.
  code: { verdict: "confirm", meaning: "Runs program text that this check cannot analyze." },
  script: { verdict: "confirm", meaning: "Runs a script whose location or name should be reviewed." },
  not_literal: { verdict: "confirm", meaning: "Computes what to run at run time." },
  unparsed: { verdict: "confirm", meaning: "Is not a command line this check can parse." },
  unknown_command: { verdict: "confirm", meaning: "Is a program or a subcommand this check does not know." },
  hidden_characters: { verdict: "confirm", meaning: "Contains invisible characters." },
  too_long: { verdict: "confirm", meaning: "Is too long or too deeply nested to check." },
} as const satisfies Record<string, RiskSpec>;

export type RiskCode = keyof typeof RISKS;
/** Reasons for commands that cannot be undone, or that undo the work of others. Each call needs its own approval. */
export const DESTRUCTIVE: ReadonlySet<RiskCode> = new Set<RiskCode>([
  "delete",
  "overwrite",
  "discard_changes",
  "history_rewrite",
  "force_push",
  "raw_device",
  "database",
  "infrastructure",
  "container",
  "publish",
  "privilege",
  "traces",
]);

/** Reasons that apply equally to every command with the same first words. */
export const APPLIES_TO_PREFIX: ReadonlySet<RiskCode> = new Set<RiskCode>([
  "unknown_command",
  "package",
  "service",
  "edit_in_place",
  "permission",
]);

export type RiskReason = { readonly code: RiskCode; readonly excerpt: string };
/** How a command accesses the workspace or the system. "unknown" means that the check cannot determine it. */
export type Access = "read" | "write" | "unknown";
export type CommandRisk = {
  readonly verdict: RiskVerdict;
  readonly reasons: readonly RiskReason[];
  readonly access: Access;
};

export const MAX_REASONS = 20;
const MAX_EXCERPT = 200;

/** Collects each pair of code and excerpt once. Once the list is full, a reason can only make the verdict stricter. */
export function createRiskList(): {
  add(code: RiskCode, excerpt: string): void;
  note(access: Access): void;
  result(): CommandRisk;
} {
  const reasons: RiskReason[] = [];
  let access: Access = "read";
  let verdict: RiskVerdict = "allow";
  return {
    add(code, text) {
      const excerpt = showHidden(text).slice(0, MAX_EXCERPT);
      if (RISKS[code].verdict === "block") verdict = "block";
      if (verdict === "allow") verdict = "confirm";
      const known = reasons.some((reason) => reason.code === code && reason.excerpt === excerpt);
      if (!known && reasons.length < MAX_REASONS) reasons.push({ code, excerpt });
    },
    note(next) {
      if (access !== "write" && next !== "read") access = next;
    },
    // Blocking reasons come first, because only the first few are shown.
    result: () => ({ verdict, reasons: reasons.toSorted((a, b) => weight(a) - weight(b)), access }),
  };
}

const weight = (reason: RiskReason): number => (RISKS[reason.code].verdict === "block" ? 0 : 1);

// Matches format characters, unusual spaces and control characters, which an approver could not see in the excerpt.
const HIDDEN =
  /[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u00a0\u115f\u1160\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]/gu;

export function showHidden(text: string): string {
  return text.slice(0, 4 * MAX_EXCERPT).replace(HIDDEN, (char) => {
    if (char === "\n") return "⏎";
    if (char === "\t") return " ";
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** True if the text contains invisible characters. Joiners between non-ASCII letters or emoji are ordinary text. */
export function hasHidden(text: string): boolean {
  for (const match of text.matchAll(HIDDEN)) {
    const char = match[0];
    if (char === "\n" || char === "\t" || char === "\u3000" || char === "\u00a0") continue;
    const joiner = char === "\u200c" || char === "\u200d";
    if (joiner && text.charCodeAt(match.index - 1) > 0x7f && text.charCodeAt(match.index + 1) > 0x7f) continue;
    return true;
  }
  return false;
}
