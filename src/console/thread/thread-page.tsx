// Shows one thread: the conversation and its panels.
import { type FC, memo, useCallback, useLayoutEffect, useMemo, useRef, useState } from "hono/jsx/dom";
import type { Problem } from "../../schema/problem.ts";
import type { Api } from "../client/api.ts";
import type { Session } from "../client/session.ts";
import { isStopped, type ThreadData } from "../client/session-data.ts";
import { useStore } from "../client/store.ts";
import { RememberedApprovals } from "../gates/remembered-approvals.tsx";
import { backgroundSummary } from "../jobs/background-labels.ts";
import { BackgroundStatus } from "../jobs/background-status.tsx";
import { t } from "../messages/messages.ts";
import { useIsWide } from "../parts/components.tsx";
import { useTitle } from "../parts/list-page.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { saveFile } from "../parts/save-file.ts";
import { stateLabel } from "../parts/state-labels.ts";
import { type Tab, Tabs } from "../parts/tabs.tsx";
import { HOME, navigate, type ThreadPlace, threadHref } from "../shell/route.ts";
import { CrewCard } from "../workflow/crew-card.tsx";
import { type Turn, turnOfReceipt, turnsOf } from "./conversation.ts";
import { ConversationView } from "./conversation-view.tsx";
import { threadActions, threadActionsStore } from "./thread-actions.ts";
import { ThreadHeader } from "./thread-header.tsx";
import { panelAttributes, ThreadPanel } from "./thread-panel.tsx";

type PageProps = {
  readonly api: Api;
  readonly session: Session;
  /** The place in the thread to which the URL points, or null if it points to the whole thread. */
  readonly at: ThreadPlace | null;
  readonly onChanged: () => void;
  readonly onDeleted: (thread: string) => void;
};

const Page: FC<PageProps> = ({ api, session, at, onChanged, onDeleted }) => {
  const data = useStore(session.data);
  const known = useRef<readonly Turn[]>([]);
  const turns = useMemo(() => turnsOf(data.records, known.current), [data.records]);
  known.current = turns;
  const wide = useIsWide();
  const [panel, setPanel] = useState(CONVERSATION);
  useTitle(data.thread?.title ?? data.title ?? data.thread?.goal ?? "");
  // Keeps the same function in every rendering, so that turns and panels that did not change are not rendered again.
  const onFork = useCallback(
    async (turn: number): Promise<void> => {
      const forked = await api.fork(session.id, turn);
      if (!forked.ok) return session.data.set({ failure: { problem: forked.problem, retry: null } });
      onChanged();
      navigate(threadHref(forked.value.thread.id));
    },
    [api, session, onChanged],
  );
  const onDelete = async (): Promise<void> => {
    const removed = await api.remove(session.id);
    if (!removed.ok) return session.data.set({ failure: { problem: removed.problem, retry: null } });
    onDeleted(session.id);
    onChanged();
    navigate(HOME);
  };
  const onTurn = useCallback(
    (turn: number): void => {
      // In the one-column layout, switches to the conversation first.
      if (!wide) setPanel(CONVERSATION);
      setTimeout(() => showTurn(turn));
    },
    [wide],
  );
  useLinkedPlace(at, { session, turns, onTurn });
  const onExport = async (): Promise<void> => {
    const problem = await downloadThread(api, session.id);
    if (problem) session.data.set({ failure: { problem, retry: null } });
  };
  useLayoutEffect(() => {
    threadActionsStore.set({ list: () => threadActions({ session, onFork, onExport }) });
    return () => threadActionsStore.set({ list: () => [] });
  }, [session, onFork]);
  const { thread } = data;
  if (!thread) return <ThreadPlaceholder data={data} />;
  const tabs = [...(wide ? [] : [conversationTab()]), ...panelTabs(data)];
  const selected = tabs.some((tab) => tab.id === panel) ? panel : (tabs[0]?.id ?? "plan");
  return (
    <article class="thread">
      <ThreadHeader
        key="header"
        thread={thread}
        data={data}
        session={session}
        onFork={onFork}
        onExport={onExport}
        onDelete={onDelete}
      />
      <BackgroundStatus key="background" thread={thread} data={data} session={session} />
      {wide || selected === CONVERSATION ? (
        <div key="conversation" class="thread-conversation" {...(wide ? {} : panelAttributes(selected))}>
          <ConversationView api={api} session={session} data={data} turns={turns} onFork={onFork} />
        </div>
      ) : null}
      <aside key="side" class="thread-side" aria-label={t().thread.details}>
        <CrewCard key="crew" api={api} thread={thread} turns={turns} />
        <RememberedApprovals key="approvals" thread={thread} session={session} />
        <Tabs key="tabs" tabs={tabs} selected={selected} onSelect={setPanel} />
        {selected === CONVERSATION ? null : (
          <ThreadPanel key="panel" selected={selected} {...{ api, session, data, thread, turns, onTurn, onFork }} />
        )}
      </aside>
      <Announcer data={data} latestSpeech={turns.at(-1)?.lines.findLast((line) => line.kind === "speak")?.text ?? ""} />
    </article>
  );
};

