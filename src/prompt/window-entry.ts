// Renders one entry of the window, with its thought, call and observation, as a whole block or as one digest line.
import type { OutputTrust, Receipt } from "../schema/receipt.ts";
import type { Entry } from "../schema/record.ts";
import { oneLine } from "./cut.ts";
import { firstMissingLine } from "./cut-lines.ts";
import type { CountedText } from "./estimate.ts";

const THOUGHT_CHARS = 2000;
const LINE_THOUGHT_CHARS = 60;
const LINE_ARGUMENTS_CHARS = 60;

export type ObservedCall = {
  readonly turn: number;
  readonly thought: string;
  readonly name: string;
  readonly arguments: string;
  /** Digest that is the same for equal calls. Null if there was no call. */
  readonly digest: string | null;
  readonly receipt: string | null;
  readonly result: ReceiptResult;
  /** True if the text is an observation even though the call may have failed, as with a test run. */
  readonly shows: boolean;
  /** True if the call changed something, as far as the receipt shows. */
  readonly changed: boolean;
  /** The file or folder that the call is about. Null if it names none. */
  readonly path: string | null;
  /** The paths that the call may have changed. Null if they are unknown. */
  readonly changedPaths: readonly string[] | null;
  /** The ids that the arguments name, such as those of events or tasks. */
  readonly ids: readonly string[];
  readonly trust: OutputTrust;
  readonly text: string;
  /** Size of the whole observation in bytes. It is larger than `text` if the rest is in a blob. */
  readonly size: number;
  /** True if the rest of the text is in a blob. */
  readonly partial: boolean;
  /** The receipt of the observation that this call recalls. Null for any other call. */
  readonly recalls: string | null;
  /** The rendered forms of the call, cached once a prompt has shown it. */
  readonly shown: ShownCall;
};

/** A row of the window: an observation in full (possibly shortened), or the line that replaces it. */
export type FullRow = {
  readonly form: "whole";
  readonly observed: ObservedCall;
  /** The parts of the text. They are joined only in a prompt, because the body is also kept as a part of the entry. */
  readonly before: string;
  readonly body: string;
  readonly after: string;
  /** Size of the whole row in quarters of a token. `bodyQuarters` is the size of the body alone. */
  readonly quarters: number;
  readonly bodyQuarters: number;
  readonly cut: boolean;
  readonly staleBy: string | null;
  /** The text that represents the row in the hash of a prompt. Null until a prompt has contained it. */
  hashed: string | null;
};
export type LineRow = {
  readonly form: "line";
  readonly tool: string;
  readonly text: string;
  readonly quarters: number;
};

export type DialogueLine = {
  readonly role: "user" | "assistant" | "runtime";
  readonly text: string;
  /** The rendered line, cached for the character limit (`max`) with which it was last rendered. */
  shown: (CountedText & { readonly max: number }) | null;
};

export type ReceiptLine = CountedText & { readonly id: string; readonly step: number };
/** Two forms of a line. `short` omits the text of the tool; `full` includes it if it may be shown. */
export type ReceiptLines = { readonly short: ReceiptLine; readonly full: ReceiptLine };
/** Cached lines. They depend only on the entry and on which of its tools prove nothing. */
export type CachedLines = { notes: ReadonlySet<string>; readonly key: string; readonly lines: readonly ReceiptLines[] };

/** The rendered parts of a committed entry are the same in every turn, so they are kept as long as the entry is loaded. */
export type EntryParts = {
  /** Null if the entry has no observation. */
  observed?: ObservedCall | null;
  /** The text for the user, as one line. */
  spoken?: string;
  dialogue?: readonly DialogueLine[];
  receipts?: CachedLines;
};

const partsByEntry = new WeakMap<Entry, EntryParts>();

/** An entry that can still change gets new parts each time. */
export function partsOf(entry: Entry): EntryParts {
  const known = partsByEntry.get(entry);
  if (known) return known;
  const parts: EntryParts = {};
  if (Object.isFrozen(entry)) partsByEntry.set(entry, parts);
  return parts;
}

export function observedIn(entry: Entry, parts: EntryParts = partsOf(entry)): ObservedCall | null {
  if (parts.observed === undefined) parts.observed = readObservedCall(entry);
  return parts.observed;
}

type ShownCall = {
  /** True if the model can read the observation again. */
  canRecall?: boolean;
  whole?: FullRow | undefined;
  line?: LineRow | undefined;
  withoutThought?: ObservedCall;
};

/** An observation and its form after the first two steps of the compression. */
export type WindowEntry = {
  readonly observed: ObservedCall;
  readonly form: "whole" | "line";
  readonly supersededBy: number | null;
  /** Names the later call that changed, or may have changed, what this observation shows. */
  readonly staleBy: string | null;
};

export type ReceiptResult = "ok" | "failed" | "rejected" | "unknown";

/** A call that a person rejected, or that nobody confirmed in time, did not fail: it never ran. */
export function receiptResult(receipt: Receipt, { closed_gate }: Entry): ReceiptResult {
  if (receipt.success === null) return "unknown";
  if (receipt.success) return "ok";
  if (receipt.rejected) return "rejected";
  // Receipts of the first release do not record the rejection.
  const rejected = closed_gate?.kind === "confirmation" && ["rejected", "expired"].includes(closed_gate.how);
  return rejected ? "rejected" : "failed";
}

