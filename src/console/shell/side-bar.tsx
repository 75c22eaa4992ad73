// The list of threads, grouped by status, and links to the other pages.
import type { FC } from "hono/jsx/dom";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";
import { Logo, Pill, useNow } from "../parts/components.tsx";
import { formatAgo } from "../parts/format.ts";
import { GROUPS, groupOf, looksStopped, stateLabel } from "../parts/state-labels.ts";
import { LanguageSelect } from "./language-select.tsx";
import type { OverviewController, ThreadRow } from "./overview.ts";
import { HOME, INBOX, type Route, SCHEDULES, TOOLS, threadHref, WEBHOOKS } from "./route.ts";
import { ThemeButton } from "./theme-button.tsx";

type SideProps = {
  readonly overview: OverviewController;
  readonly route: Route;
  readonly open: boolean;
  readonly onNavigate: () => void;
  /** null when no key is in use. */
  readonly onForgetKey: (() => void) | null;
};

/** `scope`: the link is shown only to callers that have it. */
const PAGE_LINKS: readonly {
  readonly href: string;
  readonly page: "inbox" | "schedules" | "tools" | "webhooks";
  readonly scope?: string;
}[] = [
  { href: INBOX, page: "inbox" },
  { href: SCHEDULES, page: "schedules" },
  { href: TOOLS, page: "tools", scope: "admin" },
  { href: WEBHOOKS, page: "webhooks", scope: "admin" },
];

export const SideBar: FC<SideProps> = ({ overview, route, open, onNavigate, onForgetKey }) => {
  const { threads, cursor, gates, about } = useStore(overview.store);
  const now = useNow(30_000);
  const visibleLinks = PAGE_LINKS.filter(({ scope }) => !scope || about?.caller.scopes.includes(scope));
  return (
    <nav id="threads" class={`side-bar ${open ? "side-open" : ""}`} aria-label={t().nav.threads}>
      <a class="brand" href={HOME} onClick={onNavigate}>
        <Logo />
        <span>{t().common.product}</span>
      </a>
      <a class="button primary block-button" href={HOME} onClick={onNavigate}>
        {t().nav.newThread}
      </a>
      <div class="nav-links">
        {visibleLinks.map(({ href, page }) => (
          <a
            key={page}
            class="nav-link"
            href={href}
            onClick={onNavigate}
            {...(route.page === page ? { "aria-current": "page" } : {})}
          >
            <span>{t().nav[page]}</span>
            {page === "inbox" && gates.length > 0 ? <span class="badge">{gates.length}</span> : null}
          </a>
        ))}
      </div>
      <div class="thread-groups">
        {GROUPS.map((group) => {
          const rows = (threads ?? []).filter((row) => groupOf(row) === group);
          return rows.length === 0 ? null : (
            <section key={group}>
              <h2>
                {t().labels.groups[group]} <span class="quiet">{rows.length}</span>
              </h2>
              <ul>
                {rows.map((row) => (
                  <ThreadLink
                    key={row.id}
                    row={row}
                    now={now}
                    current={route.page === "thread" && route.id === row.id}
                    onNavigate={onNavigate}
                  />
                ))}
              </ul>
            </section>
          );
        })}
        {threads?.length === 0 ? <p class="quiet small">{t().nav.noThreads}</p> : null}
        {cursor ? (
          <button key="more" type="button" class="link" onClick={() => void overview.loadMore()}>
            {t().nav.olderThreads}
          </button>
        ) : null}
      </div>
      <footer class="side-foot small quiet">
        <span>
          {about ? `${about.release} · ${about.caller.name} ` : ""}
          {onForgetKey ? (
            <button key="forget" type="button" class="link" onClick={onForgetKey}>
              {t().nav.forgetKey}
            </button>
          ) : null}
        </span>
        <span class="row spread">
          <LanguageSelect />
          <ThemeButton />
        </span>
      </footer>
    </nav>
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
    <li>
      <a
        class="thread-row"
        href={threadHref(row.id)}
        onClick={onNavigate}
        {...(current ? { "aria-current": "page" } : {})}
      >
        <span class="thread-row-goal">{row.goal || t().nav.noGoal}</span>
        <span class="thread-row-facts">
          <Pill tone={tone}>{label}</Pill>
          <time class="quiet small">{formatAgo(row.updated_at, now)}</time>
        </span>
      </a>
    </li>
  );
};
