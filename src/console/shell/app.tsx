// The whole page: the list at the side, one page in the middle, a form where the server wants a key.
import type { Child, FC } from "hono/jsx/dom";
import { ErrorBoundary, useEffect, useMemo, useState } from "hono/jsx/dom";
import type { CreateInput } from "../../schema/input.ts";
import { createApi } from "../client/api.ts";
import { forgetKey, keepKey, readKey } from "../client/key.ts";
import { createSession, type Session } from "../client/session.ts";
import { useStore } from "../client/store.ts";
import { forgetWaiting } from "../client/waiting.ts";
import { SchedulesPage } from "../jobs/schedules-page.tsx";
import { WebhooksPage } from "../jobs/webhooks-page.tsx";
import { Mark } from "../parts/bits.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { ThreadPage } from "../thread/thread-page.tsx";
import { DemoBanner } from "./banner.tsx";
import { Home, type Start } from "./home.tsx";
import { Inbox } from "./inbox.tsx";
import { KeyForm } from "./key-form.tsx";
import { createOverview } from "./overview.ts";
import { go, HOME, routeStore, threadHref } from "./route.ts";
import { SideBar } from "./side-bar.tsx";

export const App: FC = () => {
  const [key, setKey] = useState(readKey());
  return (
    <Console
      key={key ?? "nobody"}
      secret={key}
      onKey={(given) => {
        leftRunning.clear();
        forgetWaiting();
        if (given === null) forgetKey();
        else keepKey(given);
        setKey(given);
      }}
    />
  );
};

const Console: FC<{ secret: string | null; onKey: (key: string | null) => void }> = ({ secret, onKey }) => {
  const api = useMemo(() => createApi(location.origin, secret), [secret]);
  const looker = useMemo(() => createOverview(api), [api]);
  const { about, threads, problem } = useStore(looker.store);
  const { route } = useStore(routeStore);
  const [menu, setMenu] = useState(false);
  const session = useSession(api, route.page === "thread" ? route.id : null, looker.lookSoon);
  useEffect(() => {
    if (route.page === "home") document.title = "Pawl";
  }, [route.page]);
  useEffect(() => {
    void looker.start();
    return looker.keepLooking();
  }, [looker]);

  if (problem?.code === "unauthorized") {
    return <KeyForm message={secret ? problem.message : "It was given to you by whoever runs it."} onKey={onKey} />;
  }
  const onStart: Start = async (input: CreateInput) => {
    const created = await api.create(input);
    if (!created.ok) return created.problem;
    const { id } = created.value.thread;
    justCreated = id;
    go(threadHref(id));
    looker.lookSoon();
    return null;
  };
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={skip}>
        Skip to the page
      </button>
      <TopBar open={menu} onMenu={() => setMenu(!menu)} />
      <SideBar
        looker={looker}
        route={route}
        open={menu}
        onLeave={() => setMenu(false)}
        onForget={secret ? () => onKey(null) : null}
      />
      <main id="main" tabIndex={-1}>
        <DemoBanner about={about} />
        {problem ? <ProblemCard key="problem" problem={problem} again={() => void looker.start()} /> : null}
        <div class="page">
          <ErrorBoundary key={location.hash} fallbackRender={(error) => <Broken error={error} />}>
            {pageOf(
              session,
              { api, looker, onStart, first: threads?.length === 0, demo: about?.demo ?? false },
              route.page,
            )}
          </ErrorBoundary>
        </div>
      </main>
    </div>
  );
};

type Parts = {
  readonly api: ReturnType<typeof createApi>;
  readonly looker: ReturnType<typeof createOverview>;
  readonly onStart: Start;
  readonly first: boolean;
  readonly demo: boolean;
};

function pageOf(session: Session | null, { api, looker, onStart, first, demo }: Parts, page: string): Child {
  if (page === "inbox") return <Inbox key="inbox" looker={looker} />;
  if (page === "schedules") return <SchedulesPage key="schedules" api={api} />;
  if (page === "webhooks") return <WebhooksPage key="webhooks" api={api} />;
  if (!session) return <Home key="home" first={first} demo={demo} onStart={onStart} />;
  return <ThreadPage key={session.id} api={api} session={session} onChanged={looker.lookSoon} />;
}

/** Set by the form that creates a thread: its first run starts without another click. */
let justCreated: string | null = null;

/** Threads that go on by themselves although another page is shown: whoever comes back finds the same session. */
const leftRunning = new Map<string, Session>();

function useSession(api: ReturnType<typeof createApi>, id: string | null, changed: () => void): Session | null {
  const session = useMemo(() => (id ? (leftRunning.get(id) ?? createSession(api, id, changed)) : null), [api, id]);
  useEffect(() => {
    if (!session) return;
    const fresh = justCreated === session.id;
    justCreated = null;
    leftRunning.delete(session.id);
    void session.open(fresh);
    return () => {
      session.close();
      if (session.data.get().running) leftRunning.set(session.id, session);
    };
  }, [session]);
  return session;
}

const TopBar: FC<{ open: boolean; onMenu: () => void }> = ({ open, onMenu }) => (
  <header class="top-bar">
    <button
      type="button"
      class="button"
      aria-expanded={open ? "true" : "false"}
      aria-controls="threads"
      onClick={onMenu}
    >
      Threads
    </button>
    <a class="brand" href={HOME}>
      <Mark />
      <span>Pawl</span>
    </a>
  </header>
);

/** A bug of the page, said aloud: the threads are not touched by it. */
const Broken: FC<{ error: Error }> = ({ error }) => (
  <div class="problem broken" role="alert">
    <p class="problem-code">This page broke</p>
    <p class="problem-message">{error.message}</p>
    <p class="problem-hint">Reload it. Your threads are on the server, and nothing happened to them.</p>
  </div>
);

/** Not a link: the hash is the address of the page. */
const skip = (): void => document.getElementById("main")?.focus();