export function readObservedCall(entry: Entry): ObservedCall | null {
  const { observation, call } = entry;
  if (!observation) return null;
  const receipt = entry.receipts.find((one) => one.id === observation.receipt_id) ?? null;
  const { path, receipt_id: recalled } = call?.arguments ?? {};
  return {
    turn: entry.turn,
    thought: thoughtOf(entry),
    name: call?.name ?? receipt?.name ?? "runtime",
    arguments: call ? (call.arguments ? JSON.stringify(call.arguments) : "(too long to show)") : "",
    digest: call?.arguments_digest ?? receipt?.arguments_digest ?? null,
    receipt: observation.receipt_id,
    result: receipt === null ? "unknown" : receiptResult(receipt, entry),
    shows: receipt?.success === true || (receipt?.kind === "settled" && receipt.observed === true),
    changed: receipt?.source === "write_receipt" && receipt.success === true,
    path: pathOf(path),
    changedPaths: call?.changes ?? (typeof path === "string" ? [pathOf(path) ?? path] : null),
    ids: idsIn(call?.arguments ?? {}),
    // If the receipt of an observation is missing, its text is untrusted. If it never had a receipt, the text is the runtime's own.
    trust: receipt ? receipt.output_trust : observation.receipt_id === null ? "trusted" : "untrusted",
    text: observation.text,
    size: observation.size,
    partial: observation.blob !== null,
    recalls: call?.name === "recall" && typeof recalled === "string" ? recalled : null,
    shown: {},
  };
}

/** Drops the suffix of an event id, which is the day of the occurrence and may change when the event moves. */
const idsIn = (args: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(args)
    .filter(([name]) => /(?:^|_)ids?$/.test(name) && name !== "receipt_id")
    .flatMap(([, value]) => value)
    .flatMap((value) =>
      typeof value === "string" || typeof value === "number" ? [`${value}`.replace(/@.*$/, "")] : [],
    );

const pathOf = (path: unknown): string | null =>
  typeof path === "string" ? path.replace(/^(?:\.\/)+|\/+$/g, "") || "." : null;

/** Text for the user is not repeated as the thought, because the dialogue shows it. */
function thoughtOf({ call, thought, speak }: Entry): string {
  const text = oneLine(call?.thought || thought || "", THOUGHT_CHARS);
  return speak !== null && isBeginning(text)(spokenLine(speak)) ? "" : text;
}

export const spokenLine = (speak: string): string => oneLine(speak, THOUGHT_CHARS);

/** True for a stored thought that is a shortened beginning of the text for the user. */
export function isBeginning(thought: string): (spoken: string) => boolean {
  const beginning = thought.endsWith("…") ? thought.slice(0, -1) : thought;
  return (spoken) => spoken.startsWith(beginning);
}

/** Omits the text of the observation, so that only the text needs to be shortened. */
export function renderFrame(
  observed: ObservedCall,
  canRecall: boolean,
  staleBy: string | null,
): { readonly before: string; readonly after: string } {
  const { turn, thought, name, receipt, result, trust, size } = observed;
  const stale = staleBy === null ? "" : ` stale="${staleBy}"`;
  const before = [
    `## turn ${turn}`,
    ...(thought === "" ? [] : [`reason: ${escapeTags(thought)}`]),
    ...(observed.arguments === "" ? [] : [`call: ${name} ${escapeTags(observed.arguments)}`]),
    `<observation of="${name}" receipt="${receipt ?? "none"}" result="${result}" trust="${trust}" bytes="${size}"${stale}>`,
    "",
  ].join("\n");
  const more = observed.partial ? `\n(not all of it is shown${recallHint(canRecall, observed)})` : "";
  return { before, after: `\n</observation>${more}` };
}

/** These positions differ from those of a file if the output has a header or shows only a part of the file. */
export const POSITIONS = "positions are those of this output";

function recallHint(canRecall: boolean, { receipt: receipt_id, text }: ObservedCall): string {
  if (!canRecall || receipt_id === null) return "";
  const from_line = firstMissingLine(text);
  const positions = from_line === null ? "" : `; ${POSITIONS}`;
  return `${positions}; recall ${JSON.stringify({ receipt_id, ...(from_line === null ? {} : { from_line }) })} shows it`;
}

/** Always shorter than the block: thought, call, size and the id to recall it by. */
export function renderDigest(observed: ObservedCall, canRecall: boolean, outdatedBy: string | null): string {
  const call = oneLine(`${observed.name} ${observed.arguments}`, observed.name.length + 1 + LINE_ARGUMENTS_CHARS);
  const parts = [
    ...(observed.thought ? [oneLine(observed.thought, LINE_THOUGHT_CHARS)] : []),
    call,
    observed.result === "failed" || observed.result === "rejected"
      ? `${observed.result}, ${formatSize(observed.size)}`
      : formatSize(observed.size),
    ...(outdatedBy === null ? [] : [outdatedBy]),
    ...(observed.receipt === null ? [] : [`${canRecall ? "recall" : "receipt"} ${observed.receipt}`]),
  ];
  return escapeTags(`- turn ${observed.turn}: ${parts.join(" | ")}`);
}

/** Untrusted text must not open or close an observation. */
export const escapeTags = (text: string): string =>
  text.includes("<") ? text.replace(/<(?=\s*\/?\s*observation)/gi, "<\\") : text;

export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes}B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)}KB`;
  return `${(bytes / 1_000_000).toFixed(1)}MB`;
}
