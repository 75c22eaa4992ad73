// Manages URLs to which other systems send events.
import { type FC, useState } from "hono/jsx/dom";
import type { InboundWebhookView } from "../../client/jobs.ts";
import type { InboundEventEntry } from "../../schema/jobs/webhook.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import { NOTHING, usePolled } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Button, Disclosure, Pill, useNow } from "../parts/components.tsx";
import { Form, TextField } from "../parts/fields.tsx";
import { formatAgo, formatDateTime } from "../parts/format.ts";
import { CardHead } from "../parts/list-page.tsx";
import { ProblemCard, problemTitle } from "../parts/problem-card.tsx";
import { threadHref } from "../shell/route.ts";
import { EditSection } from "./edit-section.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { SecretOnce } from "./secret-once.tsx";

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
  readonly hook: InboundWebhookView | null;
  readonly onSaved: (secrets: Secrets) => void;
};

const InboundForm: FC<FormProps> = ({ api, hook, onSaved }) => {
  const [name, setName] = useState(hook?.name ?? "");
  const [text, setText] = useState(hook ? textOf(hook.what) : "");
  const { form } = t().webhooks;
  const save = async (): Promise<Problem | null> => {
    const fields = { name, what: actionWith(hook?.what, text) };
    const saved = hook ? await api.inboundWebhooks.change(hook.id, fields) : await api.inboundWebhooks.create(fields);
    if (!saved.ok) return saved.problem;
    const { path, secret } = { path: "", secret: "", ...saved.value };
    const url = `${location.origin}${path}`;
    onSaved(
      secret
        ? [
            [t().webhooks.url, url],
            [form.secret, secret],
          ]
        : [],
    );
    return null;
  };
  return (
    <Form submit={hook ? t().common.save : form.create} busy={!name.trim() || !text.trim()} onSubmit={save}>
      <TextField label={t().common.name} name="name" value={name} onValue={setName} />
      <TextField
        label={hook?.what.kind === "message" ? t().schedules.form.message : form.inboundGoal}
        name="goal"
        value={text}
        onValue={setText}
      />
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
  return (
    <li class="job-card">
      <CardHead name={name} enabled={enabled} onToggle={onToggle} onRemove={onRemove} />
      <p class="small">
        {what.kind === "thread" ? t().schedules.startsThread(what.create.goal) : t().schedules.sendsMessage(what.text)}
      </p>
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

const InboundEvents: FC<{ api: Api; hook: string }> = ({ api, hook }) => {
  const { value, failure, mutate } = usePolled(() => api.inboundEvents(hook));
  const now = useNow(5000);
  return (
    <>
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      {value?.events.length === 0 ? (
        <p key="none" class="quiet small">
          {t().webhooks.nothingReceived}
        </p>
      ) : null}
      <ol key="list" class="deliveries">
        {(value?.events ?? []).map((entry) => (
          <EventRow
            key={entry.id}
            entry={entry}
            now={now}
            onRedeliver={() => void mutate(api.redeliverInbound(hook, entry.id))}
          />
        ))}
      </ol>
    </>
  );
};

const EventRow: FC<{ entry: InboundEventEntry; now: number; onRedeliver: () => void }> = (props) => {
  const { at, thread, problem } = props.entry;
  return (
    <li class="row spread">
      <span class="delivery">
        <Pill tone={problem ? "bad" : "good"}>{problem ? t().webhooks.refused : t().webhooks.accepted}</Pill>{" "}
        {thread ? <a href={threadHref(thread)}>{t().webhooks.thread}</a> : null}
        <span class="quiet small delivery-facts">
          <time title={formatDateTime(at)}>{formatAgo(at, props.now)}</time>
          {problem ? ` · ${problemTitle(problem.code)}` : ""}
        </span>
      </span>
      {problem?.code === "signature_invalid" ? null : (
        <Button
          key="again"
          class="small"
          aria-label={t().common.named(t().webhooks.processAgain, formatDateTime(at))}
          onClick={props.onRedeliver}
        >
          {t().webhooks.processAgain}
        </Button>
      )}
    </li>
  );
};
