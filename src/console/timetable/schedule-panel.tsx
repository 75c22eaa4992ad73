// Shows the thread's calendar, week by week, including the change that is waiting for approval.
import { type FC, useState } from "hono/jsx/dom";
import type { Problem } from "../../schema/problem.ts";
import type { CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import { t } from "../messages/messages.ts";
import { Button, Disclosure } from "../parts/components.tsx";
import { FileField } from "../parts/fields.tsx";
import { applyChanges, type ShownCalendar } from "./changes.ts";
import { DayColumns, type Emphasis } from "./day-columns.tsx";
import { daysOfWeek, weekCount, weekOf } from "./days.ts";

type PanelProps = {
  readonly view: CalendarView | null;
  /** Replaces the calendar with an iCalendar file, and resolves to the problem, if there is one. */
  readonly onImport: (file: File) => Promise<Problem | null>;
};

export const SchedulePanel: FC<PanelProps> = ({ view, onImport }) => {
  if (!view?.calendar) return <p class="quiet">{t().timetable.none}</p>;
  return (
    <>
      <Weeks calendar={view.calendar} proposed={view.proposed?.possible ? view.proposed.changes : []} />
      <Disclosure label={t().timetable.replace}>
        {() => (
          <FileField
            label={t().timetable.replaceFile}
            note={t().timetable.replaceNote}
            accept=".ics,text/calendar"
            onFile={onImport}
          />
        )}
      </Disclosure>
    </>
  );
};

const Weeks: FC<{
  readonly calendar: ShownCalendar;
  readonly proposed: NonNullable<CalendarView["proposed"]>["changes"];
}> = ({ calendar, proposed }) => {
  const [selectedWeek, setSelectedWeek] = useState<number | null>(null);
  const target = proposed.flatMap((one) => [...one.to, ...one.from])[0];
  const week = selectedWeek ?? (target ? weekOf(calendar, target.day) : 1);
  const shown = applyChanges(calendar, proposed);
  const highlights = new Map<number, Emphasis>(proposed.map((one) => [one.task_id, "arrives"]));
  const pending = shown.tasks.filter((task) => task.status === "pending");
  return (
    <div class="schedule">
      <div class="row spread">
        <h3 class="panel-title">{t().timetable.weekOf(week, weekCount(calendar))}</h3>
        <span class="row tight">
          <Button
            class="small"
            disabled={week <= 1}
            aria-label={t().timetable.previousWeek}
            onClick={() => setSelectedWeek(week - 1)}
          >
            ←
          </Button>
          <Button
            class="small"
            disabled={week >= weekCount(calendar)}
            aria-label={t().timetable.nextWeek}
            onClick={() => setSelectedWeek(week + 1)}
          >
            →
          </Button>
        </span>
      </div>
      {proposed.length > 0 ? <p class="note">{t().timetable.previewNote}</p> : null}
      <DayColumns
        calendar={shown}
        days={daysOfWeek(calendar, week)}
        label={t().timetable.week(week)}
        highlights={highlights}
      />
      <p class="legend small">
        <span class="swatch block-course" /> {t().timetable.fixed}
        <span class="swatch block-suggested" /> {t().timetable.suggested}
        {proposed.length > 0 ? (
          <>
            <span class="swatch block-arrives" /> {t().timetable.proposed}
          </>
        ) : null}
      </p>
      {pending.length > 0 ? (
        <>
          <h3 class="panel-title">{t().timetable.unscheduled}</h3>
          <ul class="plain-list">
            {pending.map((task) => (
              <li key={task.state_id}>
                {task.name} <span class="quiet">· {t().timetable.slots(task.duration)}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
};
