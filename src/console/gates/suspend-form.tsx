// Resumes the suspended role of a workflow with an answer or advice.
import type { FC } from "hono/jsx/dom";
import { useState } from "hono/jsx/dom";
import type { SuspendGate } from "../../schema/gate.ts";
import type { GateProps } from "./gate-props.ts";

export const SuspendForm: FC<GateProps<SuspendGate>> = ({ gate, session }) => {
  const [text, setText] = useState("");
  return (
    <form
      class="row answer"
      onSubmit={(event: Event) => {
        event.preventDefault();
        void session.send({ type: "resume", supplement: text.trim() });
      }}
    >
      <label class="field grow">
        <span class="sr-only">Your answer to {gate.role}</span>
        <input
          name="supplement"
          autocomplete="off"
          placeholder={gate.failed ? "Advice for another attempt (optional)" : "Your answer"}
          onInput={(event: Event) => setText((event.target as HTMLInputElement).value)}
        />
      </label>
      <button type="submit" class="button primary">
        Resume
      </button>
    </form>
  );
};
