// Creates or changes a webhook. Its signing secret is shown once.
import { type FC, useState } from "hono/jsx/dom";
import type { WebhookView } from "../../client/jobs.ts";
import type { WebhookEvent } from "../../schema/jobs/webhook.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { CheckField, Form, TextField } from "../parts/fields.tsx";
import { SecretOnce } from "./secret-once.tsx";

const EVENTS: readonly WebhookEvent[] = [
  "gate.opened",
  "run.delivered",
  "run.aborted",
  "thread.failed",
  "turn.committed",
];

type Props = {
  readonly api: Api;
  readonly webhook: WebhookView | null;
  readonly onSaved: () => void;
};

export const WebhookForm: FC<Props> = ({ api, webhook, onSaved }) => {
  const [name, setName] = useState(webhook?.name ?? "");
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? []);
  const [links, setLinks] = useState(webhook?.links ?? false);
  const [secret, setSecret] = useState("");
  const { form } = t().webhooks;
  const save = async (): Promise<Problem | null> => {
    const fields = { name, url, events: [...events], links };
    const saved = webhook ? await api.webhooks.change(webhook.id, fields) : await api.webhooks.create(fields);
    if (!saved.ok) return saved.problem;
    if ("secret" in saved.value) setSecret(String(saved.value.secret));
    onSaved();
    return null;
  };
  if (secret) return <SecretOnce values={[[form.secret, secret]]} onDone={() => setSecret("")} />;
  return (
    <Form submit={webhook ? t().common.save : form.create} busy={!name.trim() || !url.trim()} onSubmit={save}>
      <TextField label={t().common.name} name="name" value={name} onValue={setName} />
      <TextField label={t().webhooks.url} name="url" type="url" value={url} onValue={setUrl} />
      <div class="row">
        {EVENTS.map((event) => (
          <CheckField
            key={event}
            label={form.eventNames[event]}
            name={event}
            checked={events.includes(event)}
            onValue={(on) => setEvents((known) => (on ? [...known, event] : known.filter((one) => one !== event)))}
          />
        ))}
      </div>
      <CheckField label={form.links} name="links" checked={links} onValue={setLinks} />
    </Form>
  );
};
