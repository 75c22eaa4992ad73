// Answers a question with one of its choices or with free text.
import type { FC } from "hono/jsx/dom";
import { useState } from "hono/jsx/dom";
import type { QuestionGate } from "../../schema/gate.ts";
import { t } from "../messages/messages.ts";
import type { GateProps } from "./gate-props.ts";

export const QuestionForm: FC<GateProps<QuestionGate>> = ({ gate, session }) => {
  const [text, setText] = useState("");
  const answer = (response: { text: string } | { choice: string }): void =>
    void session.send({ type: "answer", gate_id: gate.id, ...response });
  return (
    <>
      {gate.choices.length > 0 ? (
        <div class="row choices">
          {gate.choices.map((choice) => (
            <button key={choice} type="button" class="button" onClick={() => answer({ choice })}>
              {choice}
            </button>
          ))}
        </div>
      ) : null}
      <form
        class="row answer"
        onSubmit={(event: Event) => {
          event.preventDefault();
          if (text.trim()) answer({ text: text.trim() });
        }}
      >
        <label class="field grow">
          <span class="sr-only">{t().gates.yourAnswer}</span>
          <input
            name="answer"
            autocomplete="off"
            placeholder={gate.choices.length > 0 ? t().gates.ownAnswer : t().gates.yourAnswer}
            onInput={(event: Event) => setText((event.target as HTMLInputElement).value)}
          />
        </label>
        <button type="submit" class="button primary">
          {t().gates.answer}
        </button>
      </form>
      {gate.default === null ? null : <p class="quiet small">{t().gates.fallback(gate.default)}</p>}
    </>
  );
};
