// The home page: an introduction, examples, and the form that starts a thread.
import type { FC } from "hono/jsx/dom";
import { useRef, useState } from "hono/jsx/dom";
import type { CreateInput } from "../../schema/input.ts";
import type { Problem } from "../../schema/problem.ts";
import { Logo } from "../parts/components.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";

/** Goals for the sample semester, which every new thread contains. */
const EXAMPLES: readonly string[] = [
  "Move the essay outline to Thursday of week 1",
  "Find time for the lab report draft and place it",
  "Spread the tasks of week 1 more evenly",
  "What is on Monday of week 1?",
];
/** Makes the demo model claim success too early, to show how the judgement rejects it. */
const MISBEHAVING_EXAMPLE = "Move the essay outline to Friday of week 2 /misbehave early-done";

export type StartThread = (input: CreateInput) => Promise<Problem | null>;

type HomeProps = { readonly first: boolean; readonly demo: boolean; readonly onStart: StartThread };

export const Home: FC<HomeProps> = ({ first, demo, onStart }) => (
  <div class="home">
    <header class="hero">
      {first ? <Logo /> : null}
      <h1>{first ? "An agent you can follow and stop" : "Start a thread"}</h1>
      {first ? (
        <p class="lead">
          Pawl advances one durable turn at a time. A model proposes, the runtime judges, you approve what matters, and
          “done” needs proof. You can close this page at any time without losing anything.
        </p>
      ) : null}
    </header>
    <StartForm demo={demo} onStart={onStart} />
    {first ? <Introduction /> : null}
  </div>
);

const StartForm: FC<Omit<HomeProps, "first">> = ({ demo, onStart }) => {
  const goal = useRef<HTMLTextAreaElement>(null);
  const [busy, setBusy] = useState(false);
  const [direct, setDirect] = useState(false);
  const [autoApprovePlan, setAutoApprovePlan] = useState(false);
  const [runInBackground, setRunInBackground] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const start = async (text: string): Promise<void> => {
    if (!text.trim() || busy) return;
    setBusy(true);
    setProblem(null);
    const failed = await onStart({
      goal: text.trim(),
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
        <span>What should the agent do?</span>
        <textarea
          ref={goal}
          name="goal"
          rows={3}
          placeholder={EXAMPLES[0] ?? ""}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void start(goal.current?.value ?? "");
          }}
        />
      </label>
      <div class="row spread">
        <span class="row start-options">
          <Checkbox label="Skip planning" onCheck={setDirect} />
          <Checkbox label="Approve the plan automatically" onCheck={setAutoApprovePlan} />
          <Checkbox label="Run in the background" onCheck={setRunInBackground} />
        </span>
        <button type="submit" class="button primary" disabled={busy}>
          Start
        </button>
      </div>
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
      <div key="examples" class="examples">
        <p class="quiet small">Or try an example with the sample semester:</p>
        <ul>
          {[...EXAMPLES, ...(demo ? [MISBEHAVING_EXAMPLE] : [])].map((text) => (
            <li key={text}>
              <button type="button" class="example" disabled={busy} onClick={() => void start(text)}>
                {text === MISBEHAVING_EXAMPLE ? "See a false “done” get caught" : text}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </form>
  );
};

const Checkbox: FC<{ label: string; onCheck: (on: boolean) => void }> = ({ label, onCheck }) => (
  <label class="check small">
    <input type="checkbox" onChange={(event: Event) => onCheck((event.target as HTMLInputElement).checked)} /> {label}
  </label>
);

const INTRODUCTION_STEPS: readonly (readonly [string, string])[] = [
  ["Ask", "State a goal. The planner writes the steps and names the proof each one needs."],
  ["Watch", "Every turn is recorded: decision, judgement, receipt, and the exact prompt the model received."],
  ["Approve", "A change waits for your approval for as long as it takes, and you approve its exact arguments."],
];

const Introduction: FC = () => (
  <ol class="introduction">
    {INTRODUCTION_STEPS.map(([title, text]) => (
      <li key={title}>
        <h2>{title}</h2>
        <p>{text}</p>
      </li>
    ))}
  </ol>
);
