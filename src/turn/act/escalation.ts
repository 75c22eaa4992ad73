// Ends the run of a child that needs a person, with the reason. The parent reads the reason and decides what to do.
import type { ChildState } from "../../schema/workflow/child.ts";
import { truncateBytes } from "../../tools/truncate-text.ts";
import { amend, type Draft } from "../commit/draft.ts";
import { unprovenEnd } from "../judge/run-evidence.ts";

const REASON_BYTES = 1_024;

export const withEscalation = (draft: Draft, child: ChildState, reason: string): Draft =>
  amend(draft, {
    state: {
      ...unprovenEnd(draft.state),
      child: { ...child, escalated: truncateBytes(reason, REASON_BYTES) },
      idle: 0,
    },
    entry: { speak: reason },
    signals: [{ type: "run.aborted" }],
  });
