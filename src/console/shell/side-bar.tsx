// The list of threads, grouped by what they need, and the ways to the other pages.
import type { FC } from "hono/jsx/dom";
import { useStore } from "../client/store.ts";
import { rowWords } from "../jobs/background-words.ts";
import { Mark, Pill, useNow } from "../parts/bits.tsx";
import { GROUPS, groupOf, stateWords } from "../parts/state-words.ts";
import { ago } from "../parts/words.ts";
import type { Looker, ThreadRow } from "./overview.ts";
import { HOME, INBOX, type Route, SCHEDULES, threadHref, WEBHOOKS } from "./route.ts";
import { ThemeButton } from "./theme-button.tsx";

type SideProps = {
  readonly looker: Looker;
  readonly route: Route;
  readonly open: boolean;
  readonly onLeave: () => void;
  /** null where no key is in use. */
  readonly onForget: (() => void) | null;
};

/** `scope`: only a key that has it can look there. */
const WAYS: readonly {
  readonly href: string;
  readonly page: string;
  readonly label: string;
  readonly scope?: string;
}[] = [
  { href: INBOX, page: "inbox", label: "Inbox" },
  { href: SCHEDULES, page: "schedules", label: "Schedules" },
  { href: WEBHOOKS, page: "webhooks", label: "Webhooks", scope: "admin" },
];

export const SideBar: FC<SideProps> = ({ looker, route, open, onLeave, onForget }) => {
  const { threads, cursor, gates, about } = useStore(looker.store);
  const now = useNow(30_000);
  const ways = WAYS.filter(({ scope }) => !scope || about?.caller.scopes.includes(scope));
  return (
    <nav id="threads" class={`side-bar ${open ? "side-open" : ""}`} aria-label="Threads">
      <a class="brand" href={HOME} onClick={onLeave}>
        <Mark />
        <span>Pawl</span>
      </a>
      <a class="button primary block-button" href={HOME} onClick={onLeave}>
        New thread
      </a>
      <div class="nav-links">
        {ways.map(({ href, page, label }) => (
          <a
            key={page}
            class="nav-link"
            href={href}
            onClick={onLeave}
            {...(route.page === page ? { "aria-current": "page" } : {})}
          >
            <span>{label}</span>
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
                {group} <span class="quiet">{rows.length}</span>
              </h2>
              <ul>
                {rows.map((row) => (
                  <Row
                    key={row.id}
                    row={row}
                    now={now}
                    current={route.page === "thread" && route.id === row.id}
                    onLeave={onLeave}
                  />
                ))}
              </ul>
            </section>
          );
        })}
        {threads?.length === 0 ? <p class="quiet small">No threads yet.</p> : null}
        {cursor ? (
          <button key="more" type="button" class="link" onClick={() => void looker.more()}>
            Show older threads
          </button>
        ) : null}
      </div>
      <footer class="side-foot small quiet">
        <span>
          {about ? `${about.release} · ${about.caller.name} ` : ""}
          {onForget ? (
            <button key="forget" type="button" class="link" onClick={onForget}>
              Forget key
            </button>
          ) : null}
        </span>
        <ThemeButton />
      </footer>
    </nav>
  );
};

type RowProps = {
  readonly row: ThreadRow;
  readonly now: number;
  readonly current: boolean;
  readonly onLeave: () => void;
};

/** On a phone the list covers the page, so a way chosen in it closes it. */
const Row: FC<RowProps> = ({ row, now, current, onLeave }) => {
  const { label, tone } = stateWords(row, row.background);
  const background = rowWords(row.background, row.state);
  return (
    <li>
      <a
        class="thread-row"
        href={threadHref(row.id)}
        onClick={onLeave}
        {...(current ? { "aria-current": "page" } : {})}
      >
        <span class="thread-row-goal">{row.goal || "No goal yet"}</span>
        <span class="thread-row-facts">
          <Pill tone={tone}>{label}</Pill>
          <time class="quiet small">{ago(row.updated_at, now)}</time>
        </span>
        {background ? <span class={`row-background row-background-${background.tone}`}>{background.label}</span> : null}
      </a>
    </li>
  );
};
