// Shows the webhooks page: forms for outbound and inbound webhooks, the delivery log, and redelivery.
import { type FC, useState } from "hono/jsx/dom";
import type { WebhookView } from "../../client/jobs.ts";
import type { DeliveryLogEntry, WebhookEvent } from "../../schema/jobs/webhook.ts";
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import { NOTHING, usePolled } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Button, Disclosure, Fact, Pill, useNow, VisibleText } from "../parts/components.tsx";
import { CheckField, Form, TextField } from "../parts/fields.tsx";
import { formatAgo, formatDateTime } from "../parts/format.ts";
import { CardHead, CardList, ListPage } from "../parts/list-page.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { threadHref } from "../shell/route.ts";
import { EditSection } from "./edit-section.tsx";
import { InboundWebhooks } from "./inbound-webhooks.tsx";
import { deliveryStatus } from "./job-labels.ts";
import { RotateSecret } from "./rotate-secret.tsx";
import { SecretOnce } from "./secret-once.tsx";

export const WebhooksPage: FC<{ api: Api }> = ({ api }) => {
  const { value, failure, mutate } = usePolled(() => api.webhooks.list());
  return (
    <ListPage title={t().nav.webhooks} failure={failure}>
      <Disclosure key="create" class="create-form" label={t().webhooks.form.title}>
        {() => <WebhookForm api={api} webhook={null} onSaved={() => void mutate(NOTHING)} />}
      </Disclosure>
      <CardList key="list" items={value?.webhooks} none={t().webhooks.none}>
        {(one) => (
          <WebhookCard
            key={one.id}
            api={api}
            webhook={one}
            onSaved={() => void mutate(NOTHING)}
            onToggle={() => void mutate(api.webhooks.change(one.id, { enabled: !one.enabled }))}
            onRemove={() => void mutate(api.webhooks.remove(one.id))}
          />
        )}
      </CardList>
      <InboundWebhooks key="inbound" api={api} />
    </ListPage>
  );
};

type CardProps = {
  readonly api: Api;
  readonly webhook: WebhookView;
  readonly onSaved: () => void;
  readonly onToggle: () => void;
  readonly onRemove: () => void;
};

const WebhookCard: FC<CardProps> = ({ api, webhook, onSaved, onToggle, onRemove }) => {
  const { id, name, url, events, thread, links, enabled } = webhook;
  const { value, failure, mutate } = usePolled(() => api.webhooks.deliveries(id));
  const deliveries = value?.deliveries ?? [];
  const dead = deliveries.filter(({ status }) => status === "dead").length;
  return (
    <li class="job-card">
      <CardHead name={name} enabled={enabled} onToggle={onToggle} onRemove={onRemove}>
        {dead > 0 ? <Pill tone="bad">{t().webhooks.deadLetters(dead)}</Pill> : null}
      </CardHead>
      <dl class="job-facts">
        <Fact label={t().webhooks.url}>
          <span class="mono">
            <VisibleText text={url} />
          </span>
        </Fact>
        <Fact label={t().webhooks.events}>
          {events.length > 0
            ? t().common.list(events.map((event) => t().webhooks.form.eventNames[event]))
            : t().webhooks.noEvents}{" "}
          {thread ? <a href={threadHref(thread)}>{t().webhooks.oneThread}</a> : null}
          {links ? ` · ${t().webhooks.links}` : ""}
        </Fact>
      </dl>
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      <Disclosure key="log" label={deliveriesLabel(value ? deliveries.length : null)}>
        {() => (
          <Deliveries
            deliveries={deliveries}
            onRedeliver={(delivery) => void mutate(api.webhooks.redeliver(id, delivery))}
          />
        )}
      </Disclosure>
      <EditSection key="edit" name={name} version={JSON.stringify([name, url, events, links])}>
        {() => <WebhookForm api={api} webhook={webhook} onSaved={onSaved} />}
      </EditSection>
      <RotateSecret key="rotate" rotate={() => api.webhooks.rotate(id)} />
    </li>
  );
};

const deliveriesLabel = (amount: number | null): string =>
  amount === null ? t().webhooks.deliveries : t().webhooks.deliveryCount(amount);

type LogProps = { readonly deliveries: readonly DeliveryLogEntry[]; readonly onRedeliver: (delivery: string) => void };

const Deliveries: FC<LogProps> = ({ deliveries, onRedeliver }) => {
  const now = useNow(5000);
  if (deliveries.length === 0) return <p class="quiet small">{t().webhooks.nothingSent}</p>;
  return (
    <ol class="deliveries">
      {deliveries.map((entry) => (
        <Delivery key={entry.id} entry={entry} now={now} onRedeliver={() => onRedeliver(entry.id)} />
      ))}
    </ol>
  );
};

const Delivery: FC<{ entry: DeliveryLogEntry; now: number; onRedeliver: () => void }> = ({
  entry,
  now,
  onRedeliver,
}) => {
  const { label, tone } = deliveryStatus(entry);
  return (
    <li class="row spread">
      <span class="delivery">
        <Pill tone={tone}>{label}</Pill> {t().webhooks.form.eventNames[entry.type]}{" "}
        <a href={threadHref(entry.thread)}>{t().webhooks.thread}</a>
        <span class="quiet small delivery-facts">
          <time title={formatDateTime(entry.at)}>{formatAgo(entry.at, now)}</time> ·{" "}
          {t().webhooks.attempts(entry.attempts)}
          {entry.http_status === null ? "" : ` · HTTP ${entry.http_status}`}
          {entry.reason ? ` · ${entry.reason}` : ""}
          {entry.next_at ? ` · ${t().webhooks.next(formatDateTime(entry.next_at))}` : ""}
        </span>
      </span>
      <Button
        class={`small ${entry.status === "dead" ? "primary" : ""}`}
        aria-label={t().common.named(t().webhooks.redeliver, t().webhooks.form.eventNames[entry.type])}
        onClick={onRedeliver}
      >
        {t().webhooks.redeliver}
      </Button>
    </li>
  );
};

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

const WebhookForm: FC<Props> = ({ api, webhook, onSaved }) => {
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
