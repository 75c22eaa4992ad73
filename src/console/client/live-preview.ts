// Collects text and tool progress of the running turn. It is only a preview: the record that follows is authoritative.
import type { LiveEvent } from "../../schema/event.ts";
import type { ThreadView } from "../../schema/turn-result.ts";

export type LivePreview = {
  readonly turn: number | null;
  readonly text: string;
  /** Text that was shown and then discarded, for example because the judgement rejected the reply. */
  readonly discarded: { readonly text: string; readonly reason: string } | null;
  readonly tool: { readonly name: string; readonly progress: readonly string[] } | null;
};

export const EMPTY_PREVIEW: LivePreview = { turn: null, text: "", discarded: null, tool: null };

const PROGRESS_LINES = 50;

export function applyEvent(live: LivePreview, event: LiveEvent): LivePreview {
  switch (event.type) {
    case "turn.started":
      return { ...EMPTY_PREVIEW, turn: event.turn };
    case "speak.delta":
      return { ...live, turn: event.turn, text: live.text + event.text };
    case "speak.discarded":
      return { ...live, text: "", discarded: { text: live.text, reason: event.reason } };
    case "tool.started":
      return { ...live, turn: event.turn, tool: { name: event.name, progress: [] } };
    case "tool.progress": {
      const progress = [...(live.tool?.progress ?? []), event.text].slice(-PROGRESS_LINES);
      return { ...live, turn: event.turn, tool: { name: event.name, progress } };
    }
    default:
      return live;
  }
}

/** True if a record of the event's turn is already shown, unless the call of that turn is still running. */
export const isStale = ({ turn }: LiveEvent, thread: Pick<ThreadView, "turn" | "at"> | null): boolean =>
  thread !== null && (turn < thread.turn || (turn === thread.turn && thread.at !== "acting"));
