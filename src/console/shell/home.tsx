// Shows the home page: an introduction, examples, and the form that starts a thread.
import { type FC, useRef, useState } from "hono/jsx/dom";
import type { CreateInput } from "../../schema/input.ts";
import type { Problem } from "../../schema/problem.ts";
import { calendarAgent } from "../calendar/calendar-agent.ts";
import type { About, Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { Button, Disclosure, Logo } from "../parts/components.tsx";
import { onEnter, onSubmit } from "../parts/events.ts";
import { CheckField, FileField } from "../parts/fields.tsx";
import { useTitle } from "../parts/list-page.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { navigate, threadHref } from "./route.ts";
import { TITLE_CHARS } from "./thread-rows.ts";

export type StartThread = (input: CreateInput) => Promise<Problem | null>;

type StartProps = { readonly api: Api; readonly about: About | null; readonly onStart: StartThread };
type HomeProps = StartProps & { readonly first: boolean };

export const Home: FC<HomeProps> = ({ api, first, about, onStart }) => {
  useTitle("");
  return (
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
};

const StartForm: FC<StartProps> = ({ api, about, onStart }) => {
  const goal = useRef<HTMLTextAreaElement>(null);
  const [busy, setBusy] = useState(false);
  const [direct, setDirect] = useState(false);
  const [autoApprovePlan, setAutoApprovePlan] = useState(false);
  // True by default, so that closing the tab does not stop a run.
  const [runInBackground, setRunInBackground] = useState(true);
  const [problem, setProblem] = useState<Problem | null>(null);
  // The last example makes the demo model claim success too early, to show how the judgement rejects it.
  const { weekExamples, examples, misbehavingExample } = t().home;
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
  const startOnCalendar = (text: string): void => void start(text, { onCalendar: true });
  return (
    <form class="start-form" onSubmit={onSubmit(() => void start(goal.current?.value ?? ""))}>
      <label class="field">
        <span>{t().home.goal}</span>
        <textarea
          ref={goal}
          name="goal"
          rows={3}
          placeholder={examples[0] ?? ""}
          onKeyDown={onEnter(() => void start(goal.current?.value ?? ""))}
        />
      </label>
      <div class="row spread">
        <span class="row start-options">
          <CheckField label={t().home.skipPlanning} checked={direct} onValue={setDirect} />
          <CheckField label={t().home.approvePlan} checked={autoApprovePlan} onValue={setAutoApprovePlan} />
          {about?.worker ? (
            <CheckField label={t().home.background} checked={runInBackground} onValue={setRunInBackground} />
          ) : null}
        </span>
        <Button type="submit" class="primary" disabled={busy}>
          {t().home.start}
        </Button>
      </div>
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
      {about?.demo ? (
        <Examples key="week" title={t().home.weekTitle} busy={busy} texts={weekExamples} onChoose={startOnCalendar} />
      ) : null}
      <Examples
        key="examples"
        title={t().home.examplesTitle}
        busy={busy}
        texts={[...examples, ...(about?.demo ? [misbehavingExample] : [])]}
        onChoose={(text) => void start(text)}
      />
    </form>
  );
};

type ExamplesProps = {
  readonly title: string;
  readonly texts: readonly string[];
  readonly busy: boolean;
  readonly onChoose: (text: string) => void;
};

const Examples: FC<ExamplesProps> = ({ title, texts, busy, onChoose }) => (
  <div class="examples">
    <p class="quiet small">{title}</p>
    <ul>
      {texts.map((text) => (
        <li key={text}>
          <button type="button" class="example" disabled={busy} onClick={() => onChoose(text)}>
            {text === t().home.misbehavingExample ? t().home.misbehavingLabel : text}
          </button>
        </li>
      ))}
    </ul>
  </div>
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

const ImportThread: FC<{ api: Api }> = ({ api }) => {
  const importFile = async (file: File): Promise<Problem | null> => {
    const imported = await api.importThread(file);
    if (!imported.ok) return imported.problem;
    navigate(threadHref(imported.value.thread.id));
    return null;
  };
  return (
    <Disclosure class="import-form small" label={t().home.importTitle}>
      {() => <FileField label={t().home.importFile} note={t().home.importNote} accept=".jsonl" onFile={importFile} />}
    </Disclosure>
  );
};
