// Answers the gates of a run with the answers of an eval task.
import type { Gate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";

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
