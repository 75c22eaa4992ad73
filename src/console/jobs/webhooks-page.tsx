// Webhooks: who is told of what, what became of it, and a way to send again what nobody took.
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
          <Pill key="on" tone={enabled ? "good" : "wait"}>
            {enabled ? "On" : "Off"}
          </Pill>
          <button
            key="switch"
            type="button"
            class="button small"
            aria-label={`Switch ${enabled ? "off" : "on"}: ${name}`}
            onClick={onToggle}
          >
            {enabled ? "Switch off" : "Switch on"}
          </button>
        </span>
      </div>
      <dl class="job-facts">
        <dt>Where</dt>
        <dd class="mono">
          <VisibleText text={url} />
        </dd>
        <dt>Tells of</dt>
        <dd>
          {events.length > 0 ? events.join(", ") : "nothing by itself; tools send to it"}{" "}
          {thread ? <a href={threadHref(thread)}>of one thread</a> : null}
          {links ? " · with links that answer gates" : ""}
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
  if (deliveries.length === 0) return <p class="quiet small">Nothing was sent yet.</p>;
  return (
    <ol class="deliveries">
      {deliveries.map((line) => (
        <Delivery key={line.id} line={line} now={now} onRedeliver={() => onRedeliver(line.id)} />
      ))}
    </ol>
  );
};

const Delivery: FC<{ line: DeliveryLogEntry; now: number; onRedeliver: () => void }> = ({ line, now, onRedeliver }) => {
  const { label, tone } = deliveryStatus(line);
  return (
    <li class="row spread">
      <span class="delivery">
        <Pill tone={tone}>{label}</Pill> <code>{line.type}</code> <a href={threadHref(line.thread)}>thread</a>
        <span class="quiet small delivery-facts">
          <time title={formatDateTime(line.at)}>{formatAgo(line.at, now)}</time> ·{" "}
          {pluralize(line.attempts, "try", "tries")}
          {line.http_status === null ? "" : ` · HTTP ${line.http_status}`}
          {line.reason ? ` · ${line.reason}` : ""}
          {line.next_at ? ` · next ${formatDateTime(line.next_at)}` : ""}
        </span>
      </span>
      <button
        type="button"
        class={`button small ${line.status === "dead" ? "primary" : ""}`}
        aria-label={`Send again: ${line.type}`}
        onClick={onRedeliver}
      >
        Send again
      </button>
    </li>
  );
};

const EXAMPLE = `{
  "name": "desk",
  "url": "the address to tell",
  "events": ["gate.opened", "run.delivered", "run.aborted", "thread.failed"]
}`;

const NoWebhooks: FC = () => (
  <div class="job-none">
    <p>Nobody is told. A webhook tells another system when a gate opens or a run ends. Make one by a call:</p>
    <Code>{curlExample("/v1/webhooks", EXAMPLE)}</Code>
    <p class="quiet small">The answer shows its secret, once.</p>
  </div>
);
