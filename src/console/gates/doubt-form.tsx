// Resolves a call that started but whose result is unknown. It does not run again until the user decides.
import type { FC } from "hono/jsx/dom";
import { useState } from "hono/jsx/dom";
import type { DoubtGate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { Code, VisibleJson } from "../parts/components.tsx";
import { formatDateTime } from "../parts/format.ts";
import type { GateProps } from "./gate-props.ts";

type ResolveOutcome = Extract<TurnInput, { type: "resolve" }>["outcome"];

export const DoubtForm: FC<GateProps<DoubtGate>> = ({ gate, session }) => {
  const [note, setNote] = useState("");
  const resolve = (outcome: ResolveOutcome): void =>
    void session.send({ type: "resolve", gate_id: gate.id, outcome, ...(note.trim() ? { note: note.trim() } : {}) });
  return (
    <>
      <p class="small">
        <code>{gate.call.name}</code> was started at {formatDateTime(gate.intended.started_at)}.
      </p>
      <Code class="tool-args">
        <VisibleJson value={gate.call.arguments} />
      </Code>
      <label class="field">
        <span>How do you know? (stored with the record)</span>
        <input
          name="note"
          autocomplete="off"
          onInput={(event: Event) => setNote((event.target as HTMLInputElement).value)}
        />
      </label>
      <div class="row">
        <button type="button" class="button primary" onClick={() => resolve("happened")}>
          It happened
        </button>
        <button type="button" class="button" onClick={() => resolve("not_happened")}>
          It did not happen
        </button>
        <button type="button" class="button" onClick={() => resolve("try_again")}>
          Retry
        </button>
        <button type="button" class="button danger" onClick={() => resolve("abort")}>
          Abort the run
        </button>
      </div>
    </>
  );
};
