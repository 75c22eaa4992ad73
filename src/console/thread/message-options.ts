// Returns what a typed message can mean in the current state of a thread, so that typing never leads to an error.
import type { TurnInput } from "../../schema/input.ts";
import type { ThreadView } from "../../schema/turn-result.ts";

export type MessageOption =
  | "send"
  | "answer"
  | "reject"
  | "edit"
  | "happened"
  | "not_happened"
  | "reset"
  | "queue"
  | "new_goal";

type Position = Pick<ThreadView, "state" | "gate" | "background">;

/** Enter chooses the first meaning if it is "send" or "answer". Otherwise the user is asked. */
export function messageOptions({ state, gate, background }: Position): readonly MessageOption[] {
  if (state === "failed") return ["reset", "new_goal"];
  // While a background run waits at a gate, a message can be queued until the gate is answered.
  const queue: readonly MessageOption[] = background?.status === "on" ? ["queue"] : [];
  switch (gate?.kind) {
    case "question":
    case "suspend":
      return ["answer", "new_goal"];
    case "plan":
      return ["reject", ...queue, "new_goal"];
    case "confirmation":
      return ["reject", "edit", ...queue, "new_goal"];
    case "doubt":
      return ["happened", "not_happened", ...queue, "new_goal"];
    case "external":
      return [...queue, "new_goal"];
    case undefined:
      return ["send"];
  }
}

export const isSentDirectly = (options: readonly MessageOption[]): boolean =>
  options[0] === "send" || options[0] === "answer";

/** Returns the inputs to send, in order. There are none if the option only opens a form or queues the message. */
export function inputsOf(option: MessageOption, text: string, { gate }: Position): readonly TurnInput[] {
  const message: TurnInput = { type: "message", text };
  switch (option) {
    case "send":
      return [message];
    case "new_goal":
      return [{ type: "cancel" }, message];
    case "reset":
      return [{ type: "reset" }, message];
    case "answer":
      if (gate?.kind === "suspend") return [{ type: "resume", supplement: text }];
      return gate ? [{ type: "answer", gate_id: gate.id, text }] : [];
    case "reject":
      return gate?.kind === "plan" || gate?.kind === "confirmation"
        ? [{ type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "reject", reason: text }]
        : [];
    case "happened":
    case "not_happened":
      return gate ? [{ type: "resolve", gate_id: gate.id, outcome: option, note: text }] : [];
    case "edit":
    case "queue":
      return [];
  }
}
