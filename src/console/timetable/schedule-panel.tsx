// The thread's calendar, week by week, including the change that is waiting for approval.
import type { FC } from "hono/jsx/dom";
import { useState } from "hono/jsx/dom";
import type { CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import { applyChanges, type ShownCalendar } from "./changes.ts";
import { DayColumns, type Emphasis } from "./day-columns.tsx";
import { daysOfWeek, weekCount, weekOf } from "./days.ts";

export const SchedulePanel: FC<{ view: CalendarView | null }> = ({ view }) => {
  if (!view?.calendar) return <p class="quiet">This thread has no calendar.</p>;
  return <Weeks calendar={view.calendar} proposed={view.proposed?.possible ? view.proposed.changes : []} />;
};

type WeeksProps = {
  readonly calendar: ShownCalendar;
  readonly proposed: NonNullable<CalendarView["proposed"]>["changes"];
};

const Weeks: FC<WeeksProps> = ({ calendar, proposed }) => {
  const [selectedWeek, setSelectedWeek] = useState<number | null>(null);
  const target = proposed.flatMap((one) => [...one.to, ...one.from])[0];
  const week = selectedWeek ?? (target ? weekOf(calendar, target.day) : 1);
  const shown = applyChanges(calendar, proposed);
  const highlights = new Map<number, Emphasis>(proposed.map((one) => [one.task_id, "arrives"]));
  const pending = shown.tasks.filter((task) => task.status === "pending");
  return (
    <div class="schedule">
      <div class="row spread">
        <h3 class="panel-title">
          Week {week} of {weekCount(calendar)}
        </h3>
        <span class="row tight">
          <button
            type="button"
            class="button small"
            disabled={week <= 1}
            aria-label="Previous week"
            onClick={() => setSelectedWeek(week - 1)}
          >
            ←
          </button>
          <button
            type="button"
            class="button small"
            disabled={week >= weekCount(calendar)}
            aria-label="Next week"
            onClick={() => setSelectedWeek(week + 1)}
          >
            →
          </button>
        </span>
      </div>
      {proposed.length > 0 ? <p class="note">Preview of the calendar after approval.</p> : null}
      <DayColumns calendar={shown} days={daysOfWeek(calendar, week)} label={`Week ${week}`} highlights={highlights} />
      <p class="legend small">
        <span class="swatch block-course" /> fixed
        <span class="swatch block-suggested" /> suggested (movable)
        {proposed.length > 0 ? (
          <>
            <span class="swatch block-arrives" /> proposed
          </>
        ) : null}
      </p>
      {pending.length > 0 ? (
        <>
          <h3 class="panel-title">Not scheduled</h3>
          <ul class="plain-list">
            {pending.map((task) => (
              <li key={task.state_id}>
                {task.name} <span class="quiet">· {task.duration === 1 ? "1 slot" : `${task.duration} slots`}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
};
