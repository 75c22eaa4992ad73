// Shows the side bar: links to the pages, the search, and the list of threads.
import type { FC } from "hono/jsx/dom";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";
import { Logo, TextButton } from "../parts/components.tsx";
import { LanguageSelect } from "./language-select.tsx";
import type { OverviewController } from "./overview.ts";
import { HOME, PAGES, type PageName, pageHref, type Route } from "./route.ts";
import { ThemeButton } from "./theme-button.tsx";
import { ThreadList } from "./thread-list.tsx";
import { ThreadSearch } from "./thread-search.tsx";

type SideProps = {
  readonly overview: OverviewController;
  readonly route: Route;
  readonly open: boolean;
  readonly onNavigate: () => void;
  readonly onForgetKey: (() => void) | null;
};

const ADMIN_PAGES: readonly PageName[] = ["tools", "webhooks"];

export const SideBar: FC<SideProps> = ({ overview, route, open, onNavigate, onForgetKey }) => {
  const { gates, moreGates, about } = useStore(overview.store);
  const isAdmin = about?.caller.scopes.includes("admin") ?? false;
  const pages = PAGES.filter((page) => isAdmin || !ADMIN_PAGES.includes(page));
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
        {pages.map((page) => (
          <a
            key={page}
            class="nav-link"
            href={pageHref(page)}
            onClick={onNavigate}
            {...(route.page === page ? { "aria-current": "page" } : {})}
          >
            <span>{t().nav[page]}</span>
            {page === "inbox" && gates.length > 0 ? (
              <span class="badge">{`${gates.length}${moreGates ? "+" : ""}`}</span>
            ) : null}
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
            <TextButton key="forget" onClick={onForgetKey}>
              {t().nav.forgetKey}
            </TextButton>
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
