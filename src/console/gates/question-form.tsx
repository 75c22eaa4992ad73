// Shows the choices of a question. A free-text answer is typed into the message field below.
import type { FC } from "hono/jsx/dom";
import type { QuestionGate } from "../../schema/gate.ts";
import { t } from "../messages/messages.ts";
import { Button } from "../parts/components.tsx";
import type { GateProps } from "./gate-props.ts";
import { QuestionsForm } from "./questions-form.tsx";

export const QuestionForm: FC<GateProps<QuestionGate>> = ({ gate, session }) =>
  gate.questions ? (
    <QuestionsForm gate={gate} session={session} questions={gate.questions} />
  ) : (
    <>
      {gate.choices.length > 0 ? (
        <div key="choices" class="row choices">
          {gate.choices.map((choice) => (
            <Button key={choice} onClick={() => void session.send({ type: "answer", gate_id: gate.id, choice })}>
              {choice}
            </Button>
          ))}
        </div>
      ) : null}
      <p key="hint" class="quiet small">
        {gate.choices.length > 0 ? t().gates.orType : t().gates.typeBelow}
        {gate.default === null ? "" : ` ${t().gates.fallback(gate.default)}`}
      </p>
    </>
  );
