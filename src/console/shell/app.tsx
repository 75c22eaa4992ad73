// Renders the application shell: the side bar, the current page, and the key form if the server requires a key.
import { type Child, ErrorBoundary, type FC, useLayoutEffect, useMemo, useState } from "hono/jsx/dom";
import type { CreateInput } from "../../schema/input.ts";
import { AgentsPage } from "../admin/agents-page.tsx";
import { CalendarPage } from "../calendar/calendar-page.tsx";
import { type About, createApi } from "../client/api.ts";
import { connectionStore } from "../client/connection.ts";
import { clearKey, readKey, storeKey } from "../client/key.ts";
import { clearQueuedMessages } from "../client/queued-messages.ts";
import { createSession, type Session } from "../client/session.ts";
import { useStore } from "../client/store.ts";
import { RunsPage } from "../jobs/runs-page.tsx";
import { SchedulesPage } from "../jobs/schedules-page.tsx";
import { WebhooksPage } from "../jobs/webhooks-page.tsx";
import { languageStore, t } from "../messages/messages.ts";
import { Button, Logo } from "../parts/components.tsx";
import { useKeyDown } from "../parts/events.ts";
import { ProblemCard, problemSentence } from "../parts/problem-card.tsx";
import { ThreadPage } from "../thread/thread-page.tsx";
import { ToolsPage } from "../tools/tools-page.tsx";
import { DemoBanner } from "./banner.tsx";
import { Home, type StartThread } from "./home.tsx";
import { Inbox } from "./inbox.tsx";
import { KeyForm } from "./key-form.tsx";
import { createOverview } from "./overview.ts";
import { HOME, navigate, routeStore, type ThreadPlace, threadHref } from "./route.ts";
import { Shortcuts } from "./shortcuts.tsx";
import { SideBar } from "./side-bar.tsx";

export const App: FC = () => {
  const [key, setKey] = useState(readKey());
  const { language } = useStore(languageStore);
  return (
    <Console
      key={`${language}:${key ?? "anonymous"}`}
      secret={key}
      onKey={(given) => {
        runningSessions.clear();
        clearQueuedMessages();
        if (given === null) clearKey();
        else storeKey(given);
        setKey(given);
      }}
    />
  );
};

const Console: FC<{ secret: string | null; onKey: (key: string | null) => void }> = ({ secret, onKey }) => {
  const api = useMemo(() => createApi(location.origin, secret), [secret]);
  const overview = useMemo(() => createOverview(api), [api]);
  const { about, threads, search, problem } = useStore(overview.store);
  const { route } = useStore(routeStore);
  const [menu, setMenu] = useState(false);
  const session = useSession(api, route.page === "thread" ? route.id : null, overview.refreshSoon);
  useLayoutEffect(() => {
    void overview.start();
    return overview.startPolling();
  }, [overview]);
  useKeyDown((event) => {
    if (event.key === "Escape") setMenu(false);
  });
  const { lost, restored } = useStore(connectionStore);
  useLayoutEffect(() => {
    if (restored === 0) return;
    void overview.start();
    void session?.recover();
  }, [restored]);

  if (problem?.code === "unauthorized") {
    return <KeyForm message={secret ? problemSentence(problem) : t().key.ask} onKey={onKey} />;
  }
  const onStart: StartThread = async ({ run, ...input }: CreateInput) => {
    if (!overview.store.get().about) await overview.start();
    // Without a worker, this page advances the run.
    const hasWorker = overview.store.get().about?.worker ?? false;
    const created = await api.create({ ...input, ...(run && hasWorker ? { run } : {}) });
    if (!created.ok) return created.problem;
    const { id } = created.value.thread;
    justCreated = id;
    navigate(threadHref(id));
    void overview.refresh();
    return null;
  };
  return (
    <div class={`frame frame-${route.page}`}>
      <button type="button" class="skip-link" onClick={focusMain}>
        {t().nav.skip}
      </button>
      <TopBar open={menu} onMenu={() => setMenu(!menu)} />
      <Shortcuts api={api} />
      <SideBar
        overview={overview}
        route={route}
        open={menu}
        onNavigate={() => setMenu(false)}
        onForgetKey={secret ? () => onKey(null) : null}
      />
      <main id="main" tabIndex={-1}>
        {lost ? (
          <p key="connection" class="connection-lost" role="status">
            <span class="spinner" aria-hidden="true" /> {t().connection.waiting}
          </p>
        ) : null}
        <DemoBanner key="demo" about={about} />
        {problem ? <ProblemCard key="problem" problem={problem} onRetry={() => void overview.start()} /> : null}
        <div class="page">
          <ErrorBoundary
            key={route.page === "thread" ? route.id : route.page}
            fallbackRender={(error) => <PageError error={error} />}
          >
            {renderPage(
              session,
              {
                api,
                overview,
                onStart,
                at: route.page === "thread" ? route.at : null,
                first: threads?.length === 0 && !search.q && !search.status && !search.agent,
                about,
              },
              route.page,
            )}
          </ErrorBoundary>
        </div>
      </main>
    </div>
  );
};

