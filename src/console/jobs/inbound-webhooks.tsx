// URLs to which other systems send events: create, switch, rotate the secret, delete.
import type { FC } from "hono/jsx/dom";
import { useState } from "hono/jsx/dom";
import type { InboundWebhookView } from "../../client/jobs.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { ConfirmButton, Disclosure, Pill } from "../parts/components.tsx";
import { Form, TextField } from "../parts/fields.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { usePolled } from "./use-polled.ts";

type Secrets = readonly (readonly [label: string, value: string])[];

export const InboundWebhooks: FC<{ api: Api }> = ({ api }) => {
  const { value, failure, mutate } = usePolled(() => api.inboundWebhooks.list());
  const [secrets, setSecrets] = useState<Secrets>([]);
  const rotate = async (id: string): Promise<void> => {
    const rotated = await api.inboundWebhooks.rotate(id);
    if (rotated.ok) setSecrets([[t().webhooks.form.secret, rotated.value.secret]]);
    await mutate(Promise.resolve(rotated));
  };
  return (
    <section aria-label={t().webhooks.inbound}>
      <h2 class="section-title">{t().webhooks.inbound}</h2>
      <p class="quiet small">{t().webhooks.inboundLead}</p>
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      {secrets.length > 0 ? <SecretOnce key="secret" values={secrets} onDone={() => setSecrets([])} /> : null}
      <Disclosure key="create" class="create-form" label={t().webhooks.form.createInbound}>
        {() => (
          <CreateForm
            api={api}
            onCreated={(created) => {
              setSecrets(created);
              void mutate(Promise.resolve({ ok: true, value: null }));
            }}
          />
        )}
      </Disclosure>
      <ul key="list" class="gate-list">
        {(value?.hooks ?? []).map((hook) => (
          <InboundCard
            key={hook.id}
            hook={hook}
            onToggle={() => void mutate(api.inboundWebhooks.change(hook.id, { enabled: !hook.enabled }))}
            onRotate={() => void rotate(hook.id)}
            onRemove={() => void mutate(api.inboundWebhooks.remove(hook.id))}
          />
        ))}
      </ul>
    </section>
  );
};

const CreateForm: FC<{ api: Api; onCreated: (secrets: Secrets) => void }> = ({ api, onCreated }) => {
  const [name, setName] = useState("");
  const [goal, setGoal] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const { form } = t().webhooks;
  const create = async (): Promise<void> => {
    const created = await api.inboundWebhooks.create({ name, what: { kind: "thread", create: { goal } } });
    if (!created.ok) return setProblem(created.problem);
    onCreated([
      [t().webhooks.url, `${location.origin}${created.value.path}`],
      [form.secret, created.value.secret],
    ]);
  };
  return (
    <Form submit={form.create} busy={!name.trim() || !goal.trim()} onSubmit={() => void create()}>
      <TextField label={form.name} name="name" value={name} onValue={setName} />
      <TextField label={form.inboundGoal} name="goal" value={goal} onValue={setGoal} />
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
    </Form>
  );
};

type CardProps = {
  readonly hook: InboundWebhookView;
  readonly onToggle: () => void;
  readonly onRotate: () => void;
  readonly onRemove: () => void;
};

const InboundCard: FC<CardProps> = ({ hook, onToggle, onRotate, onRemove }) => {
  const { name, enabled, what } = hook;
  const action = enabled ? t().common.disable : t().common.enable;
  return (
    <li class="job-card">
      <div class="row spread">
        <h3>{name}</h3>
        <Pill tone={enabled ? "good" : "wait"}>{enabled ? t().common.enabled : t().common.disabled}</Pill>
      </div>
      <p class="small">
        {what.kind === "thread" ? t().schedules.startsThread(what.create.goal) : t().schedules.sendsMessage(what.text)}
      </p>
      <div class="row">
        <button type="button" class="button small" aria-label={t().common.named(action, name)} onClick={onToggle}>
          {action}
        </button>
        <ConfirmButton
          class="button small"
          label={t().webhooks.rotate}
          confirmLabel={t().webhooks.confirmRotate}
          onConfirm={onRotate}
        />
        <ConfirmButton
          class="button small"
          label={t().common.remove}
          confirmLabel={t().common.confirmRemove}
          onConfirm={onRemove}
        />
      </div>
    </li>
  );
};
