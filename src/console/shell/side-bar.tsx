// Shows the side bar: links to the pages, the search, and the list of threads.
import { type FC, useRef } from "hono/jsx/dom";
import { useStore } from "../client/store.ts";
import type { Group } from "../messages/en-shell.ts";
import { chooseLanguage, LANGUAGES, type Language, languageStore, t } from "../messages/messages.ts";
import { Logo, TextButton } from "../parts/components.tsx";
import { inputValue } from "../parts/events.ts";
import { GROUPS } from "../parts/state-labels.ts";
import type { OverviewController } from "./overview.ts";
import { HOME, PAGES, type PageName, pageHref, type Route } from "./route.ts";
import { ThemeButton } from "./theme-button.tsx";
import { ThreadList } from "./thread-list.tsx";

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

const LanguageSelect: FC = () => {
  const { language } = useStore(languageStore);
  return (
    <select
      class="language-select"
      name="language"
      aria-label={t().nav.language}
      onChange={(event: Event) => void chooseLanguage(inputValue(event) as Language)}
    >
      {Object.entries(LANGUAGES).map(([id, name]) => (
        <option key={id} value={id} selected={id === language}>
          {name}
        </option>
      ))}
    </select>
  );
};

const DEBOUNCE_MS = 250;

const ThreadSearch: FC<{ overview: OverviewController }> = ({ overview }) => {
  const { search, agents } = useStore(overview.store);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const onText = (q: string): void => {
    if (timer.current) clearTimeout(timer.current);
    timer.current = setTimeout(() => void overview.setSearch({ q: q.trim() }), DEBOUNCE_MS);
  };
  return (
    <search class="thread-search">
      <input
        type="search"
        name="q"
        placeholder={t().nav.search}
        aria-label={t().nav.search}
        autocomplete="off"
        onInput={(event: Event) => onText(inputValue(event))}
      />
      <select
        name="status"
        aria-label={t().nav.status}
        onChange={(event: Event) => void overview.setSearch({ status: inputValue(event) as Group | "" })}
      >
        <option value="">{t().nav.allStates}</option>
        {GROUPS.map((group) => (
          <option key={group} value={group} selected={group === search.status}>
            {t().labels.groups[group]}
          </option>
        ))}
      </select>
      {agents.length > 1 ? (
        <select
          key="agent"
          name="agent"
          aria-label={t().nav.agent}
          onChange={(event: Event) => void overview.setSearch({ agent: inputValue(event) })}
        >
          <option value="">{t().nav.allAgents}</option>
          {agents.map((name) => (
            <option key={name} value={name} selected={name === search.agent}>
              {name}
            </option>
          ))}
        </select>
      ) : null}
    </search>
  );
};
