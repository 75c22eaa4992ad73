// Returns the tool calls of a thread in chronological order with their durations, without rendering.
import type { Receipt } from "../../schema/receipt.ts";
import { receiptsOf, type Turn } from "../thread/conversation.ts";

export type TimelineEntry = {
  readonly id: string;
  readonly turn: number;
  readonly name: string;
  readonly started_at: string;
  readonly ms: number | null;
  readonly status: "succeeded" | "failed" | "rejected" | "unknown" | "running";
  readonly source: Receipt["source"];
  readonly actor: string | null;
};

/** The intended and settled receipts of one effect share an entry. User replies are not tool calls. */
export function toolTimeline(turns: readonly Turn[]): readonly TimelineEntry[] {
  const found = new Map<string, TimelineEntry>();
  for (const turn of turns) {
    for (const receipt of receiptsOf(turn)) {
      if (receipt.source === "user_reply") continue;
      const id = receipt.effect_id ?? receipt.id;
      const startedAt = found.get(id)?.started_at ?? receipt.started_at;
      found.set(id, { ...toTimelineEntry(receipt, turn.number), id, started_at: startedAt });
    }
  }
  return [...found.values()];
}

function toTimelineEntry(receipt: Receipt, turn: number): Omit<TimelineEntry, "id"> {
  const { name, source, actor, started_at } = receipt;
  const base = { turn, name, source, actor, started_at };
  if (receipt.kind === "intended") return { ...base, ms: null, status: "running" };
  const ms = Date.parse(receipt.finished_at) - Date.parse(started_at);
  const failed = receipt.rejected ? "rejected" : "failed";
  const status = receipt.success === null ? "unknown" : receipt.success ? "succeeded" : failed;
  return { ...base, ms, status };
}
