// Handles calls that ask a question before they can finish: opens the gate for the question, and prepares the call to run again with the answer.
import type { z } from "zod";
import type { ContinuedCall, StoredCall } from "../../schema/gate.ts";
import type { CallQuestion } from "../../tools/outcome.ts";
import { escapeHidden } from "../../tools/redaction/escape-hidden.ts";
import type { Authorization } from "../act/receipts.ts";
import { amend, type Draft } from "../commit/draft.ts";
import type { TurnContext } from "../context.ts";
import { withQuestion } from "./open-gate.ts";

type ContinuedCallFields = Pick<z.infer<typeof ContinuedCall>, "call" | "gate_id" | "actor">;

export const continuedCall = (
  call: StoredCall,
  { gate_id, actor }: Pick<Authorization, "gate_id" | "actor">,
): ContinuedCallFields => ({
  call,
  gate_id,
  actor,
});

/** A cancelled run opens no gate. Neither does a child thread: nobody would answer, so its call has failed. */
export function withCallQuestion(
  ctx: TurnContext,
  draft: Draft,
  asking: ContinuedCallFields,
  question: CallQuestion | undefined,
): Draft {
  const { rt } = ctx;
  const ended = draft.signals.some(({ type }) => type === "run.cancelled");
  if (!question || ended || draft.state.child) return draft;
  const text = escapeHidden(question.text);
  const choices = (question.choices ?? []).map(escapeHidden);
  const state_blob = rt.hash.sha256(question.state);
  const continues = { ...asking, state_blob };
  return amend(withQuestion(ctx, draft, { text, choices, default: null, expires_in_s: null, continues }), {
    blobs: [{ hash: state_blob, text: question.state }],
  });
}
