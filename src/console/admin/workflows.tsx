// Shows the stored workflows, with a form to store one and a form to start a thread with one.
import { type FC, useState } from "hono/jsx/dom";
import type { Problem } from "../../schema/problem.ts";
import type { WorkflowSummary } from "../client/admin-api.ts";
import type { Api } from "../client/api.ts";
import { NOTHING, usePolled } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Disclosure } from "../parts/components.tsx";
import { inputValue } from "../parts/events.ts";
import { Form, TextField } from "../parts/fields.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import type { StartThread } from "../shell/home.tsx";

type Props = { readonly api: Api; readonly worker: boolean; readonly onStart: StartThread };

export const Workflows: FC<Props> = ({ api, worker, onStart }) => {
  const { value, failure, mutate } = usePolled(() => api.workflows());
  return (
    <section aria-label={t().agents.workflows}>
      <h2 class="section-title">{t().agents.workflows}</h2>
      <p class="quiet small">{value?.workflows.length === 0 ? t().agents.noWorkflows : t().agents.workflowsLead}</p>
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      <Disclosure key={`new-${value?.workflows.length ?? 0}`} class="create-form" label={t().agents.newWorkflow}>
        {() => <StoreForm api={api} onStored={() => void mutate(NOTHING)} />}
      </Disclosure>
      <ul key="list" class="gate-list">
        {(value?.workflows ?? []).map((workflow) => (
          <li key={workflow.hash} class="job-card">
            <h3>{workflow.name}</h3>
            <p class="small">{workflow.description}</p>
            <StartForm workflow={workflow} worker={worker} onStart={onStart} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const StoreForm: FC<{ api: Api; onStored: () => void }> = ({ api, onStored }) => {
  const [text, setText] = useState("");
  const store = async (): Promise<Problem | null> => {
    const stored = await api.storeWorkflow(text);
    if (!stored.ok) return stored.problem;
    onStored();
    return null;
  };
  return (
    <Form submit={t().agents.storeWorkflow} busy={!text.trim()} onSubmit={store}>
      <label class="field">
        <span>{t().agents.workflowText}</span>
        <textarea
          class="mono"
          name="workflow"
          rows={10}
          spellcheck={false}
          onInput={(event: Event) => setText(inputValue(event))}
        />
      </label>
    </Form>
  );
};

type StartProps = { readonly workflow: WorkflowSummary; readonly worker: boolean; readonly onStart: StartThread };

const StartForm: FC<StartProps> = ({ workflow: { name }, worker, onStart }) => {
  const [prompt, setPrompt] = useState("");
  const start = () => onStart({ workflow: name, prompt, ...(worker ? { run: "background" as const } : {}) });
  return (
    <Form submit={t().agents.startWorkflow} busy={!prompt.trim()} onSubmit={start}>
      <TextField label={t().agents.task} name={`task-${name}`} value={prompt} onValue={setPrompt} />
    </Form>
  );
};
