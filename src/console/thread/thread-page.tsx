// One thread: the conversation, and beside it the plan, the schedule, the machine, the tools and the sizes.
import type { Child, FC } from "hono/jsx/dom";
import { useEffect, useMemo, useState } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/outcome.ts";
import type { CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import type { Api } from "../client/api.ts";
import type { Session, ThreadData } from "../client/session.ts";
import { useStore } from "../client/store.ts";
import { BackgroundStrip } from "../jobs/background-strip.tsx";
import { runWords } from "../jobs/background-words.ts";
import { GrowthPanel } from "../panels/growth-panel.tsx";
import { MachinePanel } from "../panels/machine-panel.tsx";
import { PlanPanel } from "../panels/plan-panel.tsx";
import { ToolsPanel } from "../panels/tools-panel.tsx";
import { useWide } from "../parts/bits.tsx";
import { ProblemCard } from "../parts/problem-card.tsx";
import { stateWords } from "../parts/state-words.ts";
import { PANEL_ID, type Tab, Tabs, tabId } from "../parts/tabs.tsx";
import { go, HOME, threadHref } from "../shell/route.ts";
import { SchedulePanel } from "../timetable/schedule-panel.tsx";
import { type Turn, turnsOf } from "./conversation.ts";
import { Talk } from "./talk.tsx";
import { ThreadHead } from "./thread-head.tsx";

type PageProps = { readonly api: Api; readonly session: Session; readonly onChanged: () => void };

export const ThreadPage: FC<PageProps> = ({ api, session, onChanged }) => {
  const data = useStore(session.data);
  const turns = useMemo(() => turnsOf(data.records), [data.records]);
  const wide = useWide();
  const [panel, setPanel] = useState(TALK.id);
  useEffect(() => {
    document.title = data.thread?.goal ? `${data.thread.goal} · Pawl` : "Pawl";
  }, [data.thread?.goal]);
  const onFork = async (turn: number): Promise<void> => {
    const forked = await api.fork(session.id, turn);
    if (!forked.ok) return session.data.set({ trouble: { problem: forked.problem, again: null } });
    onChanged();
    go(threadHref(forked.value.thread.id));
  };
  const onDelete = async (): Promise<void> => {
    const removed = await api.remove(session.id);
    if (!removed.ok) return session.data.set({ trouble: { problem: removed.problem, again: null } });
    onChanged();
    go(HOME);
  };
  const onTurn = (turn: number): void => {
    // Where there is one column only, the conversation has to come first.
    if (!wide) setPanel(TALK.id);
    setTimeout(() => showTurn(turn));
  };
  const { thread } = data;
  if (!thread) return <NotYet data={data} />;
  const tabs = [...(wide ? [] : [TALK]), ...panelsOf(data)];
  const picked = tabs.some((tab) => tab.id === panel) ? panel : (tabs[0]?.id ?? "plan");
  return (
    <article class="thread">
      <ThreadHead key="head" thread={thread} data={data} session={session} onFork={onFork} onDelete={onDelete} />
      <BackgroundStrip key="strip" thread={thread} data={data} session={session} />
      {wide || picked === TALK.id ? (
        <div key="talk" class="thread-talk" {...(wide ? {} : panelMarks(picked))}>
          <Talk api={api} session={session} data={data} turns={turns} onFork={onFork} />
        </div>
      ) : null}
      <aside key="side" class="thread-side" aria-label="About this thread">
        <Tabs tabs={tabs} picked={picked} onPick={setPanel} />
        {picked === TALK.id ? null : (
          <div key={picked} class="panel" {...panelMarks(picked)}>
            {panelView(picked, { api, id: session.id, thread, turns, calendar: data.calendar, onTurn })}
          </div>
        )}
      </aside>
      <Announcer data={data} said={turns.at(-1)?.lines.findLast((line) => line.kind === "speak")?.text ?? ""} />
    </article>
  );
};

/** Leads there also those who do not see the page. */
function showTurn(turn: number): void {
  const target = document.getElementById(`turn-${turn}`);
  target?.scrollIntoView({ block: "center" });
  target?.focus({ preventScroll: true });
}

const TALK: Tab = { id: "talk", label: "Conversation" };

const panelsOf = (data: ThreadData): readonly Tab[] => [
  { id: "plan", label: "Plan" },
  ...(data.calendar?.calendar ? [{ id: "schedule", label: "Schedule" }] : []),
  { id: "machine", label: "Machine" },
  { id: "tools", label: "Tools" },
  { id: "sizes", label: "Sizes" },
];

const panelMarks = (picked: string) => ({ id: PANEL_ID, role: "tabpanel", "aria-labelledby": tabId(picked) });

type PanelFacts = {
  readonly api: Api;
  readonly id: string;
  readonly thread: ThreadView;
  readonly turns: readonly Turn[];
  readonly calendar: CalendarView | null;
  readonly onTurn: (turn: number) => void;
};

function panelView(picked: string, { api, id, thread, turns, calendar, onTurn }: PanelFacts): Child {
  switch (picked) {
    case "schedule":
      return <SchedulePanel view={calendar} />;
    case "machine":
      return <MachinePanel thread={thread} turns={turns} />;
    case "tools":
      return <ToolsPanel api={api} id={id} turns={turns} />;
    case "sizes":
      return <GrowthPanel turns={turns} />;
    default:
      return <PlanPanel thread={thread} turns={turns} onTurn={onTurn} />;
  }
}

const NotYet: FC<{ data: ThreadData }> = ({ data }) =>
  data.trouble ? (
    <ProblemCard problem={data.trouble.problem} again={data.trouble.again} />
  ) : (
    <p class="quiet loading">Loading the thread…</p>
  );

/** Says what has changed, for those who do not see the page: whole sentences, not every syllable. */
const Announcer: FC<{ data: ThreadData; said: string }> = ({ data, said }) => {
  const { thread, running } = data;
  const words =
    thread && !running
      ? [
          said,
          stateWords(thread, thread.background?.status).label,
          thread.gate?.text ?? "",
          runWords(thread)?.label ?? "",
        ]
      : [];
  return (
    <p class="sr-only" role="status">
      {[...new Set(words)].filter(Boolean).join(" ")}
    </p>
  );
};
