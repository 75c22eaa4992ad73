// The webhooks page: endpoints, their events, the delivery log, and redelivery.
import type { FC } from "hono/jsx/dom";
import { useEffect } from "hono/jsx/dom";
import type { WebhookView } from "../../client/jobs.ts";
import type { DeliveryLogEntry } from "../../schema/jobs/webhook.ts";
import type { Api } from "../client/api.ts";
import { Code, Disclosure, Pill, useNow, VisibleText } from "../parts/components.tsx";
import { formatAgo, formatDateTime, pluralize } from "../parts/format.ts";
import { ProblemCard } from "../parts/problem-card.tsx";
import { threadHref } from "../shell/route.ts";
import { curlExample } from "./curl-example.ts";
import { deliveryStatus } from "./job-labels.ts";
import { usePolled } from "./use-polled.ts";

export const WebhooksPage: FC<{ api: Api }> = ({ api }) => {
  const { value, failure, mutate } = usePolled(() => api.webhooks.list());
  useEffect(() => {
    document.title = "Webhooks · Pawl";
  }, []);
  return (
    <div class="inbox">
      <h1>Webhooks</h1>
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      {value?.webhooks.length === 0 ? <NoWebhooks key="none" /> : null}
      <ul key="list" class="gate-list">
        {(value?.webhooks ?? []).map((one) => (
          <WebhookCard
            key={one.id}
            api={api}
            webhook={one}
            onToggle={() => void mutate(api.webhooks.change(one.id, { enabled: !one.enabled }))}
          />
        ))}
      </ul>
    </div>
  );
};

const WebhookCard: FC<{ api: Api; webhook: WebhookView; onToggle: () => void }> = ({ api, webhook, onToggle }) => {
  const { id, name, url, events, thread, links, enabled } = webhook;
  const { value, failure, mutate } = usePolled(() => api.webhooks.deliveries(id));
  const deliveries = value?.deliveries ?? [];
  const dead = deliveries.filter(({ status }) => status === "dead").length;
  return (
    <li class="job-card">
      <div class="row spread">
        <h2>{name}</h2>
        <span class="row">
          {dead > 0 ? (
            <Pill key="dead" tone="bad">
              {pluralize(dead, "dead letter")}
            </Pill>
          ) : null}
          <Pill key="status" tone={enabled ? "good" : "wait"}>
            {enabled ? "Enabled" : "Disabled"}
          </Pill>
          <button
            key="toggle"
            type="button"
            class="button small"
            aria-label={`${enabled ? "Disable" : "Enable"}: ${name}`}
            onClick={onToggle}
          >
            {enabled ? "Disable" : "Enable"}
          </button>
        </span>
      </div>
      <dl class="job-facts">
        <dt>URL</dt>
        <dd class="mono">
          <VisibleText text={url} />
        </dd>
        <dt>Events</dt>
        <dd>
          {events.length > 0 ? events.join(", ") : "none; only tools send to it"}{" "}
          {thread ? <a href={threadHref(thread)}>for one thread</a> : null}
          {links ? " · includes links to answer gates" : ""}
        </dd>
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
    </li>
  );
};

const deliveriesLabel = (amount: number | null): string =>
  amount === null ? "Deliveries" : amount === 0 ? "No deliveries yet" : pluralize(amount, "delivery", "deliveries");

type LogProps = { readonly deliveries: readonly DeliveryLogEntry[]; readonly onRedeliver: (delivery: string) => void };

const Deliveries: FC<LogProps> = ({ deliveries, onRedeliver }) => {
  const now = useNow(5000);
  if (deliveries.length === 0) return <p class="quiet small">Nothing has been sent yet.</p>;
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
        <Pill tone={tone}>{label}</Pill> <code>{entry.type}</code> <a href={threadHref(entry.thread)}>thread</a>
        <span class="quiet small delivery-facts">
          <time title={formatDateTime(entry.at)}>{formatAgo(entry.at, now)}</time> ·{" "}
          {pluralize(entry.attempts, "attempt")}
          {entry.http_status === null ? "" : ` · HTTP ${entry.http_status}`}
          {entry.reason ? ` · ${entry.reason}` : ""}
          {entry.next_at ? ` · next ${formatDateTime(entry.next_at)}` : ""}
        </span>
      </span>
      <button
        type="button"
        class={`button small ${entry.status === "dead" ? "primary" : ""}`}
        aria-label={`Redeliver: ${entry.type}`}
        onClick={onRedeliver}
      >
        Redeliver
      </button>
    </li>
  );
};

const EXAMPLE = `{
  "name": "desk",
  "url": "the URL to notify",
  "events": ["gate.opened", "run.delivered", "run.aborted", "thread.failed"]
}`;

const NoWebhooks: FC = () => (
  <div class="empty-state">
    <p>
      No webhooks are configured. A webhook notifies another system when a gate opens or a run ends. Create one with a
      request:
    </p>
    <Code>{curlExample("/v1/webhooks", EXAMPLE)}</Code>
    <p class="quiet small">The response shows the signing secret once.</p>
  </div>
);
