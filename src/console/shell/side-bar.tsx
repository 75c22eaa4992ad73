// The side bar: links to the pages, the search, and the list of threads.
import type { FC } from "hono/jsx/dom";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";
import { Logo } from "../parts/components.tsx";
import { LanguageSelect } from "./language-select.tsx";
import type { OverviewController } from "./overview.ts";
import { HOME, INBOX, type Route, SCHEDULES, TOOLS, WEBHOOKS } from "./route.ts";
import { ThemeButton } from "./theme-button.tsx";
import { ThreadList } from "./thread-list.tsx";
import { ThreadSearch } from "./thread-search.tsx";

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
  const { gates, about } = useStore(overview.store);
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
      <ThreadSearch key="search" overview={overview} />
      <ThreadList
        key="list"
        overview={overview}
        current={route.page === "thread" ? route.id : null}
        onNavigate={onNavigate}
      />
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
