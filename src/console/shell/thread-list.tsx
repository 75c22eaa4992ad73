// The list of threads. Only the visible rows are elements, so thousands of threads cost no more than a few.
import type { FC } from "hono/jsx/dom";
import { useEffect, useRef, useState } from "hono/jsx/dom";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";
import { Pill, useNow } from "../parts/components.tsx";
import { formatAgo } from "../parts/format.ts";
import { looksStopped, stateLabel } from "../parts/state-labels.ts";
import type { OverviewController } from "./overview.ts";
import { threadHref } from "./route.ts";
import { listItems, type ThreadRow, titleOf, visibleWindow } from "./thread-rows.ts";

/** Rendered above and below the visible part, so that scrolling shows no gaps. */
const MARGIN_PX = 300;

type ListProps = {
  readonly overview: OverviewController;
  readonly current: string | null;
  readonly onNavigate: () => void;
};

export const ThreadList: FC<ListProps> = ({ overview, current, onNavigate }) => {
  const { threads, cursor, search } = useStore(overview.store);
  const now = useNow(30_000);
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const updateView = (): void => {
    const element = scroller.current;
    if (!element) return;
    setView({ top: element.scrollTop, height: element.clientHeight });
    if (element.scrollHeight - element.scrollTop - element.clientHeight < 2 * MARGIN_PX) void overview.loadMore();
  };
  useEffect(updateView, [threads?.length]);
  const items = listItems(threads ?? []);
  const { first, last, before, after } = visibleWindow(items, view.top - MARGIN_PX, view.height + 2 * MARGIN_PX);
  return (
    <div ref={scroller} class="thread-groups" onScroll={updateView}>
      <ul>
        <li key="before" aria-hidden="true" style={{ height: `${before}px` }} />
        {items.slice(first, last).map((item) =>
          item.kind === "group" ? (
            <li key={item.group} class="thread-group">
              <h2>
                {t().labels.groups[item.group]} <span class="quiet">{item.amount}</span>
              </h2>
            </li>
          ) : (
            <ThreadLink
              key={item.row.id}
              row={item.row}
              now={now}
              current={current === item.row.id}
              onNavigate={onNavigate}
            />
          ),
        )}
        <li key="after" aria-hidden="true" style={{ height: `${after}px` }} />
      </ul>
      {threads?.length === 0 && !cursor ? (
        <p class="quiet small">{search.q || search.status || search.agent ? t().nav.noMatches : t().nav.noThreads}</p>
      ) : null}
    </div>
  );
};

type RowProps = {
  readonly row: ThreadRow;
  readonly now: number;
  readonly current: boolean;
  readonly onNavigate: () => void;
};

/** On a phone the list covers the page, so following a link closes it. */
const ThreadLink: FC<RowProps> = ({ row, now, current, onNavigate }) => {
  const { label, tone } = row.gate
    ? { label: t().labels.gateKinds[row.gate.kind], tone: "wait" as const }
    : stateLabel(row, row.background, looksStopped(row, now));
  return (
    <li class="thread-item">
      <a
        class="thread-row"
        href={threadHref(row.id)}
        title={titleOf(row)}
        onClick={onNavigate}
        {...(current ? { "aria-current": "page" } : {})}
      >
        <span class="thread-row-goal">{titleOf(row) || t().nav.noGoal}</span>
        <span class="thread-row-facts">
          <Pill tone={tone}>{label}</Pill>
          <time class="quiet small">{formatAgo(row.updated_at, now)}</time>
        </span>
      </a>
    </li>
  );
};
