// Shows the webhooks page: forms for outbound and inbound webhooks, the delivery log, and redelivery.
import { type FC, useLayoutEffect } from "hono/jsx/dom";
import type { WebhookView } from "../../client/jobs.ts";
import type { DeliveryLogEntry } from "../../schema/jobs/webhook.ts";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { ConfirmButton, Disclosure, Pill, useNow, VisibleText } from "../parts/components.tsx";
import { formatAgo, formatDateTime } from "../parts/format.ts";
import { ProblemCard } from "../parts/problem-card.tsx";
import { threadHref } from "../shell/route.ts";
import { EditSection } from "./edit-section.tsx";
import { InboundWebhooks } from "./inbound-webhooks.tsx";
import { deliveryStatus } from "./job-labels.ts";
import { RotateSecret } from "./rotate-secret.tsx";
import { NOTHING, usePolled } from "./use-polled.ts";
import { WebhookForm } from "./webhook-form.tsx";

export const WebhooksPage: FC<{ api: Api }> = ({ api }) => {
  const { value, failure, mutate } = usePolled(() => api.webhooks.list());
  useLayoutEffect(() => {
    document.title = t().common.appTitle(t().webhooks.title);
  }, []);
  return (
    <div class="inbox">
      <h1>{t().webhooks.title}</h1>
      {failure ? <ProblemCard key="problem" {...failure} /> : null}
      <Disclosure key="create" class="create-form" label={t().webhooks.form.title}>
        {() => <WebhookForm api={api} webhook={null} onSaved={() => void mutate(NOTHING)} />}
      </Disclosure>
      {value?.webhooks.length === 0 ? (
        <p key="none" class="quiet">
          {t().webhooks.none}
        </p>
      ) : null}
      <ul key="list" class="gate-list">
        {(value?.webhooks ?? []).map((one) => (
          <WebhookCard
            key={one.id}
            api={api}
            webhook={one}
            onSaved={() => void mutate(NOTHING)}
            onToggle={() => void mutate(api.webhooks.change(one.id, { enabled: !one.enabled }))}
            onRemove={() => void mutate(api.webhooks.remove(one.id))}
          />
        ))}
      </ul>
      <InboundWebhooks key="inbound" api={api} />
    </div>
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
      <div class="row spread">
        <h2>{name}</h2>
        <span class="row">
          {dead > 0 ? (
            <Pill key="dead" tone="bad">
              {t().webhooks.deadLetters(dead)}
            </Pill>
          ) : null}
          <Pill key="status" tone={enabled ? "good" : "wait"}>
            {enabled ? t().common.enabled : t().common.disabled}
          </Pill>
          <button
            key="toggle"
            type="button"
            class="button small"
            aria-label={t().common.named(enabled ? t().common.disable : t().common.enable, name)}
            onClick={onToggle}
          >
            {enabled ? t().common.disable : t().common.enable}
          </button>
          <ConfirmButton
            key="remove"
            class="button small"
            label={t().common.remove}
            confirmLabel={t().common.confirmRemove}
            onConfirm={onRemove}
          />
        </span>
      </div>
      <dl class="job-facts">
        <dt>{t().webhooks.url}</dt>
        <dd class="mono">
          <VisibleText text={url} />
        </dd>
        <dt>{t().webhooks.events}</dt>
        <dd>
          {events.length > 0
            ? t().common.list(events.map((event) => t().webhooks.form.eventNames[event]))
            : t().webhooks.noEvents}{" "}
          {thread ? <a href={threadHref(thread)}>{t().webhooks.oneThread}</a> : null}
          {links ? ` · ${t().webhooks.links}` : ""}
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
      <button
        type="button"
        class={`button small ${entry.status === "dead" ? "primary" : ""}`}
        aria-label={t().common.named(t().webhooks.redeliver, t().webhooks.form.eventNames[entry.type])}
        onClick={onRedeliver}
      >
        {t().webhooks.redeliver}
      </button>
    </li>
  );
};
