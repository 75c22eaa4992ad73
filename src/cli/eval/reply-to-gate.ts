// Answers the gates of a run as the person of an eval task would.
import type { Gate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";

/** Returns null if the person has nothing more to say. */
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
