// Shows the choices of a question. A free-text answer is typed into the message field below.
import { type FC, useState } from "hono/jsx/dom";
import type { AskedQuestion } from "../../schema/decision/questions.ts";
import type { QuestionGate } from "../../schema/gate.ts";
import { t } from "../messages/messages.ts";
import { Button } from "../parts/components.tsx";
import { inputValue } from "../parts/events.ts";
import type { GateProps } from "./gate-props.ts";

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

type Given = { readonly choices: readonly string[]; readonly text: string };
const NOTHING: Given = { choices: [], text: "" };
const isEmpty = ({ choices, text }: Given): boolean => choices.length === 0 && text.trim() === "";

type Props = GateProps<QuestionGate> & { readonly questions: readonly AskedQuestion[] };

const QuestionsForm: FC<Props> = ({ gate, session, questions }) => {
  const [given, setGiven] = useState<readonly Given[]>(questions.map(() => NOTHING));
  const set = (index: number, answer: Given): void => setGiven(given.map((one, i) => (i === index ? answer : one)));
  const send = (): void => {
    const answers = given.map(({ choices, text }) => ({
      ...(choices.length > 0 && { choices: [...choices] }),
      ...(text.trim() !== "" && { text: text.trim() }),
    }));
    void session.send({ type: "answer", gate_id: gate.id, answers });
  };
  return (
    <>
      {questions.map((question, i) => (
        <QuestionFields
          key={question.question}
          name={`${gate.id}-${i}`}
          question={question}
          given={given[i] ?? NOTHING}
          onChange={(answer) => set(i, answer)}
        />
      ))}
      <div key="actions" class="gate-actions row">
        <Button class="primary" disabled={given.some(isEmpty)} onClick={send}>
          {t().gates.sendAnswers}
        </Button>
      </div>
    </>
  );
};

type FieldsProps = {
  readonly name: string;
  readonly question: AskedQuestion;
  readonly given: Given;
  readonly onChange: (given: Given) => void;
};

const QuestionFields: FC<FieldsProps> = ({ name, question: { question, choices, multiple }, given, onChange }) => {
  const toggle = (choice: string): void => {
    const others = multiple ? given.choices.filter((one) => one !== choice) : [];
    const taken = given.choices.includes(choice) ? others : [...others, choice];
    // Sorts the choices as in the question, whatever the order of the clicks.
    onChange({ ...given, choices: choices.filter((one) => taken.includes(one)) });
  };
  return (
    <fieldset class="question">
      <legend>{question}</legend>
      {choices.map((choice) => (
        <label key={choice} class="row">
          <input
            type={multiple ? "checkbox" : "radio"}
            name={name}
            value={choice}
            checked={given.choices.includes(choice)}
            onChange={() => toggle(choice)}
          />
          <span>{choice}</span>
        </label>
      ))}
      <label key="text" class="field">
        <span>{choices.length > 0 ? t().gates.ownWords : t().gates.yourAnswer}</span>
        <input
          type="text"
          name={`${name}-text`}
          value={given.text}
          onInput={(event: Event) => onChange({ ...given, text: inputValue(event) })}
        />
      </label>
    </fieldset>
  );
};