type PageContext = {
  readonly api: ReturnType<typeof createApi>;
  readonly overview: ReturnType<typeof createOverview>;
  readonly onStart: StartThread;
  readonly at: ThreadPlace | null;
  readonly first: boolean;
  readonly about: About | null;
};

function renderPage(
  session: Session | null,
  { api, overview, onStart, at, first, about }: PageContext,
  page: string,
): Child {
  if (page === "inbox") return <Inbox key="inbox" overview={overview} />;
  if (page === "calendar") return <CalendarPage key="calendar" api={api} about={about} onStart={onStart} />;
  if (page === "schedules") return <SchedulesPage key="schedules" api={api} />;
  if (page === "runs") return <RunsPage key="runs" api={api} />;
  if (page === "agents") return <AgentsPage key="agents" api={api} about={about} onStart={onStart} />;
  if (page === "tools") return <ToolsPage key="tools" api={api} agents={overview.store.get().agents} />;
  if (page === "webhooks") return <WebhooksPage key="webhooks" api={api} />;
  if (!session) return <Home key="home" api={api} first={first} about={about} onStart={onStart} />;
  return (
    <ThreadPage
      key={session.id}
      api={api}
      session={session}
      at={at}
      onChanged={overview.refreshSoon}
      onDeleted={overview.forget}
    />
  );
}

/** The thread that the start form just created. Its first run starts automatically. */
let justCreated: string | null = null;

/** The sessions that keep advancing while another page is shown. Returning to the thread reuses its session. */
const runningSessions = new Map<string, Session>();

function useSession(api: ReturnType<typeof createApi>, id: string | null, onChange: () => void): Session | null {
  const session = useMemo(() => (id ? (runningSessions.get(id) ?? createSession(api, id, onChange)) : null), [api, id]);
  useLayoutEffect(() => {
    if (!session) return;
    const startRun = justCreated === session.id;
    justCreated = null;
    runningSessions.delete(session.id);
    void session.open(startRun);
    return () => {
      session.close();
      if (session.data.get().running) runningSessions.set(session.id, session);
    };
  }, [session]);
  return session;
}

const TopBar: FC<{ open: boolean; onMenu: () => void }> = ({ open, onMenu }) => (
  <header class="top-bar">
    <Button aria-expanded={open ? "true" : "false"} aria-controls="threads" onClick={onMenu}>
      {t().nav.threads}
    </Button>
    <a class="brand" href={HOME}>
      <Logo />
      <span>{t().common.product}</span>
    </a>
  </header>
);

/** Reports a rendering bug. The threads on the server are not affected. */
const PageError: FC<{ error: Error }> = ({ error }) => (
  <div class="problem page-error" role="alert">
    <p class="problem-code">{t().problem.pageError}</p>
    <p class="problem-message">{error.message}</p>
    <p class="problem-hint">{t().problem.pageErrorHint}</p>
  </div>
);

/** Focuses the main part. The skip link is a button instead of a link to #main, because the hash contains the route. */
const focusMain = (): void => document.getElementById("main")?.focus();
