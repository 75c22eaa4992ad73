// Lists the events that an inbound webhook accepted or refused. Each can be processed again.
import type { FC } from "hono/jsx/dom";
import type { InboundEventEntry } from "../../schema/jobs/webhook.ts";
import type { Api } from "../client/api.ts";
import { usePolled } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Button, Pill, useNow } from "../parts/components.tsx";
import { formatAgo, formatDateTime } from "../parts/format.ts";
import { ProblemCard, problemTitle } from "../parts/problem-card.tsx";
import { threadHref } from "../shell/route.ts";

export const InboundEvents: FC<{ api: Api; hook: string }> = ({ api, hook }) => {
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