export const ThreadPage = memo(Page);

type PlaceContext = {
  readonly session: Session;
  readonly turns: readonly Turn[];
  readonly onTurn: (turn: number) => void;
};

/** Shows the linked turn, receipt or gate once, and loads earlier turns until the linked one is loaded. */
function useLinkedPlace(at: ThreadPlace | null, { session, turns, onTurn }: PlaceContext): void {
  const shown = useRef<ThreadPlace | null>(null);
  useLayoutEffect(() => {
    if (!at || shown.current === at || turns.length === 0) return;
    if (at.kind === "gate") {
      shown.current = at;
      setTimeout(() => document.getElementById("gate-title")?.focus());
      return;
    }
    const turn = at.kind === "turn" ? at.turn : turnOfReceipt(turns, at.id);
    const isLoaded = turn !== null && turns.some(({ number }) => number === turn);
    if (isLoaded || (turns[0]?.records[0]?.version ?? 0) === 0) shown.current = at;
    if (isLoaded) onTurn(turn);
    else if (shown.current !== at) void session.loadEarlier();
  }, [at, turns]);
}

/** Scrolls to the turn and focuses it, so that screen readers follow. */
function showTurn(turn: number): void {
  const target = document.getElementById(`turn-${turn}`);
  target?.scrollIntoView({ block: "center" });
  target?.focus({ preventScroll: true });
}

const CONVERSATION = "conversation";
const conversationTab = (): Tab => ({ id: CONVERSATION, label: t().thread.conversation });

const panelTabs = (data: ThreadData): readonly Tab[] => [
  ...(data.thread?.workflow ? [{ id: "workflow", label: t().workflow.tab }] : []),
  { id: "plan", label: t().panels.plan },
  ...(data.calendar?.calendar ? [{ id: "schedule", label: t().panels.schedule }] : []),
  { id: "turns", label: t().panels.turns },
  { id: "state", label: t().panels.state },
  { id: "tools", label: t().panels.tools },
  { id: "usage", label: t().panels.usage },
];

const ThreadPlaceholder: FC<{ data: ThreadData }> = ({ data }) =>
  data.failure ? (
    <ProblemCard problem={data.failure.problem} onRetry={data.failure.retry} />
  ) : (
    <p class="quiet loading">{t().thread.loading}</p>
  );

/** Announces changes to screen readers in whole sentences instead of streamed fragments. */
const Announcer: FC<{ data: ThreadData; latestSpeech: string }> = ({ data, latestSpeech }) => {
  const { thread, running } = data;
  const announcements =
    thread && !running
      ? [
          latestSpeech,
          stateLabel(thread, thread.background?.status, isStopped(data)).label,
          thread.gate?.text ?? "",
          backgroundSummary(thread)?.label ?? "",
        ]
      : [];
  return (
    <p class="sr-only" role="status">
      {[...new Set(announcements)].filter(Boolean).join(" ")}
    </p>
  );
};

/** Returns the problem if the server refuses, for example because the caller lacks the scope `admin`. */
async function downloadThread(api: Api, id: string): Promise<Problem | null> {
  // If the connection is lost, the page already shows it.
  const response = await api.exportThread(id).catch(() => null);
  if (!response?.ok) return (await response?.json()) ?? null;
  saveFile(await response.blob(), `${id}.jsonl`);
  return null;
}
