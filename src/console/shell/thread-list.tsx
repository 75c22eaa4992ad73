// Shows the list of threads. Only the visible rows are elements, so thousands of threads cost no more than a few.
import { type FC, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "hono/jsx/dom";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";
import { Pill, useNow } from "../parts/components.tsx";
import { formatAgo, formatNumber } from "../parts/format.ts";
import { looksStopped, stateLabel } from "../parts/state-labels.ts";
import type { OverviewController } from "./overview.ts";
import { threadHref } from "./route.ts";
import { itemAt, type ListItem, listItems, type ThreadRow, titleOf, topsOf, visibleWindow } from "./thread-rows.ts";

/** The height that is rendered above and below the visible part, so that scrolling shows no gaps. */
const MARGIN_PX = 300;
/** The distance from the end of the list at which the next page is read. */
const READ_AHEAD_PX = 2000;

type ListProps = {
  readonly overview: OverviewController;
  readonly current: string | null;
  readonly onNavigate: () => void;
};

export const ThreadList: FC<ListProps> = ({ overview, current, onNavigate }) => {
  const { threads, waiting, cursor, search } = useStore(overview.store);
  const now = useNow(30_000);
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const items = useMemo(() => listItems(threads ?? [], waiting), [threads, waiting]);
  const tops = useMemo(() => topsOf(items), [items]);
  const keepPlace = usePlace(scroller, items, tops);
  const updateView = (): void => {
    const element = scroller.current;
    if (!element) return;
    keepPlace();
    setView({ top: element.scrollTop, height: element.clientHeight });
    if (element.scrollHeight - element.scrollTop - element.clientHeight < READ_AHEAD_PX) void overview.loadMore();
  };
  useLayoutEffect(updateView, [items]);
  useLayoutEffect(() => {
    scroller.current?.scrollTo(0, 0);
  }, [search]);
  const { first, last, before, after } = visibleWindow(tops, view.top - MARGIN_PX, view.height + 2 * MARGIN_PX);
  return (
    <div ref={scroller} class="thread-groups" onScroll={updateView}>
      <ul>
        <li key="before" aria-hidden="true" style={{ height: `${before}px` }} />
        {items.slice(first, last).map((item) =>
          item.kind === "group" ? (
            <li key={item.group} class="thread-group">
              <h2>
                {item.group === "waiting" ? t().labels.groups.waiting : t().nav.recent}{" "}
                {item.group === "waiting" ? (
                  <span class="quiet">{`${formatNumber(item.amount)}${item.more ? "+" : ""}`}</span>
                ) : null}
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
      {threads !== null && items.length === 0 && !cursor ? (
        <p class="quiet small">{search.q || search.status || search.agent ? t().nav.noMatches : t().nav.noThreads}</p>
      ) : null}
    </div>
  );
};

/** Keeps the thread at the upper edge in place while others are added or moved above it, except at the top of the list. */
function usePlace(
  scroller: RefObject<HTMLDivElement | null>,
  items: readonly ListItem[],
  tops: readonly number[],
): () => void {
  const place = useRef<{ readonly id: string; readonly offset: number } | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    const kept = place.current;
    if (!element || !kept) return;
    const at = items.findIndex((item) => item.kind === "thread" && item.row.id === kept.id);
    if (at >= 0) element.scrollTop = (tops[at] ?? 0) + kept.offset;
  }, [tops]);
  return () => {
    const top = scroller.current?.scrollTop ?? 0;
    const upper = itemAt(tops, top);
    const at = items[upper]?.kind === "group" ? upper + 1 : upper;
    const item = items[at];
    const isAtTop = top === 0 || item?.kind !== "thread";
    place.current = isAtTop ? null : { id: item.row.id, offset: top - (tops[at] ?? 0) };
  };
}

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
