// Implements the model of parents, children and roles. Its decisions depend only on the thread and on what it was
// shown.
import type { Model, ModelRequest } from "../../../src/ports/model.ts";
import { fail, ok } from "../../../src/schema/problem.ts";
import { deliverable } from "../../support/workflow.ts";
import { crashHere, drawDelay } from "../ports.ts";
import { roll } from "../random.ts";
import type { Process, World } from "../world.ts";

const USAGE = { input_tokens: 10, output_tokens: 10 };
export const TOKENS_PER_REPLY = USAGE.input_tokens + USAGE.output_tokens;
const DONE = { action: "done", goal_check: "It is done.", speak: "Done." };

const call = (name: string, args: Record<string, unknown>) => ({
  action: "continue",
  speak: "Working.",
  tool_call: { name, arguments: args },
});

/** The calls of each task: a lookup, a write that may be cut off, and a write that a user has to approve. */
const CALLS_OF_TASKS: Readonly<Record<string, unknown>> = {
  "Task 0": call("look", { at: "desk" }),
  "Task 1": call("note", { line: "a" }),
  "Task 2": call("write", { line: "b" }),
};

export const crewModel = (world: World, process: Process): Model => ({
  name: "crew",
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
      default:
        return ok({ text: textOf(world, request), model: "crew", usage: USAGE });
    }
  },
});

function textOf(world: World, { messages, purpose }: ModelRequest): string {
  const [system = "", dialogue = "", record = ""] = messages.map(({ content }) => content);
  const visit = /step (\d+)\. You are the role (\w+)/.exec(system);
  if (visit && purpose === "deliver") return deliverableOf(world, Number(visit[1]), visit[2] ?? "");
  const goal = /Goal of this run: (.*)/.exec(dialogue)?.[1] ?? "";
  if (purpose === "deliver") return `Delivered: ${goal}`;
  const seen = record.match(/^<observation /gm)?.length ?? 0;
  // One of the parents sends a message to its children after they have reported.
  if (goal === "Parent two" && seen === 1) return JSON.stringify(broadcast(record));
  if (visit || seen > 0) return JSON.stringify(DONE);
  if (goal.startsWith("Parent")) {
    // The last child gets the rest of the budget.
    const budgets = [{ budget: { turns: 8 } }, { budget: { turns: 8 } }, {}];
    const tasks = budgets.map((budget, i) => ({ task: `Task ${i} of ${goal}`, ...budget }));
    return JSON.stringify(call("delegate_parallel", { tasks }));
  }
  return JSON.stringify(CALLS_OF_TASKS[goal.slice(0, 6)] ?? DONE);
}

function broadcast(record: string) {
  const to = [...new Set([...record.matchAll(/"thread": "(thr_[0-9a-z]+)"/g)].map(([, id]) => id))];
  return to.length > 0 ? call("task_broadcast", { message: "Once more.", to }) : DONE;
}

function deliverableOf(world: World, step: number, role: string): string {
  const drawn = roll(world.seed, 50, step);
  if (drawn < 0.15) return "No frontmatter.";
  if (drawn < 0.3) return deliverable({ $status: "$SUSPEND", reason: "For whom?" });
  if (role === "writer") return deliverable({ $status: "written", title: `Title ${step}` }, `Text ${step}.`);
  if (role === "publisher") return deliverable({ $status: "published" });
  const good = step > 6 || drawn > 0.6;
  return good ? deliverable({ $status: "good" }) : deliverable({ $status: "bad", why: `Reason ${step}` }, "Bad.");
}
