// Shows the panel of the selected tab after the next paint, so that the tab itself reacts immediately.
import { type Child, type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Api } from "../client/api.ts";
import type { Session } from "../client/session.ts";
import type { ThreadData } from "../client/session-data.ts";
import { MachinePanel } from "../panels/machine-panel.tsx";
import { PlanPanel } from "../panels/plan-panel.tsx";
import { ToolsPanel } from "../panels/tools-panel.tsx";
import { TurnsPanel } from "../panels/turns-panel.tsx";
import { UsagePanel } from "../panels/usage-panel.tsx";
import { PANEL_ID, tabId } from "../parts/tabs.tsx";
import { SchedulePanel } from "../timetable/schedule-panel.tsx";
import { WorkflowPanel } from "../workflow/workflow-panel.tsx";
import type { Turn } from "./conversation.ts";

export const panelAttributes = (selected: string) => ({
  id: PANEL_ID,
  role: "tabpanel",
  "aria-labelledby": tabId(selected),
});

type PanelContext = {
  readonly api: Api;
  readonly session: Session;
  readonly data: ThreadData;
  readonly thread: ThreadView;
  readonly turns: readonly Turn[];
  readonly onTurn: (turn: number) => void;
  readonly onFork: (turn: number) => Promise<void>;
};

export const ThreadPanel: FC<PanelContext & { readonly selected: string }> = ({ selected, ...context }) => {
  const shown = useAfterPaint(selected);
  return (
    <div key={shown} class="panel" {...panelAttributes(shown)}>
      {renderPanel(shown, context)}
    </div>
  );
};

/** Returns the value as of the last paint. */
function useAfterPaint<T>(value: T): T {
  const [painted, setPainted] = useState(value);
  useLayoutEffect(() => {
    if (painted === value) return;
    let timer = 0;
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(() => setPainted(value));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [value]);
  return painted;
}

function renderPanel(selected: string, { api, session, data, thread, turns, ...on }: PanelContext): Child {
  const { id } = session;
  switch (selected) {
    case "workflow":
      return thread.workflow ? (
        <WorkflowPanel api={api} session={session} workflow={thread.workflow} busy={data.running} {...on} />
      ) : null;
    case "schedule":
      return <SchedulePanel view={data.calendar} onImport={session.importCalendar} />;
    case "turns":
      return <TurnsPanel api={api} id={id} turns={turns} onTurn={on.onTurn} />;
    case "state":
      return <MachinePanel thread={thread} turns={turns} />;
    case "tools":
      return <ToolsPanel api={api} id={id} turns={turns} />;
    case "usage":
      return <UsagePanel turns={turns} />;
    default:
      return <PlanPanel thread={thread} turns={turns} onTurn={on.onTurn} />;
  }
}
