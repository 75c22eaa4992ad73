// Plays an eval task over HTTP within its limits, and answers its gates as the task specifies.
import type { Client, RunResponse } from "../../client/client.ts";
import type { Gate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import type { Result } from "../../schema/problem.ts";
import type { TurnView } from "../../schema/turn-result.ts";
import type { Evidence } from "./judges.ts";
import type { EvalTask } from "./task.ts";

export async function playTask(client: Client, task: EvalTask): Promise<Result<Evidence>> {
  const started = Date.now();
  const seconds = (): number => (Date.now() - started) / 1000;
  const created = await client.create(createInput(task));
  if (!created.ok) return created;
  const { id } = created.value.thread;
  const turns: TurnView[] = [];
  const answers = [...task.answers];
  let input: TurnInput | null = null;
  for (let steps = 1; ; steps++) {
    const body: { input?: TurnInput } = input ? { input } : {};
    const ran: Result<RunResponse> = await client.call("POST", `/v1/threads/${id}/turns?until=step`, body);
    if (!ran.ok) return ran;
    const { thread, next, problem } = ran.value;
    turns.push(...ran.value.turns);
    input = thread.gate ? replyTo(thread.gate, task.confirm ?? null, answers) : null;
    const goesOn = !problem && (next === "advance" || input !== null);
    if (goesOn && steps < task.limits.max_steps && seconds() < task.limits.timeout_minutes * 60) continue;
    return { ok: true, value: { thread, turns, seconds: seconds() } };
  }
}

function createInput({ workflow, prompt, agent, mode, toolkits }: EvalTask) {
  const input = workflow ? { workflow, prompt } : { goal: prompt, mode };
  return { ...input, ...(agent ? { agent } : {}), ...(toolkits.length > 0 ? { toolkits } : {}) };
}

/** Returns null if the task has no answer to the gate. An answer to a question is removed from `answers`. */
export function replyTo(gate: Gate, decision: "approve" | "reject" | null, answers: string[]): TurnInput | null {
  switch (gate.kind) {
    case "plan":
    case "confirmation":
      return decision && { type: "confirm", gate_id: gate.id, digest: gate.digest, decision };
    case "question": {
      const text = answers.shift();
      return text === undefined ? null : { type: "answer", gate_id: gate.id, text };
    }
    case "suspend": {
      const supplement = answers.shift();
      return supplement === undefined ? null : { type: "resume", supplement };
    }
    default:
      return null;
  }
}
