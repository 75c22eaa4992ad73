// Previews what the call would do to the calendar, and updates after every edit of its arguments.
import { type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import type { CalendarProposal } from "../../toolkits/timetable/schema/calendar-view.ts";
import { EventChange, isEventChange } from "../calendar/event-change.tsx";
import type { Session } from "../client/session.ts";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";
import { VisibleText } from "../parts/components.tsx";
import { firstLine } from "../parts/format.ts";
import { ChangeGrid } from "../timetable/change-grid.tsx";
import { applyChanges } from "../timetable/changes.ts";
import type { EditedArguments } from "./edited-arguments.ts";

const DEBOUNCE_MS = 300;

type PreviewProps = {
  readonly session: Session;
  readonly tool: string;
  readonly edited: EditedArguments;
  /** The server's description of the change, which is shown if the change cannot be drawn. */
  readonly text: string | null | undefined;
};

export const Preview: FC<PreviewProps> = ({ session, tool, edited, text }) => {
  const { calendar: view } = useStore(session.data);
  const proposed = useProposal(session, edited, view?.proposed ?? null);
  if (isEventChange(tool)) {
    const changed = edited.kind === "changed" ? JSON.stringify(edited.arguments) : null;
    return <EventChange load={session.previewEventChange} edited={changed} text={text} />;
  }
  if (!view?.calendar || !proposed) {
    return text ? (
      <p class="gate-preview">
        <VisibleText text={text} />
      </p>
    ) : null;
  }
  if (!proposed.possible) {
    return (
      <p class="warning" role="note">
        {t().gates.calendarRejects(firstLine(proposed.text))}
      </p>
    );
  }
  if (proposed.changes.length === 0) return <p class="quiet">{t().gates.changesNothing}</p>;
  return (
    <ChangeGrid
      before={view.calendar}
      after={applyChanges(view.calendar, proposed.changes)}
      changes={proposed.changes}
    />
  );
};

/** Returns the current proposal. Edited arguments are sent once the user stops typing. */
function useProposal(
  session: Session,
  edited: EditedArguments,
  currentProposal: CalendarProposal | null,
): CalendarProposal | null {
  const [editedProposal, setEditedProposal] = useState<CalendarProposal | null>(null);
  const text = edited.kind === "changed" ? JSON.stringify(edited.arguments) : null;
  useLayoutEffect(() => {
    setEditedProposal(null);
    if (text === null || !currentProposal) return;
    const timer = setTimeout(async () => {
      const proposal = await session.previewProposal(text);
      setEditedProposal(proposal);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === null ? currentProposal : editedProposal;
}
