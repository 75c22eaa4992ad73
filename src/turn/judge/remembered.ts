// Finds the remembered approval that covers a call. Every call is checked again: tool, version, arguments, run, taint and every reason.
import type { RememberedApproval } from "../../schema/gate.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { truncateBytes } from "../../tools/truncate-text.ts";
import type { ConfirmationReason, PreparedCall } from "./ruling.ts";

/** Maximum size of a reason in a gate. */
export const REASON_BYTES = 240;

type ApprovalState = Pick<ThreadState, "approvals" | "run" | "taint" | "workflow">;

export function coveringApproval(
  state: ApprovalState,
  call: PreparedCall,
  reasons: readonly ConfirmationReason[],
): RememberedApproval | null {
  const { manifest } = call;
  if (!manifest || reasons.some(({ once }) => once)) return null;
  const keys = reasonKeys(reasons);
  const covers = (approval: RememberedApproval): boolean =>
    approval.tool === manifest.name &&
    approval.manifest_version === manifest.version &&
    isActive(approval, state) &&
    matches(approval, call, reasons) &&
    keys.every((key) => approval.reasons.includes(key));
  return state.approvals?.find(covers) ?? null;
}

/** An approval of a command prefix ends when the thread reads untrusted text. One given in a role of a workflow is valid only in that role. */
export const isActive = (
  { remember, run, role, match }: RememberedApproval,
  state: Omit<ApprovalState, "approvals">,
): boolean =>
  (remember === "thread" || run === state.run) &&
  (match.kind === "exact" || state.taint === null) &&
  (role ?? null) === (state.workflow?.role ?? null);

function matches(
  { match }: RememberedApproval,
  { arguments_digest, command }: PreparedCall,
  reasons: readonly ConfirmationReason[],
): boolean {
  if (match.kind === "exact") return match.arguments_digest === arguments_digest;
  if (!command || command.folder !== match.folder || !allowPrefix(reasons)) return false;
  return hasPrefix(command.words, match.words);
}

export const hasPrefix = (words: readonly string[], prefix: readonly string[]): boolean =>
  prefix.length <= words.length && prefix.every((word, at) => words[at] === word);

/** True for reasons that come from the manifest or the model and say nothing about the command itself. */
const isGeneralReason = ({ code }: Pick<ConfirmationReason, "code">): boolean =>
  code === "manifest" || code === "model";

export const allowPrefix = (reasons: readonly ConfirmationReason[]): boolean =>
  reasons.every((reason) => isGeneralReason(reason) || reason.prefix === true);

type KeyedReason = Pick<ConfirmationReason, "code" | "text"> & { readonly kinds?: readonly string[] | undefined };

/** Returns the keys by which approvals are compared. Reasons of the manifest or the model only require an approval, so any approval covers them. */
export const reasonKeys = (reasons: readonly KeyedReason[]): readonly string[] =>
  reasons
    .filter((reason) => !isGeneralReason(reason))
    .flatMap(({ code, kinds, text }) =>
      (kinds ?? [truncateBytes(text, REASON_BYTES)]).map((kind) => `${code}:${kind}`),
    );
