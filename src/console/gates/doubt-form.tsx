// Resolves a call with an unknown result. The call does not run again until the user decides.
import { type FC, useState } from "hono/jsx/dom";
import type { DoubtGate } from "../../schema/gate.ts";
import type { TurnInput } from "../../schema/input.ts";
import { t } from "../messages/messages.ts";
import { Button } from "../parts/components.tsx";
import { inputValue } from "../parts/events.ts";
import { formatDateTime } from "../parts/format.ts";
import { GateArguments } from "./gate-arguments.tsx";
import type { GateProps } from "./gate-props.ts";

type ResolveOutcome = Extract<TurnInput, { type: "resolve" }>["outcome"];

export const DoubtForm: FC<GateProps<DoubtGate>> = ({ gate, session }) => {
  const [note, setNote] = useState("");
  const resolve = (outcome: ResolveOutcome): void =>
    void session.send({ type: "resolve", gate_id: gate.id, outcome, ...(note.trim() ? { note: note.trim() } : {}) });
  return (
    <>
      <p class="small">{t().gates.startedAt(gate.call.name, formatDateTime(gate.intended.started_at))}</p>
      <GateArguments value={gate.call.arguments ?? {}} />
      <label class="field">
        <span>{t().gates.howKnown}</span>
        <input name="note" autocomplete="off" onInput={(event: Event) => setNote(inputValue(event))} />
      </label>
      <div class="gate-actions row">
        <Button class="primary" onClick={() => resolve("happened")}>
          {t().gates.happened}
        </Button>
        <Button onClick={() => resolve("not_happened")}>{t().gates.notHappened}</Button>
        <Button onClick={() => resolve("try_again")}>{t().common.retry}</Button>
        <Button class="danger" onClick={() => resolve("abort")}>
          {t().gates.abort}
        </Button>
      </div>
    </>
  );
};
