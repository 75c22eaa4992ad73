// Lists all open gates of all threads.
import { type FC, useLayoutEffect } from "hono/jsx/dom";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";
import { Button, Pill, useNow } from "../parts/components.tsx";
import { formatAgo, formatDuration } from "../parts/format.ts";
import { CardList, ListPage } from "../parts/list-page.tsx";
import type { OpenGate, OverviewController } from "./overview.ts";
import { gateHref, threadHref } from "./route.ts";

export const Inbox: FC<{ overview: OverviewController }> = ({ overview }) => {
  const { gates, moreGates } = useStore(overview.store);
  const now = useNow(5000);
  useLayoutEffect(() => void overview.refresh(), []);
  return (
    <ListPage title={t().nav.inbox}>
      <CardList key="list" items={gates} none={t().inbox.empty}>
        {(open) => <GateRow key={open.gate.id} openGate={open} now={now} />}
      </CardList>
      {moreGates ? (
        <Button key="more" onClick={() => void overview.showMoreGates()}>
          {t().inbox.more}
        </Button>
      ) : null}
    </ListPage>
  );
};

const GateRow: FC<{ openGate: OpenGate; now: number }> = ({ openGate: { thread, goal, gate, on_behalf_of }, now }) => (
  <li>
    <a class="gate-row" href={gateHref(thread)}>
      <span class="row spread">
        <Pill tone="wait">{t().labels.gateKinds[gate.kind]}</Pill>
        <span class="quiet small">
          {gate.expires_at
            ? t().common.expiresIn(formatDuration(Date.parse(gate.expires_at) - now))
            : formatAgo(gate.created_at, now)}
        </span>
      </span>
      <span class="gate-row-text">{gate.text}</span>
      <span class="quiet small">{goal}</span>
    </a>
    {on_behalf_of ? (
      <a class="small" href={threadHref(on_behalf_of)}>
        {t().inbox.onBehalfOf}
      </a>
    ) : null}
  </li>
);
