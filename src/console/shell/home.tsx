// Shows the home page: an introduction, examples, and the form that starts a thread.
import { type FC, useRef, useState } from "hono/jsx/dom";
import type { CreateInput } from "../../schema/input.ts";
import type { Problem } from "../../schema/problem.ts";
import { calendarAgent } from "../calendar/calendar-agent.ts";
import type { About, Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { Logo } from "../parts/components.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { ImportThread } from "./import-thread.tsx";
import { TITLE_CHARS } from "./thread-rows.ts";

export type StartThread = (input: CreateInput) => Promise<Problem | null>;

type StartProps = { readonly api: Api; readonly about: About | null; readonly onStart: StartThread };
type HomeProps = StartProps & { readonly first: boolean };

export const Home: FC<HomeProps> = ({ api, first, about, onStart }) => (
  <div class="home">
    <header class="hero">
      {first ? <Logo /> : null}
      <h1>{first ? t().home.firstTitle : t().home.title}</h1>
      {first ? <p class="lead">{t().home.lead}</p> : null}
    </header>
    <StartForm key="start" api={api} about={about} onStart={onStart} />
    {first ? <Introduction key="introduction" /> : null}
    {about?.caller.scopes.includes("admin") ? <ImportThread key="import" api={api} /> : null}
  </div>
);

const StartForm: FC<StartProps> = ({ api, about, onStart }) => {
  const goal = useRef<HTMLTextAreaElement>(null);
  const [busy, setBusy] = useState(false);
  const [direct, setDirect] = useState(false);
  const [autoApprovePlan, setAutoApprovePlan] = useState(false);
  // True by default, so that closing the tab does not stop a run.
  const [runInBackground, setRunInBackground] = useState(true);
  const [problem, setProblem] = useState<Problem | null>(null);
  // The last example makes the demo model claim success too early, to show how the judgement rejects it.
  const { weekExamples, examples, misbehavingExample, misbehavingLabel } = t().home;
  const start = async (text: string, { onCalendar = false } = {}): Promise<void> => {
    if (!text.trim() || busy) return;
    setBusy(true);
    setProblem(null);
    const failed = await onStart({
      goal: text.trim(),
      // The title does not change when later runs have other goals.
      metadata: { title: text.trim().slice(0, TITLE_CHARS) },
      ...(onCalendar ? await calendarAgent(api) : {}),
      ...(direct ? { mode: "direct" as const } : {}),
      ...(autoApprovePlan ? { plan_approval: "auto" as const } : {}),
      ...(runInBackground ? { run: "background" as const } : {}),
    });
    setProblem(failed);
    setBusy(false);
  };
  return (
    <form
      class="start-form"
      onSubmit={(event: Event) => {
        event.preventDefault();
        void start(goal.current?.value ?? "");
      }}
    >
      <label class="field">
        <span>{t().home.goal}</span>
        <textarea
          ref={goal}
          name="goal"
          rows={3}
          placeholder={examples[0] ?? ""}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void start(goal.current?.value ?? "");
          }}
        />
      </label>
      <div class="row spread">
        <span class="row start-options">
          <Checkbox label={t().home.skipPlanning} onCheck={setDirect} />
          <Checkbox label={t().home.approvePlan} onCheck={setAutoApprovePlan} />
          {about?.worker ? <Checkbox label={t().home.background} checked onCheck={setRunInBackground} /> : null}
        </span>
        <button type="submit" class="button primary" disabled={busy}>
          {t().home.start}
        </button>
      </div>
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
      {about?.demo ? (
        <div key="week" class="examples">
          <p class="quiet small">{t().home.weekTitle}</p>
          <ul>
            {weekExamples.map((text) => (
              <li key={text}>
                <button
                  type="button"
                  class="example"
                  disabled={busy}
                  onClick={() => void start(text, { onCalendar: true })}
                >
                  {text}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <div key="examples" class="examples">
        <p class="quiet small">{t().home.examplesTitle}</p>
        <ul>
          {[...examples, ...(about?.demo ? [misbehavingExample] : [])].map((text) => (
            <li key={text}>
              <button type="button" class="example" disabled={busy} onClick={() => void start(text)}>
                {text === misbehavingExample ? misbehavingLabel : text}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </form>
  );
};

const Checkbox: FC<{ label: string; checked?: boolean; onCheck: (on: boolean) => void }> = (props) => (
  <label class="check small">
    <input
      type="checkbox"
      checked={props.checked ?? false}
      onChange={(event: Event) => props.onCheck((event.target as HTMLInputElement).checked)}
    />{" "}
    {props.label}
  </label>
);

const Introduction: FC = () => (
  <ol class="introduction">
    {t().home.introduction.map(([title, text]) => (
      <li key={title}>
        <h2>{title}</h2>
        <p>{text}</p>
      </li>
    ))}
  </ol>
);
