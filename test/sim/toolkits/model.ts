// Implements the model of the toolkit histories. Every reply calls one of the tools with state, with words that occur
// only once.
import type { Model } from "../../../src/ports/model.ts";
import { fail, ok } from "../../../src/schema/problem.ts";
import { crashHere, drawDelay } from "../ports.ts";
import { createRandom, type Random, STREAMS } from "../random.ts";
import type { Process, World } from "../world.ts";

/** The number of replies, which survives the processes. The first `events_first` of them create events. */
export type ReplyCount = { count: number; readonly events_first: number };

export const MEMORY_NAMES = ["first", "second", "third"] as const;

export const toolkitModel = (world: World, process: Process, replies: ReplyCount): Model => ({
  name: "toolkits",
  window: 32_768,
  max_output_tokens: 1_000,
  prices: { input_per_million: 0, output_per_million: 0 },
  async reply(request) {
    await world.wait(process, `model ${request.purpose}`, drawDelay(world, "model"), request.signal);
    switch (world.fault("model", { down: 3, crash_before: 1, crash_after: 2 })) {
      case "down":
        return fail("model_unavailable", "The provider is busy.", { retry_after_s: 2 });
      case "crash_before":
      case "crash_after":
        return crashHere(world, process);
      default: {
        const text = request.purpose === "deliver" ? "Delivered." : decisionText(world, replies);
        world.trace.note(`m ${text}`);
        return ok({ text, model: "toolkits", usage: { input_tokens: 10, output_tokens: 10 } });
      }
    }
  },
});

function decisionText(world: World, replies: ReplyCount): string {
  const n = replies.count++;
  if (world.faultsStopped()) return JSON.stringify({ action: "abort", abort: { user_message: "Enough." } });
  const random = createRandom(world.seed, STREAMS.model, n);
  const [name, args] = chooseCall(random, n, n < replies.events_first);
  return JSON.stringify({ action: "continue", speak: "Working.", tool_call: { name, arguments: args } });
}

const OWN = { event: 6, undo: 2, save: 5, recall: 1, todo: 3, merge: 1, move: 4, undo_move: 2, text: 4, list: 1 };
const WEIGHTS = { ...OWN, remind: 3, query: 3, report: 4 };
/** Statements to run. The last three are refused: a masked column, a table that is not granted, and a write. */
const STATEMENTS = [
  "SELECT name, orders FROM customers",
  "SELECT name, orders FROM customers WHERE orders > 1",
  "SELECT name, orders, email FROM customers",
  "SELECT name, amount FROM salaries",
  "DELETE FROM customers",
];

function chooseCall(random: Random, n: number, event: boolean): readonly [string, Record<string, unknown>] {
  const day = String(2 + random.int(20)).padStart(2, "0");
  const chosen = random.weighted(WEIGHTS);
  switch (event ? "event" : chosen) {
    case "event": {
      const start = `2026-03-${day}T${10 + random.int(6)}:00`;
      return ["create_event", { title: `Event ${n}`, start, duration_min: 30, if_busy: "allow" }];
    }
    case "undo":
      return ["undo_calendar_change", {}];
    case "save":
      return ["memory_save", { name: random.pick(MEMORY_NAMES), text: `Fact ${n}.` }];
    case "recall":
      return ["memory_recall", {}];
    case "todo":
      return [
        "todo",
        {
          items: [
            { id: "a", content: `Item ${n}` },
            { content: `Other ${n}`, status: "in_progress" },
          ],
        },
      ];
    case "merge":
      return ["todo", { merge: true, items: [{ id: "b", content: `More ${n}` }] }];
    case "move":
      return ["move", { task_id: 1 + random.int(30), new_day: 1 + random.int(35), new_slot_start: 1 + random.int(10) }];
    case "undo_move":
      return ["undo_last_change", {}];
    case "text":
      return ["channel_send_text", { text: `Text ${n}`, channel: "group", to: "Ann" }];
    case "remind":
      return ["set_reminder", { text: `Remind ${n}`, at: `2026-03-${day}T${10 + random.int(9)}:15` }];
    case "query":
      return ["mysql_query", { source: "shop", sql: random.pick(STATEMENTS) }];
    case "report":
      return ["mcp_desk_file_report", { report: `Report ${n}` }];
    case "list":
      return ["list_events", { from: "2026-03-02", to: "2026-03-22" }];
  }
}
