// Webhooks: who is told of what, what became of it, and a way to send again what nobody took.
import type { FC } from "hono/jsx/dom";
import { useEffect } from "hono/jsx/dom";
import type { WebhookView } from "../../client/jobs.ts";
import type { DeliveryLine } from "../../schema/jobs/webhook.ts";
import type { Api } from "../client/api.ts";
import { Code, Fold, Pill, useNow, Visible } from "../parts/bits.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { ago, count, whole } from "../parts/words.ts";
import { threadHref } from "../shell/route.ts";
import { exampleCall } from "./example.ts";
import { deliveryWords } from "./job-words.ts";
import { useLooked } from "./looked.ts";

export const WebhooksPage: FC<{ api: Api }> = ({ api }) => {
  const { value, trouble, act } = useLooked(() => api.webhooks.list());
  useEffect(() => {
    document.title = "Webhooks · Pawl";
  }, []);
  return (
    <div class="inbox">
      <h1>Webhooks</h1>
      {trouble ? <ProblemCard key="problem" {...trouble} /> : null}
      {value?.webhooks.length === 0 ? <NoWebhooks key="none" /> : null}
      <ul key="list" class="gate-list">
        {(value?.webhooks ?? []).map((one) => (
          <WebhookCard
            key={one.id}
            api={api}
            webhook={one}
            onSwitch={() => void act(api.webhooks.change(one.id, { enabled: !one.enabled }))}
          />
        ))}
      </ul>
    </div>
  );
};

const WebhookCard: FC<{ api: Api; webhook: WebhookView; onSwitch: () => void }> = ({ api, webhook, onSwitch }) => {
  const { id, name, url, events, thread, links, enabled } = webhook;
  const { value, trouble, act } = useLooked(() => api.webhooks.deliveries(id));
  const deliveries = value?.deliveries ?? [];
  const dead = deliveries.filter(({ status }) => status === "dead").length;
  return (
    <li class="job-card">
      <div class="row spread">
        <h2>{name}</h2>
        <span class="row">
          {dead > 0 ? (
            <Pill key="dead" tone="bad">
              {count(dead, "dead letter")}
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
            onClick={onSwitch}
          >
            {enabled ? "Switch off" : "Switch on"}
          </button>
        </span>
      </div>
      <dl class="job-facts">
        <dt>Where</dt>
        <dd class="mono">
          <Visible text={url} />
        </dd>
        <dt>Tells of</dt>
        <dd>
          {events.length > 0 ? events.join(", ") : "nothing by itself; tools send to it"}{" "}
          {thread ? <a href={threadHref(thread)}>of one thread</a> : null}
          {links ? " · with links that answer gates" : ""}
        </dd>
      </dl>
      {trouble ? <ProblemCard key="problem" {...trouble} /> : null}
      <Fold key="log" label={logWords(value ? deliveries.length : null)}>
        {() => (
          <Deliveries deliveries={deliveries} onAgain={(delivery) => void act(api.webhooks.redeliver(id, delivery))} />
        )}
      </Fold>
    </li>
  );
};

const logWords = (amount: number | null): string =>
  amount === null ? "Deliveries" : amount === 0 ? "No deliveries yet" : count(amount, "delivery", "deliveries");

type LogProps = { readonly deliveries: readonly DeliveryLine[]; readonly onAgain: (delivery: string) => void };

const Deliveries: FC<LogProps> = ({ deliveries, onAgain }) => {
  const now = useNow(5000);
  if (deliveries.length === 0) return <p class="quiet small">Nothing was sent yet.</p>;
  return (
    <ol class="deliveries">
      {deliveries.map((line) => (
        <Delivery key={line.id} line={line} now={now} onAgain={() => onAgain(line.id)} />
      ))}
    </ol>
  );
};

const Delivery: FC<{ line: DeliveryLine; now: number; onAgain: () => void }> = ({ line, now, onAgain }) => {
  const { label, tone } = deliveryWords(line);
  return (
    <li class="row spread">
      <span class="delivery">
        <Pill tone={tone}>{label}</Pill> <code>{line.type}</code> <a href={threadHref(line.thread)}>thread</a>
        <span class="quiet small delivery-facts">
          <time title={whole(line.at)}>{ago(line.at, now)}</time> · {count(line.attempts, "try", "tries")}
          {line.http_status === null ? "" : ` · HTTP ${line.http_status}`}
          {line.reason ? ` · ${line.reason}` : ""}
          {line.next_at ? ` · next ${whole(line.next_at)}` : ""}
        </span>
      </span>
      <button
        type="button"
        class={`button small ${line.status === "dead" ? "primary" : ""}`}
        aria-label={`Send again: ${line.type}`}
        onClick={onAgain}
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
    <Code>{exampleCall("/v1/webhooks", EXAMPLE)}</Code>
    <p class="quiet small">The answer shows its secret, once.</p>
  </div>
);
