// Manages URLs to which other systems send events: create, change, enable or disable, rotate the secret, delete, and
// list received events.
import { type FC, useState } from "hono/jsx/dom";
import type { InboundWebhookView } from "../../client/jobs.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { ConfirmButton, Disclosure, Pill } from "../parts/components.tsx";
import { Form, TextField } from "../parts/fields.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { EditSection } from "./edit-section.tsx";
import { InboundEvents } from "./inbound-events.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { NOTHING, usePolled } from "./use-polled.ts";

type Secrets = readonly (readonly [label: string, value: string])[];

export const InboundWebhooks: FC<{ api: Api }> = ({ api }) => {
  const { value, failure, mutate } = usePolled(() => api.inboundWebhooks.list());
  const [secrets, setSecrets] = useState<Secrets>([]);
  return (
    <section aria-label={t().webhooks.inbound}>
      <h2 class="section-title">{t().webhooks.inbound}</h2>
      <p class="quiet small">{t().webhooks.inboundLead}</p>
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      {secrets.length > 0 ? <SecretOnce key="secret" values={secrets} onDone={() => setSecrets([])} /> : null}
      <Disclosure key="create" class="create-form" label={t().webhooks.form.createInbound}>
        {() => (
          <InboundForm
            api={api}
            hook={null}
            onSaved={(created) => {
              setSecrets(created);
              void mutate(NOTHING);
            }}
          />
        )}
      </Disclosure>
      <ul key="list" class="gate-list">
        {(value?.hooks ?? []).map((hook) => (
          <InboundCard
            key={hook.id}
            api={api}
            hook={hook}
            onSaved={() => void mutate(NOTHING)}
            onToggle={() => void mutate(api.inboundWebhooks.change(hook.id, { enabled: !hook.enabled }))}
            onRemove={() => void mutate(api.inboundWebhooks.remove(hook.id))}
          />
        ))}
      </ul>
    </section>
  );
};

type FormProps = {
  readonly api: Api;
  /** The webhook to change, or null to create one. */
  readonly hook: InboundWebhookView | null;
  readonly onSaved: (secrets: Secrets) => void;
};

const InboundForm: FC<FormProps> = ({ api, hook, onSaved }) => {
  const [name, setName] = useState(hook?.name ?? "");
  const [text, setText] = useState(hook ? textOf(hook.what) : "");
  const [problem, setProblem] = useState<Problem | null>(null);
  const { form } = t().webhooks;
  const save = async (): Promise<void> => {
    const fields = { name, what: actionWith(hook?.what, text) };
    if (hook) {
      const changed = await api.inboundWebhooks.change(hook.id, fields);
      return changed.ok ? onSaved([]) : setProblem(changed.problem);
    }
    const created = await api.inboundWebhooks.create(fields);
    if (!created.ok) return setProblem(created.problem);
    const { path, secret } = created.value;
    onSaved([
      [t().webhooks.url, `${location.origin}${path}`],
      [form.secret, secret],
    ]);
  };
  return (
    <Form
      submit={hook ? t().common.save : form.create}
      busy={!name.trim() || !text.trim()}
      onSubmit={() => void save()}
    >
      <TextField label={form.name} name="name" value={name} onValue={setName} />
      <TextField
        label={hook?.what.kind === "message" ? t().schedules.form.message : form.inboundGoal}
        name="goal"
        value={text}
        onValue={setText}
      />
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
    </Form>
  );
};

type Action = InboundWebhookView["what"];

const textOf = (what: Action): string => (what.kind === "thread" ? what.create.goal : what.text);

/** Replaces the text of an action, and keeps its other fields. */
const actionWith = (what: Action | undefined, text: string): Action =>
  what?.kind === "message"
    ? { ...what, text }
    : { kind: "thread", create: { ...(what?.create as Extract<Action, { kind: "thread" }>["create"]), goal: text } };

type CardProps = {
  readonly api: Api;
  readonly hook: InboundWebhookView;
  readonly onSaved: () => void;
  readonly onToggle: () => void;
  readonly onRemove: () => void;
};

const InboundCard: FC<CardProps> = ({ api, hook, onSaved, onToggle, onRemove }) => {
  const { id, name, enabled, what } = hook;
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
          label={t().common.remove}
          confirmLabel={t().common.confirmRemove}
          onConfirm={onRemove}
        />
      </div>
      <Disclosure key="log" label={t().webhooks.received}>
        {() => <InboundEvents api={api} hook={id} />}
      </Disclosure>
      <EditSection key="edit" name={name} version={JSON.stringify([name, what])}>
        {() => <InboundForm api={api} hook={hook} onSaved={onSaved} />}
      </EditSection>
      <RotateSecret key="rotate" rotate={() => api.inboundWebhooks.rotate(id)} />
    </li>
  );
};
