// Shows the workflow of a thread: its graph and its steps, which can be repeated or forked.
import { type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import type { WorkflowView } from "../../schema/turn-result.ts";
import type { Api, WorkflowStepView } from "../client/api.ts";
import type { Session } from "../client/session.ts";
import { useLoaded } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Disclosure, LongText, TextButton, VisibleJson } from "../parts/components.tsx";
import { inputValue } from "../parts/events.ts";
import { Form } from "../parts/fields.tsx";
import { GraphView } from "./graph-view.tsx";

type Props = {
  readonly api: Api;
  readonly session: Session;
  readonly workflow: WorkflowView;
  readonly busy: boolean;
  readonly onTurn: (turn: number) => void;
  readonly onFork: (turn: number) => Promise<void>;
};

export const WorkflowPanel: FC<Props> = ({ api, session, workflow, busy, onTurn, onFork }) => {
  // Without the definition, which another server may have, the steps are shown without the graph.
  const definition = useLoaded(() => api.workflow(workflow.workflow), [workflow.workflow]).value?.workflow;
  const { steps, before, loadMore } = useSteps(api, session.id, workflow.head);
  const current = workflow.suspended_role ?? workflow.current_role;
  return (
    <div>
      {definition ? <GraphView key="graph" definition={definition} workflow={workflow} /> : null}
      <p key="status" class="small">
        <strong>{workflow.name}</strong> · {t().workflow.statuses[workflow.status]}
        {current ? <span class="quiet"> · {current}</span> : null}
      </p>
      {workflow.error ? (
        <p key="error" class="small">
          <LongText text={workflow.error} />
        </p>
      ) : null}
      <PokeForm key="poke" session={session} workflow={workflow} busy={busy} />
      <h3 class="panel-title">{t().workflow.steps}</h3>
      {steps.length === 0 ? <p class="quiet small">{t().workflow.noSteps}</p> : null}
      <ol class="plain-list">
        {steps.map((step) => (
          <StepItem key={step.step} step={step} onTurn={onTurn} onFork={onFork} />
        ))}
      </ol>
      {before ? (
        <TextButton key="more" onClick={loadMore}>
          {t().workflow.earlier}
        </TextButton>
      ) : null}
    </div>
  );
};

type StepProps = Pick<Props, "onTurn" | "onFork"> & { readonly step: WorkflowStepView };

const StepItem: FC<StepProps> = ({ step: { n, role, status, output, text, details }, onTurn, onFork }) => (
  <li>
    <div class="row spread">
      <span>
        {n}. <strong>{role}</strong> <code>{status}</code>
      </span>
      <span class="row">
        <TextButton onClick={() => onTurn(details.turn)}>{t().panels.turn(details.turn)}</TextButton>
        <TextButton aria-label={t().common.named(t().thread.fork, String(n))} onClick={() => void onFork(details.turn)}>
          {t().thread.fork}
        </TextButton>
      </span>
    </div>
    {text ? <LongText text={text} class="small" /> : null}
    <Disclosure label={t().workflow.output} class="small">
      {() => <VisibleJson value={output} />}
    </Disclosure>
  </li>
);

const POKABLE: readonly WorkflowView["status"][] = ["idle", "suspended"];

const PokeForm: FC<Pick<Props, "session" | "workflow" | "busy">> = ({ session, workflow, busy }) => {
  const [text, setText] = useState("");
  const last = workflow.steps.at(-1);
  if (!last || !POKABLE.includes(workflow.status)) return null;
  const send = async (): Promise<null> => {
    if (await session.send({ type: "poke", text })) setText("");
    return null;
  };
  return (
    <Form submit={t().workflow.pokeSend} busy={busy || text.trim() === ""} onSubmit={send}>
      <label class="field">
        <span>{t().workflow.poke(last.n, last.role)}</span>
        <textarea rows={2} value={text} disabled={busy} onInput={(event: Event) => setText(inputValue(event))} />
      </label>
    </Form>
  );
};

function useSteps(api: Api, id: string, head: string) {
  const [page, setPage] = useState<{ steps: readonly WorkflowStepView[]; before: string | null }>({
    steps: [],
    before: null,
  });
  useLayoutEffect(() => {
    let isCurrent = true;
    void api.workflowSteps(id).then((loaded) => {
      if (loaded.ok && isCurrent) setPage(loaded.value);
    });
    return () => {
      isCurrent = false;
    };
  }, [id, head]);
  const loadMore = async (): Promise<void> => {
    const loaded = await api.workflowSteps(id, page.before);
    if (loaded.ok) setPage({ steps: [...page.steps, ...loaded.value.steps], before: loaded.value.before });
  };
  return { ...page, loadMore: () => void loadMore() };
}
