// Creates a webhook. Its signing secret is shown once.
import type { FC } from "hono/jsx/dom";
import { useState } from "hono/jsx/dom";
import type { WebhookEvent } from "../../schema/jobs/webhook.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { CheckField, Form, TextField } from "../parts/fields.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { SecretOnce } from "./secret-once.tsx";

const EVENTS: readonly WebhookEvent[] = ["gate.opened", "run.delivered", "run.aborted", "thread.failed"];

export const WebhookForm: FC<{ api: Api; onCreated: () => void }> = ({ api, onCreated }) => {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<readonly WebhookEvent[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [secret, setSecret] = useState("");
  const { form } = t().webhooks;
  const create = async (): Promise<void> => {
    const created = await api.webhooks.create({ name, url, events: [...events] });
    setProblem(created.ok ? null : created.problem);
    if (!created.ok) return;
    setSecret(created.value.secret);
    onCreated();
  };
  if (secret) return <SecretOnce values={[[form.secret, secret]]} onDone={() => setSecret("")} />;
  return (
    <Form submit={form.create} busy={!name.trim() || !url.trim()} onSubmit={() => void create()}>
      <TextField label={form.name} name="name" value={name} onValue={setName} />
      <TextField label={t().webhooks.url} name="url" type="url" value={url} onValue={setUrl} />
      <div class="row">
        {EVENTS.map((event) => (
          <CheckField
            key={event}
            label={event}
            name={event}
            onValue={(on) => setEvents((known) => (on ? [...known, event] : known.filter((one) => one !== event)))}
          />
        ))}
      </div>
      {problem ? <ProblemCard key="problem" problem={problem} onRetry={null} /> : null}
    </Form>
  );
};
